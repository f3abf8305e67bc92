import {
  CatalogAttributeList,
  CatalogEventDetail,
  CatalogEventList,
  type CatalogField,
  CatalogQuery,
} from "@tidings/contract/facts/catalog";
import { Line } from "@tidings/contract/primitives";
import { Type } from "typebox";
import type { Ground } from "../platform/ground.ts";
import { type App, decodeCursor, notFound, page } from "../platform/http/index.ts";
import { inListTurns } from "../platform/resources/interactive.ts";
import { MOST_PROPERTIES } from "./limits.ts";
import { typesIn } from "./names.ts";
import { type Sample, sampleEvents, samplePeople } from "./sample-store.ts";
import {
  type EventRow,
  eventByName,
  type FieldRow,
  isFullOfEvents,
  isFullOfFields,
  listEvents,
  listFields,
} from "./store.ts";
import { shownValues } from "./values.ts";

const tags = ["catalog"];

/** /catalog: the names of events, their properties and people's attributes, which an editor offers. */
export function product(app: App, ground: Ground): void {
  eventRoutes(app, ground);
  app.get(
    "/catalog/attributes",
    {
      schema: {
        summary: "List the attributes of people, by name, with their common values",
        tags,
        querystring: CatalogQuery,
        response: { 200: CatalogAttributeList },
      },
    },
    async (request) => {
      const { limit = 50, cursor, q: part } = request.query;
      const after = decodeCursor(cursor, "text");
      const { id: workspaceId } = request.caller.workspace;
      const q = inListTurns(ground, workspaceId);
      const rows = await listFields(q, workspaceId, "", { like: likeOf(part), after, limit: limit + 1 });
      const sample = await samplePeople(q, workspaceId, namesOf(rows));
      return {
        ...page(rows, limit, (row) => [row.name], shapeField(sample)),
        full: await isFullOfFields(q, workspaceId, ""),
        sample: sample.rows,
      };
    },
  );
}

function eventRoutes(app: App, ground: Ground): void {
  app.get(
    "/catalog/events",
    {
      schema: {
        summary: "List the names of recorded events",
        tags,
        querystring: CatalogQuery,
        response: { 200: CatalogEventList },
      },
    },
    async (request) => {
      const { limit = 50, cursor, q: part } = request.query;
      const after = decodeCursor(cursor, "text");
      const { id: workspaceId } = request.caller.workspace;
      const q = inListTurns(ground, workspaceId);
      const names = { like: likeOf(part), after, limit: limit + 1 };
      const rows = await listEvents(q, workspaceId, names, ground.clock.now());
      return {
        ...page(rows, limit, (row) => [row.name], shapeEvent),
        full: await isFullOfEvents(q, workspaceId),
      };
    },
  );

  app.get(
    "/catalog/events/:name",
    {
      schema: {
        summary: "Show an event of the catalog with its properties and their common values",
        tags,
        params: Type.Object({ name: Line(200, { minLength: 1 }) }),
        response: { 200: CatalogEventDetail },
      },
    },
    async (request) => {
      const { name } = request.params;
      const { id: workspaceId } = request.caller.workspace;
      const q = inListTurns(ground, workspaceId);
      const event = await eventByName(q, workspaceId, name, ground.clock.now());
      if (!event) throw notFound("event in the catalog");
      const all = { like: undefined, after: undefined, limit: MOST_PROPERTIES };
      const rows = await listFields(q, workspaceId, name, all);
      const sample = await sampleEvents(q, workspaceId, name, namesOf(rows));
      return {
        ...shapeEvent(event),
        properties: rows.map(shapeField(sample)),
        full: await isFullOfFields(q, workspaceId, name),
        sample: sample.rows,
      };
    },
  );
}

const likeOf = (part: string | undefined): string | undefined =>
  part ? `%${part.replace(/[\\%_]/g, "\\$&")}%` : undefined;

const namesOf = (rows: FieldRow[]): string[] => rows.map(({ name }) => name);

const seen = ({ name, first_seen, last_seen }: Pick<EventRow, "name" | "first_seen" | "last_seen">) => ({
  name,
  first_seen: first_seen.toISOString(),
  last_seen: last_seen.toISOString(),
});

const shapeEvent = (row: EventRow) => ({ ...seen(row), recent_count: row.recent });

const shapeField =
  ({ fields }: Sample) =>
  (row: FieldRow): CatalogField => {
    const field = fields.get(row.name);
    return {
      ...seen(row),
      types: typesIn(row.types),
      people: field?.people ?? 0,
      values: field ? shownValues(field) : [],
    };
  };
