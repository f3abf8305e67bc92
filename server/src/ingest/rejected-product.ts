import {
  Rejected,
  RejectedCounts,
  RejectedCountsQuery,
  RejectedList,
  RejectedQuery,
} from "@tidings/contract/facts/ingest";
import { Type } from "typebox";
import { personKey } from "../people/index.ts";
import type { Ground } from "../platform/ground.ts";
import { type App, decodeCursor, notFound, page } from "../platform/http/index.ts";
import { decodeId, encodeId } from "../platform/ids.ts";
import { inListTurns } from "../platform/resources/interactive.ts";
import { workspaceOf } from "../workspaces/index.ts";
import { countsOf, rejectedById, rejectedOf, type RejectedRow } from "./rejections-store.ts";

const tags = ["events"];
const DAY_MS = 86_400_000;

/** GET /ingestion/rejected and its counts: the data that ingestion refused, and why. */
export function rejectedRoutes(app: App, ground: Ground): void {
  app.get(
    "/ingestion/rejected",
    {
      schema: {
        summary: "List data that ingestion refused or ignored, newest first, with the reason",
        tags,
        querystring: RejectedQuery,
        response: { 200: RejectedList },
      },
    },
    async (request) => {
      const { limit = 50, cursor, person_id } = request.query;
      const workspaceId = workspaceOf(request);
      const key = person_id === undefined ? undefined : personKey(workspaceId, person_id);
      const before = decodeCursor(cursor, "uuid")?.[0];
      const rows = await rejectedOf(inListTurns(ground, workspaceId), workspaceId, {
        ...request.query,
        personKey: key,
        before,
        limit: limit + 1,
      });
      return page(rows, limit, ({ id }) => [id], shape);
    },
  );

  app.get(
    "/ingestion/rejected/:id",
    {
      schema: {
        operationId: "getRejectedItem",
        summary: "Get one item that ingestion refused or ignored",
        tags,
        params: Type.Object({ id: Type.String() }),
        response: { 200: Rejected },
      },
    },
    async (request) => {
      const id = decodeId("rej", request.params.id);
      const row = id && (await rejectedById(ground.db, workspaceOf(request), id));
      if (!row) throw notFound("item that was refused");
      return shape(row);
    },
  );

  app.get(
    "/ingestion/rejected/counts",
    {
      schema: {
        summary: "Count what ingestion refused or ignored, by route and code",
        tags,
        querystring: RejectedCountsQuery,
        response: { 200: RejectedCounts },
      },
    },
    async (request) => {
      const since = request.query.since ?? new Date(ground.clock.now().getTime() - DAY_MS).toISOString();
      const workspaceId = workspaceOf(request);
      const counts = await countsOf(inListTurns(ground, workspaceId), workspaceId, new Date(since));
      return {
        since: new Date(since).toISOString(),
        rejected: counts.reduce((sum, { rejected }) => sum + rejected, 0),
        data: counts.map((row) => ({ ...row, last_at: row.last_at.toISOString() })),
      };
    },
  );
}

const shape = ({ id, at, workspace_id: _workspace, person_key: _key, ...row }: RejectedRow) => ({
  ...row,
  id: encodeId("rej", id),
  at: at.toISOString(),
});
