import type { IngestGround } from "../ingest/index.ts";
import type { TransactionalsGround } from "../transactionals/index.ts";

/** The ground with what the routes for foreign clients use: ingestion's log of refused data, and the trigger. */
export type CompatGround = IngestGround & TransactionalsGround;
