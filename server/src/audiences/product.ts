import {
  Audience,
  AudienceInput,
  AudienceList,
  AudienceMemberList,
  AudienceMembersQuery,
  AudiencePatch,
  AudiencePreview,
  AudiencePreviewInput,
  AudienceVerdict,
} from "@tidings/contract/audience/audiences";
import { Type } from "typebox";
import { type App, decodeCursor, notFound, page as pageShape } from "../platform/http/index.ts";
import { encodeId } from "../platform/ids.ts";
import { inListTurns, interactiveQuery } from "../platform/resources/interactive.ts";
import { crud } from "../platform/resources/crud.ts";
import { type ConnectedGround, originOf, workspaceOf } from "../workspaces/index.ts";
import { changeAudience, checkNamed, createAudience, discardAudience, type UsedAudience, usersOf } from "./audience.ts";
import { readFilter } from "./filter/filter.ts";
import { listRoutes } from "./members/list-product.ts";
import { countOf, page } from "./members/members.ts";
import { audienceById, audienceInTurn, type ListedAudience, listSource } from "./store.ts";
import { why } from "./why.ts";

const tags = ["audiences"];

/** Reads the `:id` of an audience. @throws Problem not_found */
type IdOf = (text: string) => string;

/** /audiences. */
export function product(app: App, ground: ConnectedGround): void {
  const idOf = resource(app, ground);
  previewRoute(app, ground);
  memberRoutes(app, ground, idOf);
  listRoutes(app, ground, idOf);
}

/** List, create, read, change and remove. Returns the function that reads an `:id`. */
function resource(app: App, ground: ConnectedGround): IdOf {
  const others = ground.slices.usersOf.audience;
  return crud(app, ground, {
    path: "/audiences",
    tag: "audiences",
    noun: "audience",
    prefix: "aud",
    summaries: {
      list: "List audiences, newest first, without their filters",
      create: "Create an audience: a filter over people, or a list",
      read: "Get an audience, with its uses",
      change: "Change an audience; a new filter is answered 409 while something uses the audience",
      remove: "Remove an audience; 409 while something uses it",
    },
    schemas: { input: AudienceInput, patch: AudiencePatch, one: Audience, list: AudienceList },
    scopeOf: workspaceOf,
    originOf,
    locked: async (tx, workspaceId, id): Promise<UsedAudience | undefined> => {
      const row = await audienceInTurn(tx, workspaceId, id);
      return row && { ...row, used_by: [] };
    },
    list: listSource,
    async byId(q, workspaceId, id): Promise<UsedAudience | undefined> {
      const row = await audienceById(q, workspaceId, id);
      return row && { ...row, used_by: await usersOf(q, others, workspaceId, id) };
    },
    create: createAudience,
    change: (workspaceId, id, patch) => changeAudience(workspaceId, id, patch, others),
    remove: (workspaceId, id) => discardAudience(workspaceId, id, others),
    shape: (row: UsedAudience) => ({ ...summary(row), filter: row.filter, used_by: row.used_by }),
    derived: ["used_by"],
    summary,
  });
}

/** Counts a filter that no audience has yet. */
function previewRoute(app: App, ground: ConnectedGround): void {
  const { db, clock } = ground;
  app.post(
    "/audiences/preview",
    {
      config: { needs: "read" },
      schema: {
        summary: "Count the people that a filter matches, with a sample",
        tags,
        body: AudiencePreviewInput,
        response: { 200: AudiencePreview },
      },
    },
    async (request) => {
      const workspaceId = workspaceOf(request);
      const filter = readFilter(request.body.filter, "/filter");
      await checkNamed(db, workspaceId, { filter, now: clock.now() });
      const { count, sample } = await interactiveQuery(ground, workspaceId, (db) =>
        countOf(db, workspaceId, filter, clock.now()),
      );
      return { count, sample: sample.map((person_id) => ({ person_id })) };
    },
  );
}

/** Who is in an audience, and why. */
function memberRoutes(app: App, ground: ConnectedGround, idOf: IdOf): void {
  const { db, clock } = ground;
  const { namesOf } = ground.slices;
  app.get(
    "/audiences/:id/members",
    {
      schema: {
        summary: "List the members of an audience",
        tags,
        params: Type.Object({ id: Type.String() }),
        querystring: AudienceMembersQuery,
        response: { 200: AudienceMemberList },
      },
    },
    async (request) => {
      const { limit = 50, cursor } = request.query;
      const after = decodeCursor(cursor, "uuid")?.[0];
      const id = idOf(request.params.id);
      const workspaceId = workspaceOf(request);
      if (!(await audienceById(inListTurns(ground, workspaceId), workspaceId, id))) throw notFound("audience");
      const filter = { audience: encodeId("aud", id) };
      const people = await interactiveQuery(ground, workspaceId, (db) =>
        page(db, workspaceId, { filter, cursor: after, limit: limit + 1, now: clock.now() }),
      );
      return pageShape(
        people,
        limit,
        ({ person_key }) => [person_key],
        ({ person_id, email, phone }) => ({ person_id, email, phone }),
      );
    },
  );

  app.get(
    "/audiences/:id/people/:person_id",
    {
      schema: {
        summary: "Explain why a person is in an audience, or is not",
        tags,
        params: Type.Object({ id: Type.String(), person_id: Type.String() }),
        response: { 200: AudienceVerdict },
      },
    },
    async (request) => {
      const workspaceId = workspaceOf(request);
      const row = await audienceById(db, workspaceId, idOf(request.params.id));
      if (!row) throw notFound("audience");
      return interactiveQuery(ground, workspaceId, (db) =>
        why(db, workspaceId, { audience: row, personId: request.params.person_id, namesOf, now: clock.now() }),
      );
    },
  );
}

const summary = ({ id, name, kind, created_at, updated_at }: ListedAudience) => ({
  id: encodeId("aud", id),
  name,
  kind,
  created_at: created_at.toISOString(),
  updated_at: updated_at.toISOString(),
});
