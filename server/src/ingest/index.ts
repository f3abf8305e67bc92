// DOORS: identify, track and batch write people, events and screens, which don't import each other.
// docs/decisions/0001-ingest-is-a-slice.md explains why this is a slice of its own.
import { held, type Slice } from "../workspaces/index.ts";
import { gateway } from "./gateway.ts";
import { jobs } from "./jobs.ts";
import { product } from "./product.ts";
import type { IngestGround } from "./rejections.ts";

export { type Intake, createIntake, type Outcome } from "./ingest.ts";
export { mergeInto } from "./merge.ts";
export { type IngestGround, rejections } from "./rejections.ts";
export { type Fact, identifyFact, trackFact } from "./read.ts";

/** The parts of this slice for the roof. */
export const slice: Slice<IngestGround> = { name: "ingest", gateway, product, jobs, holds: [held("rejected_data")] };

declare module "../platform/ids.ts" {
  interface Prefixes {
    rej: true;
  }
}
