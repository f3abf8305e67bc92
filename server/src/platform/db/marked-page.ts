/** A row beside the oldest transaction that was open when it was read (`xmin`). Where the page is empty there is one row of nulls. */
export type MarkedRow<T> = { [K in keyof T]: T[K] | null } & { xmin: string };

/** Returns the rows of a page that was read beside its mark, and the mark, which is there also where the page is empty. */
export const markedPage = <T extends { id: string }>(rows: MarkedRow<T>[]): { rows: T[]; xmin: string } => ({
  rows: rows.filter((row) => row.id !== null) as unknown as T[],
  xmin: (rows[0] as MarkedRow<T>).xmin,
});
