import { csvLine } from "../platform/csv.ts";
import type { Ground } from "../platform/ground.ts";
import { encodeId } from "../platform/ids.ts";
import { page } from "./members.ts";

const PAGE = 1_000;

/** Who is in an audience, as CSV, a page at a time. What import takes, with the same columns. */
export async function* exportLines({ workDb, clock }: Ground, workspaceId: string, id: string): AsyncGenerator<string> {
  yield csvLine(["person_id", "email", "phone"]);
  const now = clock.now();
  let cursor: string | undefined;
  do {
    const people = await page(workDb, workspaceId, { audience: encodeId("aud", id) }, cursor, PAGE, now);
    yield people.map((one) => csvLine([one.person_id, one.email ?? "", one.phone ?? ""])).join("");
    cursor = people.length === PAGE ? people.at(-1)?.person_key : undefined;
  } while (cursor !== undefined);
}
