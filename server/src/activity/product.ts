import {
  ActivityList,
  ActivityQuery,
  DeliveryDetail,
  type DeliveryExportQuery,
  DeliveryList,
  Timeline,
  TimelineQuery,
} from "@tidings/contract/facts/activity";
import { PersonId } from "@tidings/contract/primitives";
import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { type App, decodeCursor, notFound, Problem, page, sendJson } from "../platform/http/index.ts";
import { decodeId } from "../platform/ids.ts";
import { holdTurn } from "../platform/limits/hold-turn.ts";
import { inListTurns, interactiveQuery } from "../platform/resources/interactive.ts";
import type { ListRequest } from "../platform/resources/list-route.ts";
import { searched } from "../platform/resources/search.ts";
import { sortedBy } from "../platform/resources/sorts.ts";
import { inExportTurns } from "../platform/transfer/export-file.ts";
import { inTurns } from "../platform/turns.ts";
import { type ConnectedGround, personKey } from "../workspaces/index.ts";
import { searchOf, statusCounts } from "./deliveries/search.ts";
import { filterOf, shape, withNames } from "./deliveries/delivery-view.ts";
import { entriesFilterOf, entryView, logOfPerson, timelineView } from "./entry-view.ts";
import { exportRoutes } from "./export-product.ts";
import { type DeliveryRow, listDeliveries } from "./deliveries/list-store.ts";
import { recentRoutes } from "./recent-product.ts";
import {
  contentOf,
  deliveryById,
  type EntryPage,
  type EntryRow,
  type EventRow,
  entriesOfDeliveries,
  personExists,
} from "./store.ts";

/** Message activity (/deliveries) and the log of one person. */
export function product(app: App, ground: ConnectedGround): void {
  const { db } = ground;
  const { namesOf } = ground.slices;

  app.get(
    "/deliveries",
    {
      schema: {
        summary: "List deliveries, newest first",
        tags: ["activity"],
        querystring: DeliveryList.query,
        response: { 200: DeliveryList.answer },
      },
    },
    async (request, reply) => {
      const { workspace } = request.caller;
      const { limit = 50, cursor, sort, q: typed, counts, include, ...query } = request.query as ListRequest;
      const q = inListTurns(ground, workspace.id);
      const sorted = sortedBy(DeliveryList, { sort, cursor }, () => ["instant", "uuid"]);
      const search = await searchOf(q, workspace.id, searched(typed));
      const filter = { ...filterOf(workspace.id, query as DeliveryExportQuery), search };
      const counted = counts
        ? interactiveQuery(ground, workspace.id, (db) => statusCounts(db, workspace.id, filter))
        : undefined;
      const listed = listDeliveries(q, workspace.id, { filter, ...sorted, limit: limit + 1 });
      const [rows, numbers] = await Promise.all([listed, counted]);
      const rest = numbers && { counts: numbers };
      const events = include === "events" ? await entriesOfDeliveries(q, rows.slice(0, limit)) : undefined;
      const key = (row: DeliveryRow) => sorted.cursorOf([row.queued_at.toISOString(), row.id]);
      const { data, next_cursor } = page(rows, limit, key, shape);
      const named = await withNames(q, workspace.id, { namesOf, shown: data });
      if (!events) return { data: named, next_cursor, ...rest } as never;
      const texts: string[] = [];
      for (const [i, delivery] of named.entries())
        texts.push(await withEvents(delivery, events.get(rows[i]?.id ?? "") ?? []));
      return sendJson(reply, `{"data":[${texts.join(",")}],${JSON.stringify({ next_cursor, ...rest }).slice(1)}`);
    },
  );

  app.get(
    "/deliveries/:id",
    {
      schema: {
        summary: "Get a delivery with its events",
        tags: ["activity"],
        params: Type.Object({ id: Type.String() }),
        response: { 200: DeliveryDetail },
      },
    },
    async (request, reply) => {
      const id = decodeId("dlv", request.params.id);
      const { id: workspaceId } = request.caller.workspace;
      const row = id && (await deliveryById(db, workspaceId, id));
      if (!row) throw notFound("delivery");
      const events = (await entriesOfDeliveries(db, [row])).get(row.id) ?? [];
      const [delivery] = await withNames(db, workspaceId, { namesOf, shown: [shape(row)] });
      const rest = await withEvents(delivery as object, events);
      let { content } = row;
      if (row.large) {
        await holdTurn(ground.shares.contents, workspaceId, reply);
        content = await contentOf(inExportTurns(ground, workspaceId), row);
      }
      return sendJson(reply, `${rest.slice(0, -1)},"content":`, content ?? "null", "}");
    },
  );

  recentRoutes(app, ground);
  logRoutes(app, ground);
  exportRoutes(app, ground);
}

/** A person's log, and the time line with all that is known of a person. */
function logRoutes(app: App, ground: ConnectedGround): void {
  const params = Type.Object({ person_id: PersonId });

  /** @throws Problem person_not_found */
  async function rowsOf(request: FastifyRequest, personId: string, { filter, before, limit }: EntryPage) {
    const { id: workspaceId } = request.caller.workspace;
    const q = inListTurns(ground, workspaceId);
    const key = personKey(workspaceId, personId);
    const rows = await logOfPerson(q, ground.slices.logOf, key, { filter, before, limit });
    if (rows.length === 0 && !(await personExists(q, key)))
      throw new Problem("person_not_found", "The workspace knows no person with this person_id.");
    return rows;
  }
  const position = (row: EntryRow) => [row.at.toISOString(), row.id];

  app.get(
    "/people/:person_id/activity",
    {
      schema: {
        summary: "Show the log of a person, newest first",
        tags: ["activity"],
        params,
        querystring: ActivityQuery,
        response: { 200: ActivityList },
      },
    },
    async (request) => {
      const { limit = 50, cursor, ...query } = request.query;
      const before = decodeCursor(cursor, "instant", "uuid");
      const asked = { filter: entriesFilterOf(query), before, limit: limit + 1 };
      return page(await rowsOf(request, request.params.person_id, asked), limit, position, entryView);
    },
  );

  app.get(
    "/people/:person_id/timeline",
    {
      schema: {
        summary: "Show all that happened to a person in one order, newest first",
        tags: ["activity"],
        params,
        querystring: TimelineQuery,
        response: { 200: Timeline },
      },
    },
    async (request) => {
      const { limit = 50, cursor, types, ...time } = request.query;
      const before = decodeCursor(cursor, "instant", "uuid");
      const filter = { ...entriesFilterOf(time), types: types?.split(",").map((type) => type.trim()) };
      const rows = await rowsOf(request, request.params.person_id, { filter, before, limit: limit + 1 });
      const { data, next_cursor } = page(rows, limit, position, timelineView);
      const { id: workspaceId } = request.caller.workspace;
      const { namesOf } = ground.slices;
      const named = await withNames(inListTurns(ground, workspaceId), workspaceId, { namesOf, shown: data });
      return { data: named, next_cursor };
    },
  );
}

/** Returns the JSON of a delivery with its events, in turns with other requests: 10,000 clicks take 40 ms. */
async function withEvents(delivery: object, events: EventRow[]): Promise<string> {
  const texts = await inTurns(events, (event) => JSON.stringify(eventView(event)));
  return `${JSON.stringify(delivery).slice(0, -1)},"events":[${texts.join(",")}]}`;
}

const eventView = ({ type, at, data }: EventRow) => ({ type, at: at.toISOString(), data });
