import { MetricsByVariant, MetricsQuery } from "@tidings/contract/facts/activity";
import { Preflight, TestSend, TestSent } from "@tidings/contract/messages/sendings";
import { JsonObject } from "@tidings/contract/primitives";
import { Type } from "typebox";
import { askedFor, metricsByVariant, metricsOf, numberRoutes } from "../analytics/index.ts";
import type { OutboundGround } from "../outbound/index.ts";
import type { Queries } from "../platform/db/index.ts";
import { type App, notFound } from "../platform/http/index.ts";
import { encodeId } from "../platform/ids.ts";
import { creating } from "../platform/resources/idempotency.ts";
import { interactiveQuery } from "../platform/resources/interactive.ts";
import { preflight, previewSending, sendTest, type TryOut } from "../sendings/index.ts";
import { membersOf } from "./definition/audience.ts";
import { sendingOf } from "./definition/sending.ts";
import { type BroadcastRow, byId } from "./definition/store.ts";

const params = Type.Object({ id: Type.String() });
const tags = ["broadcasts"];

export interface BroadcastPath {
  /** The path of one broadcast, with `:id`. */
  path: string;
  /** Decodes that id. @throws Problem not_found */
  idOf(text: string): string;
}

const tryOut = ({ person_id, variant, locale }: TestSend): TryOut => ({
  personId: person_id,
  variant,
  locale,
});

/** The routes that show a broadcast before it is sent, and its metrics. */
export function inspectRoutes(app: App, ground: OutboundGround, at: BroadcastPath): void {
  tryRoutes(app, ground, at);
  numberRoutes(app, ground, {
    ...at,
    tag: "broadcasts",
    noun: "broadcast",
    find: byId,
    metrics: {
      summary: "Show the numbers of its deliveries",
      query: MetricsQuery,
      answer: MetricsByVariant,
      async of(q, { row }, query) {
        const filter = askedFor(query);
        if (row.variants === null) return metricsOf(q, row.workspace_id, row.id, filter);
        const names = row.variants.map(({ name }) => name);
        return metricsByVariant(q, row.workspace_id, { sourceId: row.id, filter, names });
      },
    },
  });
}

/** @throws Problem not_found */
async function theBroadcast(q: Queries, workspaceId: string, id: string): Promise<BroadcastRow> {
  const row = await byId(q, workspaceId, id);
  if (!row) throw notFound("broadcast");
  return row;
}

/** What it would do: nothing of it reaches the audience. */
function tryRoutes(app: App, ground: OutboundGround, { path, idOf }: BroadcastPath): void {
  const { db, clock } = ground;
  app.post(
    `${path}/preflight`,
    {
      config: { needs: "read" },
      schema: {
        summary: "Count who would get it now, and who would not and why",
        tags,
        params,
        response: { 200: Preflight },
      },
    },
    async (request) => {
      const row = await theBroadcast(db, request.caller.workspace.id, idOf(request.params.id));
      const { workspace } = request.caller;
      const now = clock.now();
      return interactiveQuery(ground, row.workspace_id, (q) =>
        preflight(q, { workspace, sending: sendingOf(row), now }, membersOf(q, row, now)),
      );
    },
  );

  app.post(
    `${path}/preview`,
    {
      config: { needs: "read" },
      schema: {
        summary: "Preview it for a person",
        tags,
        params,
        body: TestSend,
        response: { 200: JsonObject },
      },
    },
    async (request) => {
      const row = await theBroadcast(db, request.caller.workspace.id, idOf(request.params.id));
      const { workspace } = request.caller;
      return previewSending(ground, { workspace, sending: sendingOf(row) }, tryOut(request.body));
    },
  );

  app.post(
    `${path}/test-sends`,
    {
      config: { needs: "send" },
      schema: {
        summary: "Send it to one person as a test, even if the person is not in the audience",
        tags,
        params,
        body: TestSend,
        response: { 202: TestSent },
      },
    },
    (request, reply) => {
      const { workspace } = request.caller;
      const now = clock.now();
      return creating(db, { request, reply, scope: workspace.id, now, status: 202 }, async (tx) => {
        const row = await theBroadcast(tx, workspace.id, idOf(request.params.id));
        const tried = { workspace, sending: sendingOf(row), now };
        const deliveryId = await sendTest(tx, ground, tried, tryOut(request.body));
        return { delivery_id: encodeId("dlv", deliveryId) };
      });
    },
  );
}
