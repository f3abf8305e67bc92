import {
  Breakdown,
  BreakdownExportQuery,
  BreakdownQuery,
  Series,
  SeriesQuery,
} from "@tidings/contract/facts/analytics";
import type { Queries } from "../platform/db/index.ts";
import type { App } from "../platform/http/index.ts";
import { interactiveQuery } from "../platform/resources/interactive.ts";
import { sendFile } from "../platform/transfer/export-file.ts";
import type { ConnectedGround, Workspace } from "../workspaces/index.ts";
import { breakdownOf, periodOf } from "./breakdown.ts";
import { breakdownLines, seriesLines } from "./export.ts";
import { seriesOf } from "./series.ts";

const tags = ["analytics"];

/** The routes of /analytics: numbers over time, and by channel or source; each also as CSV. */
export function product(app: App, ground: ConnectedGround): void {
  const series = (workspace: Workspace, query: SeriesQuery): Promise<Series> =>
    interactiveQuery(ground, workspace.id, (db) => seriesOf(db, workspace, query, ground.clock.now()));

  app.get(
    "/analytics",
    {
      schema: {
        summary: "Show the numbers by the hour or day, in the workspace's time zone",
        tags,
        querystring: SeriesQuery,
        response: { 200: Series },
      },
    },
    (request) => series(request.caller.workspace, request.query),
  );

  app.get(
    "/analytics/export",
    {
      schema: { summary: "Export the numbers by the hour or day as CSV", tags, querystring: SeriesQuery },
    },
    async (request, reply) => {
      const { query } = request;
      const { workspace } = request.caller;
      const found = await series(workspace, query);
      const pages = () => seriesLines(found, query.by);
      return sendFile(ground, reply, workspace.id, { name: "analytics.csv", pages });
    },
  );

  app.get(
    "/analytics/metrics",
    {
      schema: {
        summary: "Show the numbers of the workspace, in all and by channel, kind of source or source",
        tags,
        querystring: BreakdownQuery,
        response: { 200: Breakdown },
      },
    },
    (request) => {
      const { limit = 50, ...query } = request.query;
      const { id } = request.caller.workspace;
      return interactiveQuery(ground, id, (db) =>
        breakdownOf(db, id, { query, limit, namesOf: ground.slices.namesOf }),
      );
    },
  );

  app.get(
    "/analytics/metrics/export",
    {
      schema: { summary: "Export the numbers of the workspace as CSV", tags, querystring: BreakdownExportQuery },
    },
    (request, reply) => {
      // Checked here, because an error can't be sent after the file has begun.
      periodOf(request.query);
      const { id } = request.caller.workspace;
      const pages = (q: Queries) => breakdownLines(q, id, request.query, ground.slices.namesOf);
      return sendFile(ground, reply, id, { name: "metrics.csv", pages });
    },
  );
}
