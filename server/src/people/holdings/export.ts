import type { Queries } from "../../platform/db/index.ts";
import { encodeId, type Prefix } from "../../platform/ids.ts";
import { type ConnectedGround, type Held, type Rows, heldTables, type Whose } from "../../workspaces/index.ts";
import type { Profile } from "../profile/store.ts";
import { addressesOf } from "./erase.ts";

/** Rows held in memory at once: an event has 32 KiB, a message that waits with its attachments 20 MiB at most. */
const PAGE = 20;
/** Characters of a value that is not copied into the text around it. */
const LONG = 64 * 1024;

const SOURCES: Record<string, Prefix> = { transactional: "tx", broadcast: "bc", campaign: "cmp", test: "msg" };
/** Says nothing of the person: what is the same in every row, and how work is shared out. */
const INTERNAL = ["person_key", "workspace_id", "lease_id", "txid", "revision", "recallable"];

/**
 * Everything that is held of a person, as the text of one JSON object, a page at a time, so that a person of any size takes the memory
 * of one page. `person` comes first, then a list for each table that slices hold rows of people in.
 */
export async function* exportPerson(
  q: Queries,
  { slices }: Pick<ConnectedGround, "slices">,
  person: Profile,
  now: Date,
): AsyncGenerator<string> {
  const { person_key, workspace_id, preferences, ...profile } = person;
  yield `{"exported_at":${JSON.stringify(now)},"person":${JSON.stringify(profile)},"preferences":${JSON.stringify(preferences)}`;
  const whose: Whose = { workspaceId: workspace_id, personKey: person_key, addresses: addressesOf(person) };
  const tables = (await heldTables(q, slices.held)).filter(({ table }) => table !== "people");
  // What knows the person by an address or a delivery comes last.
  for (const one of [...tables.filter(({ shape }) => shape), ...tables.filter(({ shape }) => !shape)])
    yield* list(one, (after) => one.page(q, whose, { after, limit: PAGE }, one.shape));
  yield "}\n";
}

async function* list(
  { table, ids }: Held,
  page: (after: string[] | undefined) => Promise<Rows>,
): AsyncGenerator<string> {
  yield `,${JSON.stringify(table)}:[`;
  let after: string[] | undefined;
  for (let first = true; ; first = false) {
    const { rows, last, json } = await page(after);
    for (const [i, row] of rows.entries()) {
      if (!first || i > 0) yield ",";
      yield* written(ids, row, json);
    }
    if (rows.length < PAGE || !last) break;
    after = last;
  }
  yield "]";
}

/** Long values stay parts of their own: to put 20 MiB together takes 20 ms. */
function* written(ids: Held["ids"], row: Record<string, unknown>, json: Rows["json"]): Generator<string> {
  let text = "";
  for (const [name, value] of Object.entries(row)) {
    if (INTERNAL.includes(name)) continue;
    const prefix = name === "source_id" ? SOURCES[String(row.source)] : ids[name];
    const shown = prefix && typeof value === "string" ? encodeId(prefix, value) : value;
    const written = json.has(name) && typeof value === "string" ? value : JSON.stringify(shown);
    text += `${text === "" ? "{" : ","}${JSON.stringify(name)}:`;
    if (written.length > LONG) {
      yield text;
      yield written;
      text = " ";
    } else text += written;
  }
  yield `${text}}`;
}
