import { type Queries, sql } from "../../platform/db/index.ts";

/** Makes PostgreSQL refuse each write of this transaction. It must be the first statement. */
export const readOnly = (tx: Queries): Promise<number> => tx.execute(sql`set transaction read only`);
