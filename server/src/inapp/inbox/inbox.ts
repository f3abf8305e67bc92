import type { InboxQuery } from "@tidings/contract/inapp/messages";
import { record } from "../../activity/index.ts";
import type { Db, Queries, Tx } from "../../platform/db/index.ts";
import { decodeCursor, Problem, page } from "../../platform/http/index.ts";
import { derivedId } from "../../platform/ids.ts";
import { personKey, type Workspace } from "../../workspaces/index.ts";
import { knownVersion, loadVersions, messageJson } from "../definition/version.ts";
import { statesOf } from "../delivery/store.ts";
import { QUEUED } from "../queue/queue.ts";
import { type CardRow, cards, markRead, unreadCards } from "./inbox-store.ts";

/**
 * The body of an inbox: live inbox cards, newest first. Expired ones are left out. Page rules, quiet hours, min_interval and
 * the workspace's cap decide what comes unasked; whoever opens the inbox asks, so they hide nothing here.
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
  await loadVersions(q, workspace.id, rows);
  const { data, next_cursor } = page(rows, limit, (row) => [row.queued_at.toISOString(), row.id], cardJson);
  const known = data.filter((json) => json !== undefined);
  return `{"data":[${known.join()}],"next_cursor":${JSON.stringify(next_cursor)},"unread_count":${unreadCount}}`;
}

/** A sync message with read_at behind it, as text: its content is JSON already. */
function cardJson(row: CardRow): string | undefined {
  const version = knownVersion(row.message_id, row.message_version);
  if (!version) return undefined;
  const message = messageJson(version, row.id, row.content, row.expires_at);
  return `${message.slice(0, -1)},"read_at":${JSON.stringify(row.read_at)}}`;
}

export interface Marked {
  status: string;
  recorded: boolean;
}

export interface Mark {
  workspaceId: string;
  personKey: string;
  id: string;
  as: "read" | "unread";
  /** The Idempotency-Key of a client that may repeat the call. */
  key: string | undefined;
  now: Date;
}

/** Marks a delivery as read or unread; once more changes nothing. @throws Problem delivery_not_found */
export async function mark(db: Db, asked: Mark): Promise<Marked> {
  const status = await db.transaction((tx) => marked(tx, asked)).catch(ifRepeated);
  if (status !== undefined) return { status, recorded: true };
  const [row] = await statesOf(db, [asked]);
  if (!row) throw notTheirs();
  return { status: row.status, recorded: false };
}

async function marked(tx: Tx, { workspaceId, personKey, id, as, key, now }: Mark): Promise<string | undefined> {
  const status = await markRead(tx, { personKey, id }, as === "read" ? now : null);
  if (status === undefined) return undefined;
  const entryId = key === undefined ? undefined : derivedId("interaction", id, `${as} ${key}`);
  const entry = { workspaceId, personKey, deliveryId: id, type: `in_app.${as}`, at: now };
  const fresh = await record(tx, [{ ...entry, ...(entryId && { id: entryId }) }]);
  // A repeat of an old "read" must not undo the "unread" that came between.
  if (entryId && !fresh.has(entryId)) throw new Repeated();
  // The bell in another tab, on another device, counts what is unread.
  tx.signal(QUEUED, [`${personKey}:${id}`]);
  return status;
}

class Repeated extends Error {}

function ifRepeated(error: unknown): undefined {
  if (!(error instanceof Repeated)) throw error;
}

/** 404 for a delivery of nobody or of another person: the same words. */
export const notTheirs = (): Problem =>
  new Problem(
    "delivery_not_found",
    "This person has no delivery with this id. Use delivery_id and person_id of the sync.",
  );
