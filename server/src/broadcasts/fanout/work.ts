import type { OutboundGround } from "../../outbound/index.ts";
import { type Heard, listen } from "../../platform/db/index.ts";
import type { Ground } from "../../platform/ground.ts";
import { type Loop, startLoop } from "../../platform/work/loop.ts";
import { LIMITS_CHANGED } from "../../workspaces/index.ts";
import { BROADCASTS_DUE } from "../lifecycle.ts";
import { askHeldAgain } from "../recipients/batch-store.ts";
import { step } from "./fanout.ts";
import { isStepDue } from "./work-store.ts";

/** Finds broadcasts that are due by time or that another process left, and replaces lost signals. */
const POLL_MS = 1_000;

/** Takes steps of broadcasts in this process while any is due. Several broadcasts take turns: see fanout.ts. */
export const startBroadcasts = (ground: OutboundGround): Loop =>
  startLoop(ground, {
    what: "broadcasts",
    wakeOn: { [BROADCASTS_DUE]: () => true },
    round: async () => ((await isStepDue(ground.workDb, ground.clock.now())) && (await step(ground)) ? 0 : POLL_MS),
    // A step that is cut off is rolled back.
    graceMs: 4_000,
  });

/** Listens to changes of the limits for marketing: whoever waits because of them is asked about again. */
export const hearsLimits = ({ clock }: Pick<Ground, "clock">): Heard =>
  listen(LIMITS_CHANGED, {
    hears: "in the transaction",
    cares: () => true,
    async take(tx, changed) {
      const workspaces = changed.map(({ workspaceId }) => workspaceId);
      if (await askHeldAgain(tx, workspaces, clock.now())) tx.signal(BROADCASTS_DUE, ["broadcasts"]);
    },
  });
