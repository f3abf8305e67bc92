// FACTS: what people did. The routes that take events are in `ingest`.
export { jobs } from "./jobs.ts";
export { product } from "./product.ts";
export { checkProperties, type EventInput, recordEvents } from "./record.ts";
