// DOORS: identify, track and batch call people, events and screens, which don't know each other.
// docs/decisions/0001-ingest-is-a-slice.md says why this is a slice of its own.
export { gateway } from "./gateway.ts";
export { type Intake, intake, type Outcome } from "./ingest.ts";
export { jobs } from "./jobs.ts";
export { mergeInto } from "./merge.ts";
export { product } from "./product.ts";
export { type Rejections, rejections } from "./rejections.ts";
export { type Fact, identifyFact, trackFact } from "./read.ts";
