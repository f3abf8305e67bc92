import { type InAppGround, NearMisses } from "./inapp/index.ts";
import { type OutboundGround, sendersOf } from "./outbound/index.ts";
import type { Ground } from "./platform/ground.ts";

/** The ground with what slices keep in this process. The ground itself knows no word of the product. */
export type House = OutboundGround & InAppGround;

/** Adds to the ground, once a process, what slices keep in it for several of their doors. */
export const houseOn = (ground: Ground): House => ({
  ...ground,
  sending: { dispatcher: undefined },
  senders: sendersOf(ground),
  nearMisses: new NearMisses(ground),
});
