import type { OutboundGround } from "../../outbound/index.ts";
import { type Loop, startLoop } from "../../platform/work/loop.ts";
import { DUE } from "../moves.ts";
import { step } from "./fanout.ts";

/** For what is due by time, what other processes left, and lost signals. */
const POLL_MS = 1_000;

/** Takes steps of broadcasts in this process while any is due, those of several in turn: see fanout.ts. */
export const startBroadcasts = (ground: OutboundGround): Loop =>
  startLoop(ground, {
    what: "broadcasts",
    wakeOn: { [DUE]: () => true },
    round: async () => ((await step(ground)) ? 0 : POLL_MS),
    // A step that is cut off is rolled back.
    graceMs: 4_000,
  });
