import { Batch, BatchResult, Track, Tracked } from "@tidings/contract/facts/ingest";
import { Identified, Identify } from "@tidings/contract/facts/people";
import type { FastifyRequest } from "fastify";
import type { Static } from "typebox";
import { deviceRoutes } from "../people/index.ts";
import { type App, Problem } from "../platform/http/index.ts";
import { nextTurn, turnIsOver } from "../platform/turns.ts";
import { type Intake, createIntake } from "./ingest.ts";
import { batchFact, type Fact, identifyFact, trackFact } from "./read.ts";
import type { IngestGround, Rejections } from "./rejections.ts";

/** /v1/identify, /v1/track, /v1/batch and /v1/devices. The data that they refuse is kept for the workspace to read. */
export function gateway(app: App, ground: IngestGround): void {
  app.addHook("onClose", ground.rejections.flush);
  app.addHook("onClose", ground.catalog.flush);
  app.register(async (scope: App) => {
    ground.rejections.watch(scope);
    factRoutes(scope, ground);
    deviceRoutes(scope, ground);
  });
}

/** Single calls that arrive at the same moment are gathered into one transaction. */
function factRoutes(app: App, ground: IngestGround): void {
  const { rejections } = ground;
  const { store, storeEach } = createIntake(ground);
  const config = { access: "public", needs: "ingest" } as const;

  app.post(
    "/v1/identify",
    {
      config,
      schema: { summary: "Create or update a person", tags: ["people"], body: Identify, response: { 200: Identified } },
    },
    async (request) => {
      const outcome = await store(identifyFact(request.caller.workspace, request.body, request.vouch), request.caller);
      return { person_id: request.body.person_id, created: (outcome as { created: boolean }).created };
    },
  );

  app.post(
    "/v1/track",
    {
      config,
      schema: { summary: "Record an event of a person", tags: ["events"], body: Track, response: { 202: Tracked } },
    },
    async (request, reply) => {
      const outcome = await store(trackFact(request.caller.workspace, request.body), request.caller);
      rejections.outcome(request, outcome, request.body);
      return reply.code(202).send(outcome as Tracked);
    },
  );

  app.post(
    "/v1/batch",
    {
      config: { ...config, items: (body: Static<typeof Batch>) => body.items.length },
      schema: {
        summary: "Send up to 1,000 identify and track calls",
        tags: ["events"],
        body: Batch,
        response: { 200: BatchResult },
      },
    },
    async (request) => ({
      results: await takeBatch(storeEach, rejections, request, request.body.items),
    }),
  );
}

const NOT_STORED = "The database refuses to store this item.";

type Result = { status: number; code?: string };

/** Takes a batch. One bad item does not spoil the others: it is left out, and its result says why. */
async function takeBatch(
  storeEach: Intake["storeEach"],
  rejections: Rejections,
  request: FastifyRequest,
  items: unknown[],
): Promise<Result[]> {
  const readable: [number, Fact][] = [];
  const results: Result[] = [];
  const refuse = (problem: Problem, at: number): void => {
    rejections.refuse(request, problem, items[at], at);
    results[at] = { status: problem.status, code: problem.code };
  };
  for (const [at, item] of items.entries()) {
    while (turnIsOver()) await nextTurn();
    try {
      const fact = batchFact(request.caller.workspace, item, request);
      readable.push([at, fact]);
      results.push({ status: fact.kind === "identify" ? 200 : 202 });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      refuse(error, at);
    }
  }
  const outcomes = await storeEach(
    readable.map(([, fact]) => fact),
    request.caller,
  );
  readable.forEach(([at], i) => {
    const outcome = outcomes[i];
    if (outcome instanceof Problem) refuse(outcome, at);
    else if (outcome) rejections.outcome(request, outcome, items[at], at);
    else {
      results[at] = { status: 500, code: "internal_error" };
      rejections.note(request, { code: "internal_error", reason: NOT_STORED, data: items[at], item: at });
    }
  });
  return results;
}
