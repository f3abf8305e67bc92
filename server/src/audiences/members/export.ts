import type { Queries } from "../../platform/db/index.ts";
import { encodeId } from "../../platform/ids.ts";
import { csvLine } from "../../platform/transfer/csv.ts";
import { page } from "./members.ts";

const PAGE = 1_000;

/** The members of an audience as CSV, page by page. Import reads the same columns. */
export async function* exportLines(q: Queries, workspaceId: string, id: string, now: Date): AsyncGenerator<string> {
  yield csvLine(["person_id", "email", "phone"]);
  const filter = { audience: encodeId("aud", id) };
  let cursor: string | undefined;
  do {
    const people = await page(q, workspaceId, { filter, cursor, limit: PAGE, now });
    yield people.map((one) => csvLine([one.person_id, one.email ?? "", one.phone ?? ""])).join("");
    cursor = people.length === PAGE ? people.at(-1)?.person_key : undefined;
  } while (cursor !== undefined);
}
