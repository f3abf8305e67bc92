import type { Tx } from "../db/index.ts";

/** The signal that work of a resource moved on, as "tenant:id" with the id of the API. It is a hint: who hears it asks for the progress. */
export const PROGRESSED = "resources.progressed";

/** Tells that the work of a resource moved on, after the commit. */
export const progressed = (tx: Pick<Tx, "signal">, scope: string, id: string): void =>
  tx.signal(PROGRESSED, [`${scope}:${id}`]);
