import type { InboxQuery } from "@tidings/contract/inapp/messages";
import { record } from "../../activity/index.ts";
import type { Db, Queries, Tx } from "../../platform/db/index.ts";
import { decodeCursor, Problem, page } from "../../platform/http/index.ts";
import { derivedId } from "../../platform/ids.ts";
import { personKey, type Workspace } from "../../workspaces/index.ts";
import { loadVersions, type Versioned } from "../definition/compiled.ts";
import { messageJson } from "../definition/version.ts";
import { statesOf } from "../delivery/store.ts";
import { QUEUED } from "../queue/queue.ts";
import { type CardRow, cards, markRead, unreadCards } from "./inbox-store.ts";

/**
 * Returns the body of an inbox: live inbox cards, newest first, without expired ones. Screens, quiet hours, min_interval and the
 * workspace's cap decide which messages appear unasked; a person opens the inbox on purpose, so they hide nothing here.
 * @throws Problem invalid_request for a cursor that is none
 */
export async function inbox(q: Queries, workspace: Workspace, query: InboxQuery, now: Date): Promise<string> {
  const { limit = 50, cursor, unread } = query;
  const key = personKey(workspace.id, query.person_id);
  const before = decodeCursor(cursor, "instant", "uuid");
  const [rows, unreadCount] = await Promise.all([
    cards(q, { personKey: key, now, unreadOnly: unread === "true", before, limit: limit + 1 }),
    unreadCards(q, key, now),
  ]);
  const versions = await loadVersions(q, workspace.id, rows);
  const found = rows.map((row, i) => ({ row, version: versions[i] }));
  const { data, next_cursor } = page(found, limit, ({ row }) => [row.queued_at.toISOString(), row.id], cardJson);
  const cardsJson = data.filter((json) => json !== undefined);
  return `{"data":[${cardsJson.join()}],"next_cursor":${JSON.stringify(next_cursor)},"unread_count":${unreadCount}}`;
}

/** The JSON of a card: a sync message and its read_at, joined as text because the content is JSON already. */
function cardJson({ row, version }: Versioned<CardRow>): string | undefined {
  if (!version) return undefined;
  const message = messageJson(version, row.id, row.content, row.expires_at);
  return `${message.slice(0, -1)},"read_at":${JSON.stringify(row.read_at)}}`;
}

export interface MarkResult {
  status: string;
  recorded: boolean;
}

export interface MarkRequest {
  workspaceId: string;
  personKey: string;
  id: string;
  as: "read" | "unread";
  /** The Idempotency-Key of a client that may repeat the call. */
  key: string | undefined;
  now: Date;
}

/** Marks a delivery as read or unread; a repeat changes nothing. @throws Problem delivery_not_found */
export async function mark(db: Db, request: MarkRequest): Promise<MarkResult> {
  const status = await db.transaction((tx) => markOnce(tx, request)).catch(ifRepeated);
  if (status !== undefined) return { status, recorded: true };
  const [row] = await statesOf(db, [request]);
  if (!row) throw deliveryNotFound();
  return { status: row.status, recorded: false };
}

/** Returns the delivery's status, or undefined where nothing changes. @throws Repeated */
async function markOnce(
  tx: Tx,
  { workspaceId, personKey, id, as, key, now }: MarkRequest,
): Promise<string | undefined> {
  const status = await markRead(tx, { personKey, id }, as === "read" ? now : null);
  if (status === undefined) return undefined;
  const entryId = key === undefined ? undefined : derivedId("interaction", id, `${as} ${key}`);
  const entry = { workspaceId, personKey, deliveryId: id, type: `in_app.${as}`, at: now };
  const fresh = await record(tx, [{ ...entry, ...(entryId && { id: entryId }) }]);
  // A repeat of an old "read" must not undo an "unread" that came after it.
  if (entryId && !fresh.has(entryId)) throw new Repeated();
  // Other tabs and devices of the person show how many cards are unread.
  tx.signal(QUEUED, [`${personKey}:${id}`]);
  return status;
}

class Repeated extends Error {}

function ifRepeated(error: unknown): undefined {
  if (!(error instanceof Repeated)) throw error;
}

/** The 404 for a delivery that does not exist or belongs to another person: both get the same text. */
export const deliveryNotFound = (): Problem =>
  new Problem(
    "delivery_not_found",
    "This person has no delivery with this id. Use delivery_id and person_id of the sync.",
  );
