import type { Queries } from "../../platform/db/index.ts";
import { csvLine } from "../../platform/transfer/csv.ts";
import { inTurns } from "../../platform/turns.ts";
import { listSuppressions } from "./suppression-store.ts";

const PAGE = 1_000;

/**
 * The suppression list as CSV, newest first, read page by page, so that a list of any length takes the memory of one page. It leaves
 * out entries whose address was erased: a hash is of no use outside. Import reads the same columns.
 */
export async function* exportLines(q: Queries, workspaceId: string): AsyncGenerator<string> {
  yield csvLine(["channel", "address", "reason", "source", "created_at"]);
  let before: string[] | undefined;
  do {
    const rows = await listSuppressions(q, workspaceId, {}, { before, limit: PAGE });
    const lines = await inTurns(rows, (row) =>
      row.address === null
        ? ""
        : csvLine([row.channel, row.address, row.reason, row.source, row.created_at.toISOString()]),
    );
    yield lines.join("");
    const last = rows.at(-1);
    before = rows.length === PAGE && last ? [last.created_at.toISOString(), last.hash] : undefined;
  } while (before);
}
