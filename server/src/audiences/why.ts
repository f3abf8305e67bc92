import type { Filter } from "@tidings/contract/audience/audiences";
import { findPeople } from "../people/index.ts";
import type { Queries } from "../platform/db/index.ts";
import { Problem } from "../platform/http/index.ts";
import { decodeId, encodeId } from "../platform/ids.ts";
import type { NameOf } from "../workspaces/index.ts";
import { evaluate, type PersonFacts } from "./filter/evaluate.ts";
import { deliveriesOf, eventsOf, listsOf } from "./filter/facts-store.ts";
import { type FilterContext, loadFilterContext } from "./filter/context.ts";
import { because } from "./filter/wording.ts";
import { isAmong } from "./members/members-store.ts";
import { type AudienceRow, topicsAmong } from "./store.ts";

/** The most rows of one person that an explanation reads. The audience itself counts all; the explanation uses the newest. */
const MOST_ROWS = 10_000;

/** Explains why a person is in an audience, or is not, with each condition's verdict. @throws Problem person_not_found */
export async function why(
  q: Queries,
  workspaceId: string,
  { audience, personId, nameOf, now }: { audience: AudienceRow; personId: string; nameOf: NameOf; now: Date },
) {
  const [person] = await findPeople(q, [{ workspaceId, id: personId }]);
  if (!person) throw new Problem("person_not_found", "This workspace knows no person with this person_id.");
  const filter: Filter = audience.filter ?? { audience: encodeId("aud", audience.id) };
  const context = await loadFilterContext(q, workspaceId, { filter, now });
  const facts = await factsOf(q, person, filter, context);
  for (const id of sourcesIn(filter, context)) {
    const name = await nameOf(q, workspaceId, id);
    if (name !== undefined) facts.names.set(id, name);
  }
  const verdict = evaluate(filter, facts, context);
  const among = await isAmong(q, filter, context, person.person_key);
  return { person_id: personId, in: among, because: because(verdict), verdict };
}

/** The sources of messages that a filter and its audiences name. */
function sourcesIn(filter: Filter, context: FilterContext): Set<string> {
  const found = new Set<string>();
  const walk = (node: Filter): void => {
    if ("all" in node) node.all.forEach(walk);
    else if ("any" in node) node.any.forEach(walk);
    else if ("not" in node) walk(node.not);
    else if ("source_id" in node && node.source_id !== undefined) found.add(node.source_id);
  };
  for (const one of [filter, ...[...context.audiences.values()].map((known) => known.filter)]) if (one) walk(one);
  return found;
}

/** Reads the data of a person that a filter tests, and no more. */
export async function factsOf(
  q: Queries,
  person: PersonFacts["person"],
  filter: Filter,
  context: FilterContext,
): Promise<PersonFacts> {
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
  for (const known of context.audiences.values()) if (known.filter) walk(known.filter);
  const ids = new Map([...topics].map((id) => [decodeId("top", id) ?? "", id]));
  const [events, deliveries, lists, states] = await Promise.all([
    names.size > 0 ? eventsOf(q, person.person_key, [...names], MOST_ROWS) : [],
    messages ? deliveriesOf(q, person.person_key, MOST_ROWS) : [],
    context.audiences.size > 0 ? listsOf(q, person.person_key) : [],
    ids.size > 0 ? topicsAmong(q, context.workspaceId, [...ids.keys()]) : [],
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
