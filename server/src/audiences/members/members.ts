import type { Filter } from "@tidings/contract/audience/audiences";
import { findPeople, type Person, personKey } from "../../people/index.ts";
import type { Db, Queries, Tx } from "../../platform/db/index.ts";
import { notFound, Problem } from "../../platform/http/index.ts";
import { ask } from "../filter/known.ts";
import type { AudienceRow } from "../store.ts";
import { audienceById, lockAudience } from "../store.ts";
import { addMembers, countWithSample, keysOf, pageOf, removeMember, roomToCount } from "./members-store.ts";

const SAMPLE = 10;

/**
 * The next people whom a filter lets through, in the order of person_key, after `cursor`: the last key of the page before,
 * undefined for the first page. Fewer than `limit` is the last page. Who comes in or leaves between two pages may be in either.
 * A saved audience is the filter that names it. @throws Problem invalid_request for an audience that is gone
 */
export async function page(
  q: Queries,
  workspaceId: string,
  filter: Filter,
  cursor: string | undefined,
  limit: number,
  now: Date,
): Promise<Person[]> {
  return pageOf(q, filter, await ask(q, workspaceId, filter, now), cursor, limit);
}

/** The same people of whom only those are asked for who were there at `now`, with what sorts them into pages of a broadcast. */
export const pageOfKeys = async (
  q: Queries,
  workspaceId: string,
  filter: Filter,
  cursor: string | undefined,
  limit: number,
  now: Date,
): Promise<Pick<Person, "person_key" | "timezone">[]> =>
  keysOf(q, filter, await ask(q, workspaceId, filter, now), cursor, limit);

/** How many a filter lets through now, with up to ten of them. @throws Problem as page */
export const countOf = (
  db: Db,
  workspaceId: string,
  filter: Filter,
  now: Date,
): Promise<{ count: number; sample: string[] }> =>
  db.transaction(async (tx) => {
    const asked = await ask(tx, workspaceId, filter, now);
    await roomToCount(tx);
    return countWithSample(tx, filter, asked, SAMPLE);
  });

/** @throws Problem audience_not_a_list */
export function mustBeList(row: AudienceRow | undefined): AudienceRow {
  if (!row) throw notFound("audience");
  if (row.kind === "list") return row;
  throw new Problem(
    "audience_not_a_list",
    "Who is in this audience is said by its filter. Make one of kind list instead.",
  );
}

/** Puts a person on a list; one who is on it stays. @throws Problem not_found, audience_not_a_list, person_not_found */
export async function addMember(tx: Tx, workspaceId: string, id: string, personId: string, now: Date): Promise<void> {
  mustBeList(await lockAudience(tx, workspaceId, id));
  const [person] = await findPeople(tx, [{ workspaceId, id: personId }]);
  if (!person)
    throw new Problem(
      "person_not_found",
      "This workspace knows no person with this person_id. Identify the person first.",
    );
  await addMembers(tx, workspaceId, id, [person.person_key], now);
}

/** Takes a person off a list. @throws Problem not_found for one who is not on it, audience_not_a_list */
export async function dropMember(tx: Tx, workspaceId: string, id: string, personId: string): Promise<void> {
  mustBeList(await audienceById(tx, workspaceId, id));
  if ((await removeMember(tx, id, personKey(workspaceId, personId))) === 0) throw notFound("person on the list");
}
