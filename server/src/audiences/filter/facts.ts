import type { Filter } from "@tidings/contract/audience/audiences";
import type { Person } from "../../people/index.ts";
import type { Queries } from "../../platform/db/index.ts";
import { decodeId } from "../../platform/ids.ts";
import { topicsAmong } from "../store.ts";
import { conditionsWithin, type FilterContext } from "./context.ts";
import type { PersonFacts } from "./evaluate.ts";
import { deliveriesOf, eventsOf, listsOf } from "./facts-store.ts";

/** The most rows of one person that an evaluation reads, unless its context says otherwise. It uses the newest ones; the SQL of the audience counts all. */
const MOST_ROWS = 10_000;

/** The events, sources and lists that a filter and its audiences test. */
interface NeededFacts {
  events: Set<string>;
  topics: Set<string>;
  messages: boolean;
}

function askedIn(filter: Filter, context: FilterContext): NeededFacts {
  const asked: NeededFacts = { events: new Set(), topics: new Set(), messages: false };
  for (const one of conditionsWithin(filter, context)) {
    if ("event" in one) asked.events.add(one.event);
    else if ("message" in one) asked.messages = true;
    else if ("topic" in one && one.topic !== undefined) asked.topics.add(one.topic);
  }
  return asked;
}

/** Reads the data that a filter tests, by at most four statements for any number of people. Returns it in the order of the people. */
export async function factsOf(
  q: Queries,
  people: Person[],
  filter: Filter,
  context: FilterContext & { mostRows?: number | undefined },
): Promise<PersonFacts[]> {
  const { events: names, topics: asked, messages } = askedIn(filter, context);
  const { mostRows = MOST_ROWS } = context;
  const keys = people.map((person) => person.person_key);
  const ids = new Map([...asked].map((id) => [decodeId("top", id) ?? "", id]));
  const [events, deliveries, lists, states] = await Promise.all([
    names.size > 0 ? eventsOf(q, keys, [...names], mostRows) : [],
    messages ? deliveriesOf(q, keys, mostRows) : [],
    context.audiences.size > 0 ? listsOf(q, keys) : [],
    ids.size > 0 ? topicsAmong(q, context.workspaceId, [...ids.keys()]) : [],
  ]);
  const eventsBy = Map.groupBy(events, (row) => row.person_key);
  const deliveriesBy = Map.groupBy(deliveries, (row) => row.person_key);
  const listsBy = Map.groupBy(lists, (row) => row.person_key);
  const topics = new Map(states.map(({ id, on }) => [ids.get(id) ?? "", on]));
  return people.map((person) => ({
    person,
    events: eventsBy.get(person.person_key) ?? [],
    deliveries: deliveriesBy.get(person.person_key) ?? [],
    lists: new Set(listsBy.get(person.person_key)?.map((row) => row.audience_id)),
    names: new Map(states.map(({ id, name }) => [ids.get(id) ?? "", name])),
    topics,
  }));
}
