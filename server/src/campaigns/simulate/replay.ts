import type { Replay, ReplayInput } from "@tidings/contract/campaigns/simulate";
import { conditionsOf } from "../../audiences/index.ts";
import type { OutboundGround } from "../../outbound/index.ts";
import { findPeopleByKeys, type Person } from "../../people/index.ts";
import type { Queries } from "../../platform/db/index.ts";
import { interactiveQuery } from "../../platform/resources/interactive.ts";
import type { Workspace } from "../../workspaces/index.ts";
import { audienceOf } from "../rules/touches.ts";
import type { Published } from "../definition/published.ts";
import { candidatesOf, changesWithTime } from "./candidates.ts";
import { buildWorld, conditionsOfCampaign } from "./world/build.ts";
import { Counts } from "./counts.ts";
import { type Happening, play } from "./world/play.ts";
import { eventsOfPeople } from "./replay-store.ts";
import { completeDraft } from "./simulate.ts";
import type { World } from "./world/world.ts";

const DAY_MS = 86_400_000;
/** More people than this are a sample. */
const MOST_PEOPLE = 1_000;
/** People whose rows one statement reads. */
const PAGE = 100;
/** The most events, and the most deliveries, of one person that are read. */
const MOST_ROWS = 200;
/** How long the simulation itself may take. */
const MOST_MS = 15_000;

/**
 * Lets the latest draft of a campaign go over the real events and days of the last days. It holds no connection while it simulates. @throws Problem not_found, campaign_invalid, not_replayable, busy
 */
export const replay = (
  ground: OutboundGround,
  workspace: Workspace,
  id: string,
  { days, draft }: ReplayInput,
): Promise<Replay> =>
  interactiveQuery(ground, workspace.id, async (q) => {
    const to = ground.clock.now();
    const from = new Date(to.getTime() - days * DAY_MS);
    const published = await completeDraft(ground.interactiveDb, workspace, { id, draft, now: to });
    const { total, keys } = await candidatesOf(q, published, { from, to }, MOST_PEOPLE);
    const people = [...(await findPeopleByKeys(q, keys)).values()];
    const counts = new Counts();
    const world = await buildWorld({
      q,
      ground,
      workspace,
      published,
      people,
      madeUp: false,
      render: false,
      start: from,
      mostRows: MOST_ROWS,
      observer: counts,
    });
    const isKnown = published.definition.trigger.type === "event";
    const joining = isKnown ? [] : people.filter(({ created_at }) => created_at > from);
    const joins = leaveOut(world, joining);
    const events = await readHappenings(q, people, namesIn(published, world), { from, to });
    const { isComplete } = events;
    const happenings = [...joins, ...events.happenings.map((one) => notBefore(one, joins))].sort(
      (a, b) => a.at.getTime() - b.at.getTime(),
    );
    const end = performance.now() + MOST_MS;
    const stops = () => (performance.now() > end ? ("too_long" as const) : undefined);
    const stopped = await play(world, happenings, {
      until: to,
      stops,
      follows: { daysUntil: to, everyHour: isAskedByTime(world) },
    });
    const times = people.length === 0 ? 1 : total / people.length;
    return {
      from: from.toISOString(),
      to: to.toISOString(),
      people: total,
      simulated: people.length,
      estimate: times !== 1,
      ...counts.answer(world, times),
      stopped: stopped === "too_long" ? stopped : isComplete ? null : "events",
    };
  });

/** Takes people who came later out of the world. They come in when they were created: until then nobody is in an audience, or due on a day. */
function leaveOut(world: World, people: Person[]): Joining[] {
  return people.flatMap(({ person_key: personKey, created_at: at }) => {
    const person = world.people.get(personKey);
    world.people.delete(personKey);
    return person ? [{ kind: "joining" as const, at, personKey, person: { ...person, isMember: false } }] : [];
  });
}

type Joining = Happening & { kind: "joining" };

/** Returns an event that was recorded before its person was created, as after a merge, at the time of the creation. */
function notBefore(event: Happening, joins: Joining[]): Happening {
  const joined = joins.find(({ personKey }) => personKey === event.personKey);
  return joined && joined.at > event.at ? { ...event, at: joined.at } : event;
}

/** Whether people may come into the audience of the trigger, or leave it, by time alone. */
function isAskedByTime({ published: { definition }, filters }: World): boolean {
  const audience = audienceOf(definition);
  const asked = audience ? [audience, ...[...filters.audiences.values()].flatMap(({ filter }) => filter ?? [])] : [];
  return changesWithTime(asked);
}

/** Returns the names of the events that the campaign listens to or asks for. */
function namesIn({ definition, journey }: Published, { filters, published }: World): string[] {
  const { trigger, goal, cancel_on } = definition;
  const names = [trigger.type === "event" ? trigger.name : undefined, goal?.event, cancel_on?.event];
  for (const { step } of journey.nodes.values()) if (step.type === "wait_until") names.push(step.event);
  const asked = [conditionsOfCampaign(published), ...[...filters.audiences.values()].map(({ filter }) => filter)];
  for (const filter of asked)
    for (const condition of filter ? conditionsOf(filter) : []) if ("event" in condition) names.push(condition.event);
  return [...new Set(names.filter((name) => name !== undefined))];
}

/** Reads the events of these people, at the time at which the service recorded them. */
async function readHappenings(
  q: Queries,
  people: Person[],
  names: string[],
  { from, to }: { from: Date; to: Date },
): Promise<{ happenings: Happening[]; isComplete: boolean }> {
  const happenings: Happening[] = [];
  let isComplete = true;
  for (let i = 0; i < people.length; i += PAGE) {
    const keys = people.slice(i, i + PAGE).map((person) => person.person_key);
    const rows = await eventsOfPeople(q, keys, { names, from, limit: MOST_ROWS });
    for (const own of Map.groupBy(rows, (row) => row.person_key).values())
      if (own.length === MOST_ROWS) isComplete = false;
    for (const { person_key: personKey, name, properties, ts, received_at: at } of rows)
      if (at >= from && at <= to) happenings.push({ kind: "event", at, personKey, name, properties, ts });
  }
  return { happenings: happenings.sort((a, b) => a.at.getTime() - b.at.getTime()), isComplete };
}
