// Storey 1, FACTS: what people did. Its routes stand in `ingest`.
export { jobs } from "./jobs.ts";
export { checkProperties, type EventInput, recordEvents } from "./record.ts";
