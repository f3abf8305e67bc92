import { ActivityList, DeliveryDetail, DeliveryList, DeliveryQuery } from "@tidings/contract/activity";
import { ListQuery, PersonId } from "@tidings/contract/primitives";
import { Type } from "typebox";
import type { Ground } from "../platform/ground.ts";
import { type App, decodeCursor, notFound, Problem, page } from "../platform/http/index.ts";
import { decodeId, encodeId, type Prefix } from "../platform/ids.ts";
import { personKey } from "../workspaces/index.ts";
import { type DeliveryRow, deliveries, delivery, ofDelivery, ofPerson, personExists } from "./store.ts";

/** Message activity (/deliveries) and the log of one person. */
export function product(app: App, ground: Ground): void {
  const { db } = ground;

  app.get(
    "/deliveries",
    {
      schema: {
        summary: "Message activity, newest first",
        tags: ["activity"],
        querystring: DeliveryQuery,
        response: { 200: DeliveryList },
      },
    },
    async (request) => {
      const { workspace } = request.caller;
      const { limit = 50, cursor, person_id } = request.query;
      const key = person_id === undefined ? undefined : personKey(workspace.id, person_id);
      const rows = await deliveries(
        db,
        workspace.id,
        { ...request.query, source_id: sourceOf(request.query.source_id) },
        key,
        decodeCursor(cursor, "instant", "uuid"),
        limit + 1,
      );
      return page(rows, limit, (row) => [row.queued_at.toISOString(), row.id], shape);
    },
  );

  app.get(
    "/deliveries/:id",
    {
      schema: {
        summary: "One delivery with its events",
        tags: ["activity"],
        params: Type.Object({ id: Type.String() }),
        response: { 200: DeliveryDetail },
      },
    },
    async (request) => {
      const id = decodeId("dlv", request.params.id);
      const row = id && (await delivery(db, request.caller.workspace.id, id));
      if (!row) throw notFound("delivery");
      const events = await ofDelivery(db, row.person_key, row.id);
      return {
        ...shape(row),
        content: row.content ?? null,
        events: events.map(({ type, at, data }) => ({ type, at: at.toISOString(), data })),
      };
    },
  );

  app.get(
    "/people/:person_id/activity",
    {
      schema: {
        summary: "What happened to one person, newest first",
        tags: ["activity"],
        params: Type.Object({ person_id: PersonId }),
        querystring: Type.Object(ListQuery),
        response: { 200: ActivityList },
      },
    },
    async (request) => {
      const { limit = 50, cursor } = request.query;
      const key = personKey(request.caller.workspace.id, request.params.person_id);
      const rows = await ofPerson(db, key, decodeCursor(cursor, "instant", "uuid"), limit + 1);
      if (rows.length === 0 && !(await personExists(db, key))) {
        throw new Problem("person_not_found", "The workspace knows no person with this person_id.");
      }
      return page(
        rows,
        limit,
        (row) => [row.at.toISOString(), row.id],
        (row) => ({
          id: encodeId("act", row.id),
          type: row.type,
          at: row.at.toISOString(),
          delivery_id: row.delivery_id && encodeId("dlv", row.delivery_id),
          data: row.data,
        }),
      );
    },
  );
}

const SOURCE_PREFIX: Record<DeliveryRow["source"], Prefix> = {
  transactional: "tx",
  broadcast: "bc",
  campaign: "cmp",
  test: "msg",
};
/** An id of any kind of source. One that is none names no delivery: the list is empty, as for an unknown one. */
function sourceOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const found = Object.values(SOURCE_PREFIX).map((prefix) => decodeId(prefix, text));
  return found.find((id) => id !== undefined) ?? NO_SOURCE;
}
const NO_SOURCE = "00000000-0000-0000-0000-000000000000";

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;

const shape = (row: DeliveryRow) => ({
  id: encodeId("dlv", row.id),
  person_id: row.person_id,
  channel: row.channel,
  source: row.source,
  source_id: row.source_id && encodeId(SOURCE_PREFIX[row.source], row.source_id),
  variant: row.variant,
  message_id: row.message_id && encodeId("msg", row.message_id),
  status: row.status,
  reason: row.reason,
  recipient: row.recipient,
  priority: row.priority,
  queued_at: row.queued_at.toISOString(),
  due_at: iso(row.due_at),
  sent_at: iso(row.sent_at),
  delivered_at: iso(row.delivered_at),
  bounced_at: iso(row.bounced_at),
  complained_at: iso(row.complained_at),
  unsubscribed_at: iso(row.unsubscribed_at),
  shown_at: iso(row.shown_at),
  opened_at: iso(row.opened_at),
  clicked_at: iso(row.clicked_at),
  dismissed_at: iso(row.dismissed_at),
  expires_at: iso(row.expires_at),
  impressions: row.impressions,
  attempts: row.attempts,
  provider: row.provider,
  provider_message_id: row.provider_message_id,
});
