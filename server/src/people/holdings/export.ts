import type { Queries } from "../../platform/db/index.ts";
import { encodeId, type Prefix } from "../../platform/ids.ts";
import type { Profile } from "../profile/store.ts";
import { addressesOf } from "./erase.ts";
import { capturesOf, suppressionsOf } from "./export-store.ts";
import { personTables, type Rows, rowsOf } from "./tables-store.ts";

/** Rows held in memory at once: an event has 32 KiB, a message that waits with its attachments 20 MiB at most. */
const PAGE = 20;
/** Characters of a value that is not copied into the text around it. */
const LONG = 64 * 1024;

/** How each table's ids are written. A table that is not named here is exported with bare ones. */
const PREFIXES: Record<string, Record<string, Prefix>> = {
  devices: { id: "dev" },
  events: { id: "evt" },
  deliveries: { id: "dlv", message_id: "msg", topic_id: "top" },
  in_app_counts: { message_id: "msg" },
  activity: { id: "act", delivery_id: "dlv" },
  webhook_deliveries: { event_id: "act", webhook_id: "whk" },
  audience_members: { audience_id: "aud" },
  outbox: { id: "out", delivery_id: "dlv" },
};
const SOURCES: Record<string, Prefix> = { transactional: "tx", broadcast: "bc", campaign: "cmp", test: "msg" };
/** Says nothing of the person: what is the same in every row, and how work is shared out. */
const INTERNAL = ["person_key", "workspace_id", "lease_id", "txid", "revision", "recallable"];

/**
 * Everything that the tables hold of a person, as the text of one JSON object, a page at a time, so that a person of any size
 * takes the memory of one page. `person` comes first, then a list for each table that has rows of people.
 */
export async function* exportPerson(q: Queries, person: Profile, now: Date): AsyncGenerator<string> {
  const { person_key, workspace_id, preferences, ...profile } = person;
  yield `{"exported_at":${JSON.stringify(now)},"person":${JSON.stringify(profile)},"preferences":${JSON.stringify(preferences)}`;
  for (const table of await personTables(q)) {
    if (table.name === "people") continue;
    yield* list(table.name, (after) => rowsOf(q, table, person_key, after, PAGE));
  }
  yield* list("outbox", (after) => capturesOf(q, workspace_id, person_key, after, PAGE));
  yield `,"suppressions":${JSON.stringify(await suppressionsOf(q, workspace_id, addressesOf(person)))}}\n`;
}

async function* list(name: string, page: (after: string[] | undefined) => Promise<Rows>): AsyncGenerator<string> {
  yield `,${JSON.stringify(name)}:[`;
  let after: string[] | undefined;
  for (let first = true; ; first = false) {
    const { rows, last, json } = await page(after);
    for (const [i, row] of rows.entries()) {
      if (!first || i > 0) yield ",";
      yield* written(name, row, json);
    }
    if (rows.length < PAGE) break;
    after = last;
  }
  yield "]";
}

/** Long values stay parts of their own: to put 20 MiB together takes 20 ms. */
function* written(table: string, row: Record<string, unknown>, json: Rows["json"]): Generator<string> {
  let text = "";
  for (const [name, value] of Object.entries(row)) {
    if (INTERNAL.includes(name)) continue;
    const prefix = name === "source_id" ? SOURCES[String(row.source)] : PREFIXES[table]?.[name];
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
