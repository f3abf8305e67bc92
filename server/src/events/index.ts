// Storey 1, FACTS: what people did. The routes by which it is said stand in `ingest`.
export { jobs } from "./jobs.ts";
export { product } from "./product.ts";
export { checkProperties, type EventInput, recordEvents } from "./record.ts";
