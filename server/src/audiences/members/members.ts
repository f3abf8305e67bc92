import type { Filter } from "@tidings/contract/audience/audiences";
import { findPeople, type Person, personKey } from "../../people/index.ts";
import { announced, type Db, type Queries, type Tx } from "../../platform/db/index.ts";
import { notFound, Problem } from "../../platform/http/index.ts";
import { loadFilterContext } from "../filter/context.ts";
import { conditionOf, type Manner } from "../filter/filter-store.ts";
import type { AudienceRow } from "../store.ts";
import { audienceById, lockAudiences } from "../store.ts";
import { addMembers, countWithSample, keysOf, pageOf, removeMembers, roomToCount } from "./members-store.ts";

const SAMPLE = 10;

/** A person who was put on a list or taken off it. */
interface ListChanged {
  workspaceId: string;
  personKey: string;
}

/** People who were put on lists or taken off them, announced in the transaction that did it. */
export const LIST_CHANGED = announced<ListChanged>("audiences.list_changed");

export const announceOnList = async (tx: Tx, workspaceId: string, personKeys: string[]): Promise<void> => {
  if (personKeys.length > 0)
    await tx.announce(LIST_CHANGED, [workspaceId], () => personKeys.map((personKey) => ({ workspaceId, personKey })));
};

export interface PageRequest {
  filter: Filter;
  /** The last key of the page before; undefined for the first page. */
  cursor: string | undefined;
  limit: number;
  now: Date;
}

/**
 * Returns a page of the people who match a filter, in the order of person_key, after `cursor`: the last key of the page before,
 * undefined for the first page. A page with fewer than `limit` people is the last. A person who begins or ceases to match between two pages may or
 * may not be returned. For a saved audience, pass a filter that names it. @throws Problem invalid_request for an audience that is gone
 */
export async function page(
  q: Queries,
  workspaceId: string,
  { filter, cursor, limit, now }: PageRequest,
): Promise<Person[]> {
  return pageOf(q, filter, await loadFilterContext(q, workspaceId, { filter, now }), { after: cursor, limit });
}

/** Returns a page of the keys of people who match a filter and existed at `now`, with the timezone by which a broadcast sorts them into batches. */
export const pageOfKeys = async (
  q: Queries,
  workspaceId: string,
  { filter, cursor, limit, now }: PageRequest,
): Promise<Pick<Person, "person_key" | "timezone">[]> =>
  keysOf(q, filter, await loadFilterContext(q, workspaceId, { filter, now }), { after: cursor, limit });

/** Returns how many people match a filter now, with up to ten of them. @throws Problem as page */
export const countOf = (
  db: Db,
  workspaceId: string,
  filter: Filter,
  now: Date,
): Promise<{ count: number; sample: string[] }> =>
  db.transaction(async (tx) => {
    const context = await loadFilterContext(tx, workspaceId, { filter, now });
    await roomToCount(tx);
    return countWithSample(tx, filter, context, SAMPLE);
  });

/** Returns the audience if it is a list. @throws Problem not_found, audience_not_a_list */
export function mustBeList(row: AudienceRow | undefined): AudienceRow {
  if (!row) throw notFound("audience");
  if (row.kind === "list") return row;
  throw new Problem(
    "audience_not_a_list",
    "Who is in this audience is said by its filter. Make one of kind list instead.",
  );
}

/** Puts people on a list; who is on it stays. @throws Problem not_found, audience_not_a_list */
export async function putOnList(
  tx: Tx,
  workspaceId: string,
  { id, personKeys, now }: { id: string; personKeys: string[]; now: Date },
): Promise<void> {
  mustBeList((await lockAudiences(tx, workspaceId, [id], "key share"))[0]);
  await addMembers(tx, workspaceId, { list: id, personKeys, now });
  await announceOnList(tx, workspaceId, personKeys);
}

/** Takes people off a list; who is not on it stays off. @throws Problem not_found, audience_not_a_list */
export async function takeOffList(tx: Tx, workspaceId: string, id: string, personKeys: string[]): Promise<void> {
  mustBeList(await audienceById(tx, workspaceId, id));
  await removeMembers(tx, id, personKeys);
  await announceOnList(tx, workspaceId, personKeys);
}

/** Puts a person on a list; a person on the list stays. @throws Problem not_found, audience_not_a_list, person_not_found */
export async function addMember(
  tx: Tx,
  workspaceId: string,
  { id, personId, now }: { id: string; personId: string; now: Date },
): Promise<void> {
  mustBeList((await lockAudiences(tx, workspaceId, [id], "key share"))[0]);
  const [person] = await findPeople(tx, [{ workspaceId, id: personId }]);
  if (!person)
    throw new Problem(
      "person_not_found",
      "This workspace knows no person with this person_id. Identify the person first.",
    );
  await addMembers(tx, workspaceId, { list: id, personKeys: [person.person_key], now });
  await announceOnList(tx, workspaceId, [person.person_key]);
}

/** Takes a person off a list. @throws Problem not_found for a person who is not on it, audience_not_a_list */
export async function dropMember(tx: Tx, workspaceId: string, id: string, personId: string): Promise<void> {
  mustBeList(await audienceById(tx, workspaceId, id));
  const key = personKey(workspaceId, personId);
  if ((await removeMembers(tx, id, [key])) === 0) throw notFound("person on the list");
  await announceOnList(tx, workspaceId, [key]);
}

/**
 * Returns the condition of a filter over `people p`, for a statement of another slice that finds many people or tests some. The condition
 * is true or false, and never null. @throws Problem as page
 */
export const conditionFor = async (
  q: Queries,
  workspaceId: string,
  { filter, now }: { filter: Filter; now: Date },
  manner: Manner,
): Promise<ReturnType<typeof conditionOf>> =>
  conditionOf(filter, await loadFilterContext(q, workspaceId, { filter, now }), manner);
