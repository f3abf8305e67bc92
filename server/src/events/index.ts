// FACTS: the events of people. The routes that receive events are in `ingest`.
import { held, type Slice } from "../workspaces/index.ts";
import { jobs } from "./jobs.ts";
import { product } from "./product.ts";

export { checkProperties, EVENTS_RECORDED, type EventInput, occurrenceOf, recordEvents } from "./record.ts";
export { followEvents, oldEvents } from "./stream-store.ts";

/** What the roof connects. */
export const slice: Slice = { name: "events", product, jobs, holds: [held("events", { ids: { id: "evt" } })] };

declare module "../platform/ids.ts" {
  interface Prefixes {
    evt: true;
  }
}
