import { Breakdown, BreakdownExportQuery, BreakdownQuery, Series, SeriesQuery } from "@tidings/contract/analytics";
import { csvFile } from "../platform/csv-file.ts";
import type { Ground } from "../platform/ground.ts";
import { type App, decodeCursor } from "../platform/http/index.ts";
import { breakdownOf, periodOf } from "./breakdown.ts";
import { breakdownLines, seriesLines } from "./export.ts";
import { seriesOf } from "./series.ts";

const tags = ["analytics"];

/** /analytics: numbers over time, and by what they come from; each as CSV too. */
export function product(app: App, { db, workDb, clock }: Ground): void {
  app.get(
    "/analytics",
    {
      schema: {
        summary: "What happened by the hour or day, in the workspace's time zone",
        tags,
        querystring: SeriesQuery,
        response: { 200: Series },
      },
    },
    (request) => seriesOf(db, request.caller.workspace, request.query, clock.now()),
  );

  app.get(
    "/analytics/export",
    {
      schema: { summary: "What happened by the hour or day, as CSV", tags, querystring: SeriesQuery },
    },
    async (request, reply) => {
      const series = await seriesOf(db, request.caller.workspace, request.query, clock.now());
      return csvFile(reply, "analytics", seriesLines(series, request.query.by));
    },
  );

  app.get(
    "/analytics/metrics",
    {
      schema: {
        summary: "The numbers of the workspace, in all and by channel, kind of source or source",
        tags,
        querystring: BreakdownQuery,
        response: { 200: Breakdown },
      },
    },
    (request) => {
      const { limit = 50, cursor, ...query } = request.query;
      const after = decodeCursor(cursor, "uuid", "text");
      return breakdownOf(db, request.caller.workspace.id, query, after, limit);
    },
  );

  app.get(
    "/analytics/metrics/export",
    {
      schema: { summary: "The numbers of the workspace, as CSV", tags, querystring: BreakdownExportQuery },
    },
    (request, reply) => {
      // Asked here, because a refusal can't be sent once the file has begun.
      periodOf(request.query);
      return csvFile(reply, "metrics", breakdownLines(workDb, request.caller.workspace.id, request.query));
    },
  );
}
