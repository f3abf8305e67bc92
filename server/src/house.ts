import { type InAppGround, NearMisses } from "./inapp/index.ts";
import { type IngestGround, rejections } from "./ingest/index.ts";
import { sendersOf } from "./outbound/index.ts";
import type { Ground } from "./platform/ground.ts";
import { SLICES } from "./slices.ts";
import { type TransactionalsGround, triggerer } from "./transactionals/index.ts";
import { type ConnectedGround, connect } from "./workspaces/index.ts";

/** The ground with what slices keep in this process, and with what they ask of each other. The ground itself knows no word of the product. */
export type House = ConnectedGround & IngestGround & InAppGround & TransactionalsGround;

/** Adds to the ground, once a process, what slices keep in it for several of their doors, and connects the slices. */
export function houseOn(ground: Ground): House {
  const house = {
    ...ground,
    slices: connect(SLICES),
    rejections: rejections(ground),
    sending: { dispatcher: undefined },
    senders: sendersOf(ground),
    nearMisses: new NearMisses(ground),
  };
  return { ...house, trigger: triggerer(house) };
}
