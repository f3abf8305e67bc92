import {
  Subscriptions,
  SubscriptionsPatch,
  Topic,
  TopicInput,
  TopicList,
  TopicPatch,
} from "@tidings/contract/audience/subscriptions";
import { PersonId } from "@tidings/contract/primitives";
import { Type } from "typebox";
import type { Ground } from "../platform/ground.ts";
import { type App, notFound } from "../platform/http/index.ts";
import { decodeId, encodeId } from "../platform/ids.ts";
import { creating } from "../platform/resources/idempotency.ts";
import { listRoute } from "../platform/resources/list-route.ts";
import { type ConnectedGround, workspaceOf } from "../workspaces/index.ts";
import { changeStates, statesOf } from "./preferences/states.ts";
import { listSource, type TopicRow, topicsBy } from "./preferences/store.ts";
import { changeTopic, createTopic, discardTopic } from "./preferences/topic.ts";
import { suppressionList } from "./suppression/suppression-product.ts";

const Id = Type.Object({ id: Type.String() });
const PersonParams = Type.Object({ person_id: PersonId });
const tags = ["subscriptions"];

function idOf(text: string): string {
  const id = decodeId("top", text);
  if (!id) throw notFound("topic");
  return id;
}

/** /topics, /people/:person_id/subscriptions and /suppressions. */
export function product(app: App, ground: ConnectedGround): void {
  topics(app, ground);
  states(app, ground);
  suppressionList(app, ground);
}

function topics(app: App, ground: ConnectedGround): void {
  const { db, clock, slices } = ground;
  listRoute(app, ground, {
    path: "/topics",
    tag: "subscriptions",
    summary: "List topics, newest first",
    prefix: "top",
    listing: TopicList,
    source: listSource,
    scopeOf: workspaceOf,
    shape,
  });

  app.post(
    "/topics",
    {
      config: { needs: "author" },
      schema: { summary: "Create a topic", tags, body: TopicInput, response: { 201: Topic } },
    },
    (request, reply) => {
      const scope = request.caller.workspace.id;
      return creating(db, { request, reply, scope, now: clock.now() }, async (tx) =>
        shape(await createTopic(tx, scope, request.body, clock.now())),
      );
    },
  );

  app.get(
    "/topics/:id",
    { schema: { summary: "Get a topic", tags, params: Id, response: { 200: Topic } } },
    async (request) => {
      const [row] = await topicsBy(db, [{ workspaceId: request.caller.workspace.id, id: idOf(request.params.id) }]);
      if (!row) throw notFound("topic");
      return shape(row);
    },
  );

  app.patch(
    "/topics/:id",
    {
      config: { needs: "author" },
      schema: { summary: "Change a topic", tags, params: Id, body: TopicPatch, response: { 200: Topic } },
    },
    async (request) => {
      const id = idOf(request.params.id);
      const scope = request.caller.workspace.id;
      return shape(await db.transaction((tx) => changeTopic(tx, scope, { id, patch: request.body, now: clock.now() })));
    },
  );

  app.delete(
    "/topics/:id",
    {
      config: { needs: "author" },
      schema: { summary: "Remove a topic that nothing uses", tags, params: Id, response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      const id = idOf(request.params.id);
      await db.transaction((tx) => discardTopic(tx, request.caller.workspace.id, id, slices.usersOf.topic));
      return reply.code(204).send(null);
    },
  );
}

function states(app: App, { db, clock }: Ground): void {
  app.get(
    "/people/:person_id/subscriptions",
    {
      schema: {
        summary: "Show what a person is subscribed to",
        tags,
        params: PersonParams,
        response: { 200: Subscriptions },
      },
    },
    (request) => statesOf(db, request.caller.workspace.id, request.params.person_id),
  );

  app.patch(
    "/people/:person_id/subscriptions",
    {
      config: { needs: "ingest" },
      schema: {
        summary: "Change what a person is subscribed to",
        tags,
        params: PersonParams,
        body: SubscriptionsPatch,
        response: { 200: Subscriptions },
      },
    },
    (request) => {
      const { workspace } = request.caller;
      return db.transaction((tx) =>
        changeStates(tx, workspace.id, {
          personId: request.params.person_id,
          patch: request.body,
          now: clock.now(),
        }),
      );
    },
  );
}

const shape = (row: TopicRow) => ({
  id: encodeId("top", row.id),
  name: row.name,
  description: row.description,
  default: row.default_state,
  exempt_from_limits: row.exempt_from_limits,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});
