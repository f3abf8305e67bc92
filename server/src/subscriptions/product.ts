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
import type { App } from "../platform/http/index.ts";
import { encodeId } from "../platform/ids.ts";
import { crud } from "../platform/resources/crud.ts";
import { type ConnectedGround, originOf, workspaceOf } from "../workspaces/index.ts";
import { changeStates, statesOf } from "./preferences/states.ts";
import { listSource, lockTopic, type TopicRow, topicsBy } from "./preferences/store.ts";
import { changeTopic, createTopic, discardTopic } from "./preferences/topic.ts";
import { suppressionList } from "./suppression/suppression-product.ts";

const PersonParams = Type.Object({ person_id: PersonId });
const tags = ["subscriptions"];

/** /topics, /people/:person_id/subscriptions and /suppressions. */
export function product(app: App, ground: ConnectedGround): void {
  topics(app, ground);
  states(app, ground);
  suppressionList(app, ground);
}

function topics(app: App, ground: ConnectedGround): void {
  crud(app, ground, {
    path: "/topics",
    tag: "subscriptions",
    noun: "topic",
    prefix: "top",
    summaries: {
      list: "List topics, newest first",
      create: "Create a topic",
      read: "Get a topic",
      change: "Change a topic",
      remove: "Remove a topic that nothing uses",
    },
    schemas: { input: TopicInput, patch: TopicPatch, one: Topic, list: TopicList },
    scopeOf: workspaceOf,
    originOf,
    locked: lockTopic,
    list: listSource,
    byId: async (q, workspaceId, id) => (await topicsBy(q, [{ workspaceId, id }]))[0],
    create: (workspaceId, input) => (tx, now) => createTopic(tx, workspaceId, input, now),
    change: (workspaceId, id, patch) => (tx, now) => changeTopic(tx, workspaceId, { id, patch, now }),
    remove: (workspaceId, id) => (tx) => discardTopic(tx, workspaceId, id, ground.slices.usersOf.topic),
    shape,
    summary: shape,
  });
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
