import type { Queries } from "../../platform/db/index.ts";
import { encodeId, type Prefix } from "../../platform/ids.ts";
import { nextTurn, turnIsOver } from "../../platform/turns.ts";
import type { Profile } from "../profile/store.ts";
import { addressesOf } from "./erase.ts";
import { capturesOf, suppressionsOf } from "./export-store.ts";
import { personTables, rowsOf } from "./tables-store.ts";

/** Rows held in memory at once: an event has 32 KiB, a message that waits with its attachments 20 MiB at most. */
const PAGE = 20;

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

async function* list(
  name: string,
  page: (after: string[] | undefined) => Promise<{ rows: Record<string, unknown>[]; last: string[] | undefined }>,
): AsyncGenerator<string> {
  yield `,${JSON.stringify(name)}:[`;
  let after: string[] | undefined;
  for (let first = true; ; first = false) {
    const { rows, last } = await page(after);
    for (const [i, row] of rows.entries()) {
      while (turnIsOver()) await nextTurn();
      yield `${first && i === 0 ? "" : ","}${JSON.stringify(readable(name, row))}`;
    }
    if (rows.length < PAGE) break;
    after = last;
  }
  yield "]";
}

function readable(table: string, row: Record<string, unknown>): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(row)) {
    if (INTERNAL.includes(name)) continue;
    const prefix = name === "source_id" ? SOURCES[String(row.source)] : PREFIXES[table]?.[name];
    shown[name] = prefix && typeof value === "string" ? encodeId(prefix, value) : value;
  }
  return shown;
}
