import { Failures } from "@tidings/contract/facts/activity";
import { type Static, type TObject, type TSchema, Type } from "typebox";
import { failuresOf } from "../activity/index.ts";
import type { Queries } from "../platform/db/index.ts";
import type { Ground } from "../platform/ground.ts";
import { type App, notFound } from "../platform/http/index.ts";
import { inListTurns } from "../platform/resources/interactive.ts";
import type { Workspace } from "../workspaces/index.ts";

/** A kind of source, as the routes of its numbers see it. `R` is its row. */
export interface NumberedSource<R, Q extends TObject, M extends TSchema> {
  /** The path of one source, with `:id`. */
  path: string;
  tag: string;
  /** What the source is called in errors. */
  noun: string;
  /** Decodes the id. @throws Problem not_found */
  idOf(text: string): string;
  find(q: Queries, workspaceId: string, id: string): Promise<R | undefined>;
  metrics: {
    summary: string;
    query: Q;
    answer: M;
    /** `q` runs in the turns of the workspace's lists. */
    of(q: Queries, source: { workspace: Workspace; row: R }, query: Static<Q>): Promise<Static<M>>;
  };
}

/** Declares the routes that say what became of the deliveries of one source: `metrics` and `failures`. */
export function numberRoutes<R, Q extends TObject, M extends TSchema>(
  app: App,
  ground: Ground,
  source: NumberedSource<R, Q, M>,
): void {
  const { path, tag, metrics } = source;
  const params = Type.Object({ id: Type.String() });
  const find = async (workspaceId: string, text: string): Promise<{ id: string; row: R }> => {
    const id = source.idOf(text);
    const row = await source.find(ground.db, workspaceId, id);
    if (!row) throw notFound(source.noun);
    return { id, row };
  };
  app.get(
    `${path}/metrics`,
    {
      schema: {
        summary: metrics.summary,
        tags: [tag],
        params,
        querystring: metrics.query as TObject,
        response: { 200: metrics.answer as TSchema },
      },
    },
    async (request) => {
      const { workspace } = request.caller;
      const { row } = await find(workspace.id, request.params.id);
      const q = inListTurns(ground, workspace.id);
      return metrics.of(q, { workspace, row }, request.query as Static<Q>);
    },
  );

  app.get(
    `${path}/failures`,
    {
      schema: {
        summary: "Count its deliveries that did not arrive, by reason",
        tags: [tag],
        params,
        response: { 200: Failures },
      },
    },
    async (request) => {
      const { workspace } = request.caller;
      const { id } = await find(workspace.id, request.params.id);
      return failuresOf(ground, workspace.id, id);
    },
  );
}
