import {
  SegmentBatch,
  SegmentMessage,
  SegmentSettings,
  SegmentSettingsPath,
  SegmentTaken,
} from "@tidings/contract/compat";
import type { FastifyRequest } from "fastify";
import { createIntake, type Fact } from "../../ingest/index.ts";
import type { DeviceInput } from "@tidings/contract/facts/people";
import { newPeopleLimit, registerDevice } from "../../people/index.ts";
import type { Static } from "typebox";
import type { Ground } from "../../platform/ground.ts";
import { type App, Problem, readJson } from "../../platform/http/index.ts";
import { nextTurn, turnIsOver } from "../../platform/turns.ts";
import type { Ignore } from "../ignored.ts";
import type { CompatGround } from "../ground.ts";
import { refuseUnknownRoutes, type ForeignAnswer } from "../answers.ts";
import { readMessage } from "./read.ts";

const SEGMENT = { tags: ["segment"], response: { 200: SegmentTaken } };
const PUBLIC = { access: "public", needs: "ingest" } as const;
const BATCH = { ...PUBLIC, items: (body: Static<typeof SegmentBatch>) => body.batch.length };
/** The most facts in one transaction: a batch of many small messages must not use a connection for long. */
const MOST_AT_ONCE = 1_000;

/** The routes for one message: the browser's client calls `/t` for track, and the HTTP API `/track`. */
const SINGLES = { i: "identify", t: "track", p: "page", s: "screen", g: "group", a: "alias" } as const;

/** The routes that `@segment/analytics-node`, `@segment/analytics-next` and Segment's HTTP API call, under /compat/segment/v1. */
export function segment(app: App, ground: CompatGround, ignore: Ignore): void {
  const { rejections } = ground;
  refuseUnknownRoutes(app, (route) => `Tidings has no route ${route} of Segment's API. See docs/migrate.md.`);
  // In a browser the client sends text/plain, which saves a preflight request.
  app.addContentTypeParser("text/plain", { parseAs: "buffer" }, (_request: FastifyRequest, body: Buffer) =>
    readJson(body),
  );
  const receive = receiver(ground, ignore);

  app.register(async (scope: App) => {
    rejections.watch(scope);
    for (const path of ["/v1/batch", "/v1/b", "/v1/import"]) {
      scope.post(
        path,
        { config: BATCH, schema: { ...SEGMENT, summary: "Send up to 2,500 calls", body: SegmentBatch } },
        (request) =>
          receive(
            request,
            request.body.batch.map((message, item) => ({
              message,
              type: (message as { type?: unknown } | null)?.type,
              item,
            })),
          ),
      );
    }
    for (const [short, type] of Object.entries(SINGLES)) {
      for (const path of [`/v1/${short}`, `/v1/${type}`]) {
        scope.post(
          path,
          { config: PUBLIC, schema: { ...SEGMENT, summary: `Send one ${type}`, body: SegmentMessage } },
          (request) => receive(request, [{ message: request.body, type }]),
        );
      }
    }
  });
}

/** A message as it was sent. */
interface Sent {
  message: unknown;
  type: unknown;
  /** Its index in a batch. */
  item?: number;
}

/** Returns the function that takes one message, or all messages of a batch. */
function receiver(ground: CompatGround, ignore: Ignore) {
  const { rejections } = ground;
  const intake = createIntake(ground);

  return async (request: FastifyRequest, messages: Sent[]) => {
    const { caller, provenPerson: proven, vouch, body } = request;
    const { workspace } = caller;
    const now = ground.clock.now();
    const context = { workspace, now, sentAt: (body as { sentAt?: unknown }).sentAt, proven, vouch };
    const facts: Fact[] = [];
    const senders: Sent[] = [];
    const devices = new Map<string, DeviceInput>();
    for (const sent of messages) {
      while (turnIsOver()) await nextTurn();
      const { message: data, item } = sent;
      const read = readMessage(context, data, sent.type);
      if ("ignored" in read) {
        ignore("segment", read.ignored, request, { data, item, detail: read.detail });
        continue;
      }
      facts.push(...read.facts);
      for (const _ of read.facts) senders.push(sent);
      for (const detail of read.dropped) ignore("segment", "trait", request, { data, item, detail });
      // A device belongs to the person of the last message with its token.
      if (read.device) devices.set(`${read.device.platform} ${read.device.token}`, read.device);
    }
    for (let at = 0; at < facts.length; at += MOST_AT_ONCE) {
      const outcomes = await intake.storeEach(facts.slice(at, at + MOST_AT_ONCE), caller);
      for (const [i, outcome] of outcomes.entries()) {
        const { message: data, item } = senders[at + i] as Sent;
        if (outcome instanceof Problem) rejections.refuse(request, outcome, data, item);
        else if (outcome) rejections.outcome(request, outcome, data, item);
        else ignore("segment", "refused", request, { data, item });
      }
    }
    for (const device of devices.values()) {
      await ground.db
        .transaction((tx) => registerDevice(tx, ground, newPeopleLimit(caller), { input: device, now }))
        .catch((error) => {
          // The device of one person too many is left out like its messages: if the client got an error, it would send the whole batch again.
          if (!(error instanceof Problem && error.code === "rate_limited")) throw error;
          rejections.refuse(request, error, device);
        });
    }
    return { success: true } as const;
  };
}

/**
 * The settings that the browser's client loads before it begins: a client with its `cdnURL` here also sends its data here. They are no
 * secret: the key in them comes from the caller.
 */
export function segmentSettings(app: App, ground: Ground): void {
  const { host, protocol } = new URL(ground.config.publicUrl);
  const settings = {
    ...SEGMENT,
    summary: "Return the settings that the browser's client loads first",
    params: SegmentSettingsPath,
    response: { 200: SegmentSettings },
    security: [],
  };
  app.get("/v1/projects/:key/settings", { schema: settings }, async (request) => ({
    integrations: {
      "Segment.io": {
        apiKey: request.params.key,
        apiHost: `${host}/compat/segment/v1`,
        protocol: protocol.slice(0, -1),
        type: "browser",
        unbundledIntegrations: [],
        addBundledMetadata: false,
      },
    },
    plan: { track: { __default: { enabled: true, integrations: {} } } },
    edgeFunction: {},
    analyticsNextEnabled: true,
    middlewareSettings: {},
    enabledMiddleware: {},
    metrics: { sampleRate: 0 },
    remotePlugins: [],
  }));
}

/** Returns an error in the shape of Segment's clients. A 422 becomes a 400. */
export function asSegment(problem: Problem): ForeignAnswer {
  return {
    status: problem.status === 422 ? 400 : problem.status,
    body: { success: false, code: problem.code, message: problem.message },
    headers: problem.options.headers ?? {},
  };
}
