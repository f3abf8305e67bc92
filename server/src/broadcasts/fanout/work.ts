import type { OutboundGround } from "../../outbound/index.ts";
import { type Heard, listen } from "../../platform/db/index.ts";
import type { Ground } from "../../platform/ground.ts";
import { UNTIL_DUE } from "../../platform/work/due.ts";
import { type Loop, startLoop } from "../../platform/work/loop.ts";
import { LIMITS_CHANGED } from "../../workspaces/index.ts";
import { BROADCASTS_DUE } from "../lifecycle.ts";
import { askHeldAgain } from "../recipients/batch-store.ts";
import { step } from "./fanout.ts";
import { isStepDue } from "./work-store.ts";

/** Takes steps of broadcasts in this process while any is due. Several broadcasts take turns: see fanout.ts. */
export const startBroadcasts = (ground: OutboundGround): Loop =>
  startLoop(ground, {
    what: "broadcasts",
    wakeOn: { [BROADCASTS_DUE]: () => true },
    isDue: isStepDue,
    round: async () => ((await step(ground)) ? 0 : UNTIL_DUE),
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
