import { type LiveKind, LiveQuery, liveKinds, TaskList } from "@tidings/contract/live";
import type { FastifyReply } from "fastify";
import { type App, badParameter, decodeCursor } from "../platform/http/index.ts";
import { inListTurns } from "../platform/resources/interactive.ts";
import type { ConnectedGround } from "../workspaces/index.ts";
import { LiveStreams } from "./streams.ts";

/** GET /live and GET /tasks. */
export function product(app: App, ground: ConnectedGround): void {
  streamRoute(app, ground);
  tasksRoute(app, ground);
}

/** GET /live: what happens in the workspace, as a stream of server-sent events. */
function streamRoute(app: App, ground: ConnectedGround): void {
  const streams = new LiveStreams(ground);
  app.addHook("preClose", () => streams.stop());
  app.get(
    "/live",
    {
      // HEAD would open a stream that nobody reads.
      exposeHeadRoute: false,
      schema: {
        summary: "Open a stream of server-sent events: `activity`, `progress` and `changed`",
        tags: ["live"],
        querystring: LiveQuery,
        produces: ["text/event-stream"],
      },
    },
    async (request, reply) => {
      const { events, cursor } = request.query;
      const kinds = wanted(events);
      const last = request.headers["last-event-id"];
      const [txid, id] = decodeCursor(last === undefined || last === "" ? cursor : String(last), "whole", "uuid") ?? [];
      const { workspace, keyId: key, expiresAt } = request.caller;
      const from = txid !== undefined && id !== undefined ? { txid, id } : undefined;
      const opener = { workspaceId: workspace.id, key, expires: expiresAt?.getTime(), kinds, from };
      take(reply);
      streams.open(reply.raw, reply.getHeaders() as Record<string, string>, opener);
    },
  );
}

/** GET /tasks: what takes long now. */
function tasksRoute(app: App, ground: ConnectedGround): void {
  const { slices, clock } = ground;
  app.get(
    "/tasks",
    {
      schema: {
        summary: "List what takes long now: broadcasts, people who are moved in campaigns, imports, replays",
        tags: ["live"],
        response: { 200: TaskList },
      },
    },
    async (request) => {
      const { id } = request.caller.workspace;
      return { data: await slices.tasksOf(inListTurns(ground, id), id, clock.now()) };
    },
  );
}

/** Takes the response from the HTTP library. An 'error' event without a listener would end the process. */
function take(reply: FastifyReply): void {
  reply.hijack();
  reply.raw.on("error", () => undefined);
}

/** @throws Problem invalid_request */
function wanted(events: string | undefined): Set<LiveKind> {
  const kinds = liveKinds(events);
  if (!kinds) throw badParameter("events", "must be a list of activity, progress and changed, separated by commas");
  return kinds;
}
