import { DeviceList, PersonList, Person as PersonShape } from "@tidings/contract/facts/people";
import { MOST_COUNTED } from "@tidings/contract/lists";
import { PersonId } from "@tidings/contract/primitives";
import { Type } from "typebox";
import type { Queries } from "../platform/db/index.ts";
import { type App, Problem, page } from "../platform/http/index.ts";
import { encodeId } from "../platform/ids.ts";
import { recordChange } from "../platform/resources/changes.ts";
import { inListTurns, interactiveQuery } from "../platform/resources/interactive.ts";
import type { ListRequest } from "../platform/resources/list-route.ts";
import { searched } from "../platform/resources/search.ts";
import { sortedBy } from "../platform/resources/sorts.ts";
import { sendFile } from "../platform/transfer/export-file.ts";
import { type Caller, type ConnectedGround, originOf, personEntry, personKey } from "../workspaces/index.ts";
import { devicesOf } from "./devices/devices-store.ts";
import { erasePerson } from "./holdings/erase.ts";
import { exportPerson } from "./holdings/export.ts";
import { countPeople, listPeople, sortKey } from "./profile/list-store.ts";
import { type Profile, profileByKey } from "./profile/store.ts";

const Params = Type.Object({ person_id: PersonId });

/** /people: the list, one person, the person's devices, export and erasure. */
export function product(app: App, ground: ConnectedGround): void {
  listPeopleRoute(app, ground);
  personRoutes(app, ground);
}

function listPeopleRoute(app: App, ground: ConnectedGround): void {
  app.get(
    "/people",
    {
      schema: {
        summary: "List people, the last changed first",
        tags: ["people"],
        querystring: PersonList.query,
        response: { 200: PersonList.answer },
      },
    },
    async (request) => {
      const { limit = 50, cursor, sort, q: typed, counts } = request.query as ListRequest;
      const workspaceId = request.caller.workspace.id;
      const sorted = sortedBy(PersonList, { sort, cursor }, (name) => [name === "email" ? "text" : "instant", "uuid"]);
      const q = searched(typed);
      const counted = counts
        ? interactiveQuery(ground, workspaceId, (db) => countPeople(db, workspaceId, { q, most: MOST_COUNTED }))
        : undefined;
      const listed = listPeople(inListTurns(ground, workspaceId), workspaceId, { q, sorted, limit: limit + 1 });
      const [rows, total] = await Promise.all([listed, counted]);
      return {
        ...page(rows, limit, (row) => sorted.cursorOf(sortKey(sorted, row)), describePerson),
        ...(total !== undefined && { counts: { total, exact: total < MOST_COUNTED } }),
      } as never;
    },
  );
}

function personRoutes(app: App, ground: ConnectedGround): void {
  const { db } = ground;
  const profileOf = (request: { caller: Caller; params: { person_id: string } }) =>
    theProfile(db, request.caller.workspace.id, request.params.person_id);

  app.get(
    "/people/:person_id",
    { schema: { summary: "Get a person", tags: ["people"], params: Params, response: { 200: PersonShape } } },
    async (request) => describePerson(await profileOf(request)),
  );

  app.delete(
    "/people/:person_id",
    {
      config: { needs: "ingest" },
      schema: {
        summary: "Erase a person: sent messages still count, without data about the person",
        tags: ["people"],
        params: Params,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { workspace } = request.caller;
      const whom = { workspaceId: workspace.id, personId: request.params.person_id, now: ground.clock.now() };
      const erased = await erasePerson(ground, whom, (tx) =>
        recordChange(tx, originOf(request), { ...personEntry("erased", whom), now: whom.now }),
      );
      if (!erased) throw new Problem("person_not_found", "The workspace knows no person with this person_id.");
      return reply.code(204).send(null);
    },
  );

  app.get(
    "/people/:person_id/export",
    {
      schema: {
        summary: "Export everything that is stored about a person, as one JSON object",
        tags: ["people"],
        params: Params,
      },
    },
    async (request, reply) => {
      const person = await profileOf(request);
      const pages = (q: Queries) => exportPerson(q, ground, person, ground.clock.now());
      return sendFile(ground, reply, request.caller.workspace.id, { name: "person.json", pages });
    },
  );

  app.get(
    "/people/:person_id/devices",
    { schema: { summary: "List a person's devices", tags: ["people"], params: Params, response: { 200: DeviceList } } },
    async (request) => {
      const person = await profileOf(request);
      const rows = await devicesOf(db, person.person_key);
      const data = rows.map((row) => ({
        ...row,
        id: encodeId("dev", row.id),
        created_at: row.created_at.toISOString(),
        last_used_at: row.last_used_at.toISOString(),
        disabled_at: row.disabled_at?.toISOString() ?? null,
      }));
      return { data, next_cursor: null };
    },
  );
}

/** @throws Problem person_not_found */
async function theProfile(q: Queries, workspaceId: string, personId: string): Promise<Profile> {
  const person = await profileByKey(q, personKey(workspaceId, personId));
  if (!person)
    throw new Problem(
      "person_not_found",
      "The workspace knows no person with this person_id. Identify the person first.",
    );
  return person;
}

/** A person in the shape of the API. */
export const describePerson = (person: Profile) => ({
  person_id: person.person_id,
  email: person.email,
  phone: person.phone,
  email_verified: person.email_verified,
  phone_verified: person.phone_verified,
  claimed_email: person.claimed_email,
  claimed_phone: person.claimed_phone,
  timezone: person.timezone,
  locale: person.locale,
  subscribed: person.subscribed,
  attributes: person.attributes,
  created_at: person.created_at.toISOString(),
  updated_at: person.updated_at.toISOString(),
});
