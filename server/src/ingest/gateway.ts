import { Batch, BatchResult, Track, Tracked } from "@tidings/contract/ingest";
import { Identified, Identify } from "@tidings/contract/people";
import type { Ground } from "../platform/ground.ts";
import { type App, Problem } from "../platform/http/index.ts";
import type { Workspace } from "../workspaces/index.ts";
import { type Intake, intake } from "./ingest.ts";
import { batchFact, type Fact, identifyFact, trackFact } from "./read.ts";

/** /v1/identify, /v1/track and /v1/batch. Single calls that come at once are gathered into one transaction. */
export function gateway(app: App, ground: Ground): void {
  const { one, each } = intake(ground);
  const config = { access: "public" as const };

  app.post(
    "/v1/identify",
    {
      config,
      schema: { summary: "Say who a person is", tags: ["people"], body: Identify, response: { 200: Identified } },
    },
    async (request) => {
      const outcome = await one(identifyFact(request.caller.workspace, request.body));
      return { person_id: request.body.person_id, created: (outcome as { created: boolean }).created };
    },
  );

  app.post(
    "/v1/track",
    { config, schema: { summary: "Say what a person did", tags: ["events"], body: Track, response: { 202: Tracked } } },
    async (request, reply) =>
      reply.code(202).send((await one(trackFact(request.caller.workspace, request.body))) as Tracked),
  );

  app.post(
    "/v1/batch",
    {
      config,
      schema: {
        summary: "Up to 1,000 identify and track calls",
        tags: ["events"],
        body: Batch,
        response: { 200: BatchResult },
      },
    },
    async (request) => ({
      results: await batch(each, request.caller.workspace, request.body.items, request.provenPerson),
    }),
  );
}

type Result = { status: number; code?: string };

/** One bad item does not spoil the others: what can't be read is left out and answered in its place. */
async function batch(
  each: Intake["each"],
  workspace: Workspace,
  items: unknown[],
  proven: string | undefined,
): Promise<Result[]> {
  const kept: [number, Fact][] = [];
  const results = items.map((item, at): Result => {
    try {
      const fact = batchFact(workspace, item, proven);
      kept.push([at, fact]);
      return { status: fact.kind === "identify" ? 200 : 202 };
    } catch (error) {
      if (error instanceof Problem) return { status: error.status, code: error.code };
      throw error;
    }
  });
  const outcomes = await each(kept.map(([, fact]) => fact));
  kept.forEach(([at], i) => {
    if (!outcomes[i]) results[at] = { status: 500, code: "internal_error" };
  });
  return results;
}
