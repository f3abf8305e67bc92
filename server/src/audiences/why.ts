import type { Filter } from "@tidings/contract/audience/audiences";
import { findPeople } from "../people/index.ts";
import type { Queries } from "../platform/db/index.ts";
import { Problem } from "../platform/http/index.ts";
import { decodeId, encodeId } from "../platform/ids.ts";
import type { NameOf } from "../workspaces/index.ts";
import { evaluate, type Facts } from "./filter/evaluate.ts";
import { deliveriesOf, eventsOf, listsOf } from "./filter/facts-store.ts";
import { type Asked, ask } from "./filter/known.ts";
import { because } from "./filter/wording.ts";
import { isAmong } from "./members/members-store.ts";
import { type AudienceRow, topicsAmong } from "./store.ts";

/** Rows of one person that an explanation reads. Whoever has more is counted in full by the audience and explained by the newest. */
const MOST_ROWS = 10_000;

/** Why a person is in an audience, or is not: each condition's verdict. @throws Problem person_not_found */
export async function why(
  q: Queries,
  nameOf: NameOf,
  workspaceId: string,
  audience: AudienceRow,
  personId: string,
  now: Date,
) {
  const [person] = await findPeople(q, [{ workspaceId, id: personId }]);
  if (!person) throw new Problem("person_not_found", "This workspace knows no person with this person_id.");
  const filter: Filter = audience.filter ?? { audience: encodeId("aud", audience.id) };
  const asked = await ask(q, workspaceId, filter, now);
  const facts = await factsOf(q, person, filter, asked);
  for (const id of sourcesIn(filter, asked)) {
    const name = await nameOf(q, workspaceId, id);
    if (name !== undefined) facts.names.set(id, name);
  }
  const verdict = evaluate(filter, facts, asked);
  const among = await isAmong(q, filter, asked, person.person_key);
  return { person_id: personId, in: among, because: because(verdict), verdict };
}

/** What the messages that a filter asks about were sent by, with the audiences in it. */
function sourcesIn(filter: Filter, asked: Asked): Set<string> {
  const found = new Set<string>();
  const walk = (node: Filter): void => {
    if ("all" in node) node.all.forEach(walk);
    else if ("any" in node) node.any.forEach(walk);
    else if ("not" in node) walk(node.not);
    else if ("source_id" in node && node.source_id !== undefined) found.add(node.source_id);
  };
  for (const one of [filter, ...[...asked.audiences.values()].map((known) => known.filter)]) if (one) walk(one);
  return found;
}

/** What a filter asks about a person, and no more. */
export async function factsOf(q: Queries, person: Facts["person"], filter: Filter, asked: Asked): Promise<Facts> {
  const names = new Set<string>();
  const topics = new Set<string>();
  let messages = false;
  const walk = (node: Filter): void => {
    if ("all" in node) node.all.forEach(walk);
    else if ("any" in node) node.any.forEach(walk);
    else if ("not" in node) walk(node.not);
    else if ("event" in node) names.add(node.event);
    else if ("message" in node) messages = true;
    else if ("topic" in node && node.topic !== undefined) topics.add(node.topic);
  };
  walk(filter);
  for (const known of asked.audiences.values()) if (known.filter) walk(known.filter);
  const ids = new Map([...topics].map((id) => [decodeId("top", id) ?? "", id]));
  const [events, deliveries, lists, states] = await Promise.all([
    names.size > 0 ? eventsOf(q, person.person_key, [...names], MOST_ROWS) : [],
    messages ? deliveriesOf(q, person.person_key, MOST_ROWS) : [],
    asked.audiences.size > 0 ? listsOf(q, person.person_key) : [],
    ids.size > 0 ? topicsAmong(q, asked.workspaceId, [...ids.keys()]) : [],
  ]);
  return {
    person,
    events,
    deliveries,
    lists: new Set(lists),
    names: new Map(states.map(({ id, name }) => [ids.get(id) ?? "", name])),
    topics: new Map(states.map(({ id, on }) => [ids.get(id) ?? "", on])),
  };
}
