import type { Queries } from "../../platform/db/index.ts";
import { encodeId, type Prefix } from "../../platform/ids.ts";
import { type ConnectedGround, type Held, heldTables, type Rows, type Whose } from "../../workspaces/index.ts";
import type { Profile } from "../profile/store.ts";
import { addressesOf } from "./erase.ts";

/** The rows in memory at once: an event has at most 32 KiB, a queued message with its attachments at most 20 MiB. */
const BATCH = 20;
/** A value of more characters than this is not copied into the text around it. */
const LONG = 64 * 1024;

const SOURCES: Record<string, Prefix> = { transactional: "tx", broadcast: "bc", campaign: "cmp", test: "msg" };
/** Columns that say nothing about the person: they are the same in every row, or belong to the sharing of work. */
const INTERNAL = [
  "person_key",
  "workspace_id",
  "lease_id",
  "txid",
  "queued_txid",
  "expired_txid",
  "revision",
  "recallable",
];

/**
 * Yields everything that is stored about a person as the text of one JSON object, in batches of rows: a person of any size takes the
 * memory of one batch. `person` comes first, then a list for each table in which slices hold rows of people.
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
  // Tables that know the person by an address or a delivery come last.
  for (const one of [...tables.filter(({ shape }) => shape), ...tables.filter(({ shape }) => !shape)])
    yield* list(one, (after) => one.page(q, whose, { after, limit: BATCH }, one.shape));
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
      yield* rowText(ids, row, json);
    }
    if (rows.length < BATCH || !last) break;
    after = last;
  }
  yield "]";
}

/** Writes an id, or each id of a list. */
const withPrefix = (prefix: Prefix, value: unknown): unknown =>
  Array.isArray(value)
    ? value.map((one) => withPrefix(prefix, one))
    : typeof value === "string"
      ? encodeId(prefix, value)
      : value;

/** Yields the text of one row, `{}` for one that says only whose it is. A long value is yielded by itself: to copy 20 MiB takes 20 ms. */
function* rowText(ids: Held["ids"], row: Record<string, unknown>, json: Rows["json"]): Generator<string> {
  let text = "{";
  let between = "";
  for (const [name, value] of Object.entries(row)) {
    if (INTERNAL.includes(name)) continue;
    const prefix = name === "source_id" ? SOURCES[String(row.source)] : ids[name];
    const shown = prefix ? withPrefix(prefix, value) : value;
    const written = json.has(name) && typeof value === "string" ? value : JSON.stringify(shown);
    text += `${between}${JSON.stringify(name)}:`;
    between = ",";
    if (written.length > LONG) {
      yield text;
      yield written;
      text = "";
    } else text += written;
  }
  yield `${text}}`;
}
