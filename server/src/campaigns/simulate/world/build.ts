import type { Filter } from "@tidings/contract/audience/audiences";
import type { StepFilter } from "@tidings/contract/campaigns/filters";
import { factsOf, loadFilterContext, type PersonFacts } from "../../../audiences/index.ts";
import type { OutboundGround } from "../../../outbound/index.ts";
import type { Person } from "../../../people/index.ts";
import type { Queries } from "../../../platform/db/index.ts";
import { newId } from "../../../platform/ids.ts";
import { type RehearsalLimits, rehearse, rehearseAhead } from "../../../sendings/index.ts";
import type { Workspace } from "../../../workspaces/index.ts";
import type { Published } from "../../definition/published.ts";
import { conditionsIn } from "../../rules/where.ts";
import { audienceOf } from "../../rules/touches.ts";
import { isInAudience } from "./audience.ts";
import { audienceOnDays } from "./days.ts";
import { heldBackIn } from "./limits.ts";
import type { Observer, SimulatedPerson, World } from "./world.ts";

/** The people of a world and how it is simulated. */
export interface Setting {
  q: Queries;
  ground: OutboundGround;
  workspace: Workspace;
  published: Published;
  people: Person[];
  /** Whether the people are made up: nothing is read about them. */
  madeUp: boolean;
  /** Whether messages and calls are rendered. Without it no content fails, and all that decides about messages is read once for all people. */
  render: boolean;
  /** When the virtual clock starts. Real data from after it is left out. */
  start: Date;
  /** The most events, and the most deliveries, that are read of a person. */
  mostRows?: number;
  observer: Observer;
  /** The answers that webhook steps get. Default: 200 without a body. */
  responses?: World["responses"];
  /** The UUIDs of lists that all of these people are on, besides their own. */
  lists?: string[];
}

/** Returns the conditions of audiences that a campaign evaluates, as one filter. */
export function conditionsOfCampaign({ definition, journey }: Published): Filter {
  const filters = [
    definition.exit_when,
    ...[...journey.nodes.values()].map(({ step }) => (step.type === "branch" ? step.if : undefined)),
    audienceOf(definition),
    audienceOnDays(definition),
  ];
  return { all: filters.flatMap((filter) => (filter ? conditionsIn(filter as StepFilter).conditions : [])) };
}

/** Reads what a simulation starts from, and builds its world. */
export async function buildWorld(setting: Setting): Promise<World> {
  const { q, ground, workspace, published, madeUp, render, start, observer } = setting;
  const filter = conditionsOfCampaign(published);
  const filters = await loadFilterContext(q, workspace.id, { filter, now: start });
  const facts = await readFacts(setting, filter, filters);
  const heldBack = heldBackIn(() => world, setting);
  const world: World = {
    q,
    workspace,
    published,
    time: { now: start, clock: start },
    filters,
    people: new Map(facts.map((one) => [one.person.person_key, simulated(one)])),
    runs: new Map(),
    passed: new Map(),
    batches: [],
    queued: [],
    renders: render,
    responses: setting.responses ?? new Map(),
    calls: new Map(),
    rehearse: render
      ? (sending, recipients) =>
          rehearse({ q, ground, workspace, sending, madeUp, heldBack, now: world.time.now }, recipients)
      : unrendered(q, setting.people, () => ({ heldBack, now: world.time.now })),
    observer,
  };
  const { trigger } = published.definition;
  const existing = trigger.type === "audience" && trigger.existing === true;
  for (const [key, person] of world.people) person.isMember = !existing && isInAudience(world, key);
  return world;
}

const simulated = (facts: PersonFacts): SimulatedPerson => ({
  facts,
  happened: [],
  enteredAt: undefined,
  runIds: [],
  isMember: false,
});

async function readFacts(
  { q, people, madeUp, start, mostRows, lists = [] }: Setting,
  filter: Filter,
  filters: World["filters"],
): Promise<PersonFacts[]> {
  // A key that nobody has: a made-up person may have the id of a real one.
  const asked = madeUp ? people.map((person) => ({ ...person, person_key: newId() })) : people;
  const facts = await factsOf(q, asked, filter, { ...filters, mostRows });
  return facts.map((one, i) => ({
    ...one,
    person: people[i] as Person,
    lists: new Set([...one.lists, ...lists]),
    events: one.events.filter(({ ts }) => ts < start),
    deliveries: one.deliveries.filter(({ queued_at }) => queued_at < start),
  }));
}

/** Returns the rehearsal of messages that are not rendered. The first message of each sending reads what decides for all people. */
function unrendered(q: Queries, people: Person[], limitsNow: () => RehearsalLimits): World["rehearse"] {
  const known = new Map<string, ReturnType<typeof rehearseAhead>>();
  return async (sending, recipients) => {
    const key = `${sending.splitBy} ${JSON.stringify(sending.editions)}`;
    const ahead = known.get(key) ?? rehearseAhead(q, sending, people);
    known.set(key, ahead);
    return (await ahead)(limitsNow(), recipients);
  };
}
