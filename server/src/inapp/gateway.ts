import {
  Interacted,
  InteractionBatch,
  InteractionInput,
  InteractionResults,
  type InteractionType,
  StreamQuery,
  SyncMessages,
  SyncQuery,
} from "@tidings/contract/inapp/messages";
import { type Static, Type } from "typebox";
import type { Ground } from "../platform/ground.ts";
import { type App, emptyIsNone, matches } from "../platform/http/index.ts";
import { decodeId } from "../platform/ids.ts";
import { keyOf } from "../platform/resources/idempotency.ts";
import { parseInstant } from "../platform/time/clock.ts";
import { personKey } from "../workspaces/index.ts";
import { deliveryNotFound } from "./inbox/inbox.ts";
import { inboxRoutes } from "./inbox/inbox-gateway.ts";
import { type Interact, interactor } from "./interact/interact.ts";
import { afterMerges } from "./interact/merged.ts";
import { readItem } from "./interact/offline.ts";
import type { Report } from "./interact/report.ts";
import { openStreams } from "./stream/open-streams.ts";
import type { InAppGround } from "./sync/near-misses.ts";
import { etagOf, syncer } from "./sync/sync.ts";

const PATH = "/v1/in-app/messages";
const config = { access: "public", keyInAddress: true } as const;
const tags = ["in-app"];

/** Adds the routes that applications call: sync, stream, interactions and the inbox. */
export function gateway(app: App, ground: InAppGround): void {
  const sync = syncer(ground);
  app.get(
    `${PATH}/sync`,
    {
      config,
      preValidation: emptyIsNone("tz_offset_minutes"),
      schema: {
        summary: "List the messages that this person may see on this screen now, in the order in which to show them",
        tags,
        querystring: SyncQuery,
        response: { 200: SyncMessages, 304: Type.Null({ description: "Nothing changed since If-None-Match." }) },
      },
    },
    async (request, reply) => {
      const body = await sync(request.caller.workspace, request.query);
      const tag = etagOf(body);
      reply.header("etag", tag).header("cache-control", "private, no-cache");
      if (matches(request.headers["if-none-match"], tag)) return reply.code(304).send(undefined as never);
      // A string is sent without serialization by the response schema: it is JSON already, see messageJson.
      return reply.header("content-type", "application/json; charset=utf-8").send(body as never);
    },
  );
  streamRoute(app, ground);
  const interact = afterMerges(ground, interactor(ground));
  for (const type of ["impression", "click", "dismiss"] as const) interactionRoute(app, type, interact);
  offlineRoute(app, interact);
  inboxRoutes(app, ground);
}

function streamRoute(app: App, ground: Ground): void {
  const streams = openStreams(ground);
  app.addHook("preClose", () => streams.stop());
  app.get(
    `${PATH}/stream`,
    {
      config: { ...config, tokenInAddress: true },
      // HEAD would open a stream that nobody reads.
      exposeHeadRoute: false,
      schema: {
        summary: "Open a stream of server-sent events: `sync` when a message was queued for this person",
        tags,
        querystring: StreamQuery,
        produces: ["text/event-stream"],
      },
    },
    async (request, reply) => {
      const { workspace, keyId } = request.caller;
      const person = personKey(workspace.id, request.query.person_id);
      reply.hijack();
      // A failing stream closes itself; an 'error' event without a listener would end the process.
      reply.raw.on("error", ignored);
      const { proof } = request.vouch;
      const token = proof && { signer: proof.signer, expires: proof.expires * 1_000 };
      streams.open(reply.raw, reply.getHeaders() as Record<string, string>, {
        personKey: person,
        key: keyId,
        ...token,
      });
    },
  );
}

const ignored = (): void => {};

function interactionRoute(app: App, type: InteractionType, interact: Interact): void {
  app.post(
    `${PATH}/:delivery_id/${type}`,
    {
      config: { ...config, needs: "ingest" },
      schema: {
        summary: `Report an in-app ${type}`,
        tags,
        params: Type.Object({ delivery_id: Type.String() }),
        body: InteractionInput,
        response: { 200: Interacted },
      },
    },
    async (request) => {
      const { person_id, ts, ...notes } = request.body;
      const { workspace } = request.caller;
      const deliveryId = decodeId("dlv", request.params.delivery_id);
      const keyed = keyOf(request, workspace.id);
      if (!deliveryId) throw deliveryNotFound();
      const report: Report = { ...notes, deliveryId, type };
      // The same key on the same delivery and type is a repeat, whatever the body says: its answer is made from the row, which
      // is newer.
      if (keyed) report.eventId = `${type} ${keyed.key}`;
      const at = ts ? parseInstant(ts) : undefined;
      if (at) report.ts = at;
      const [outcome] = await interact({
        workspaceId: workspace.id,
        personKey: personKey(workspace.id, person_id),
        reports: [report],
        cap: workspace.in_app_cap,
      });
      if (!outcome) throw deliveryNotFound();
      return { delivery_id: request.params.delivery_id, status: outcome.status, recorded: outcome.recorded };
    },
  );
}

function offlineRoute(app: App, interact: Interact): void {
  app.post(
    `${PATH}/interactions`,
    {
      config: { ...config, needs: "ingest", items: (body: Static<typeof InteractionBatch>) => body.items.length },
      schema: {
        summary: "Report up to 100 interactions that were stored while offline",
        tags,
        body: InteractionBatch,
        response: { 200: InteractionResults },
      },
    },
    async (request) => {
      const { workspace } = request.caller;
      const items = request.body.items.map(readItem);
      const reports = items.flatMap((item) => item.report ?? []);
      const outcomes = await interact({
        workspaceId: workspace.id,
        personKey: personKey(workspace.id, request.body.person_id),
        reports,
        cap: workspace.in_app_cap,
      });
      let next = 0;
      const results = items.map(({ event_id, report, code }) => {
        const outcome = report && outcomes[next++];
        if (outcome) return { event_id, status: outcome.status, recorded: outcome.recorded };
        return { event_id, status: null, recorded: false, code: code ?? "delivery_not_found" };
      });
      return { results };
    },
  );
}
