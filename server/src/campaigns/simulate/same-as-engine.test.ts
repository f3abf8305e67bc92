import type { MarketingLimits } from "@tidings/contract/workspaces";
import fc from "fast-check";
import { expect, test } from "vitest";
import { CallsInService, DAYS_MS, dayTimes } from "../../../test/support/campaigns/around-engine.ts";
import {
  answersTo,
  movingCase,
  type Names,
  type RandomCase,
  type RandomEvent,
  type RandomOutcome,
  randomCase,
} from "../../../test/support/campaigns/random-campaigns.ts";
import { toldByService, toldBySimulation } from "../../../test/support/campaigns/told.ts";
import { engineService } from "../../../test/support/services/engine.ts";
import { recordEvents } from "../../events/index.ts";
import { findPeople, type Person } from "../../people/index.ts";
import { sql } from "../../platform/db/index.ts";
import type { Rehearsed } from "../../sendings/index.ts";
import { personKey, type Workspace, workspaceById } from "../../workspaces/index.ts";
import { CAMPAIGNS_CHANGED } from "../definition/entrances.ts";
import type { Published } from "../definition/published.ts";
import { deliveryIdOf } from "../engine/steps/batch.ts";
import { checkPeople } from "../entry/audience-check.ts";
import { letInPage, planNext } from "../entry/schedule-work.ts";
import { wakeEscalating } from "../run/wake-store.ts";
import { followSchedule } from "../schedule/follow.ts";
import { buildWorld } from "./world/build.ts";
import { type Happening, play } from "./world/play.ts";
import type { Observer, SimulatedAnswer, World } from "./world/world.ts";

// Random small campaigns with random events go through the engine, with PostgreSQL and a test's clock, and through the simulation. Both
// must say the same of every run: its passages, ways, times, messages and end.

const CASES = Number(process.env.SIMULATED_CASES ?? 40);
const MINUTE = 60_000;

const { it, clock, campaign, settle, identify, define } = await engineService();
const { ground } = it.service;
const { db } = ground;
let start = clock.now();

const make = async (path: string, body: object): Promise<string> => (await it.call("POST", path, { body })).body.id;
const list = await make("/api/v1/audiences", { name: "List", kind: "list" });
const audience = await make("/api/v1/audiences", {
  name: "Pros",
  kind: "filter",
  filter: { attribute: "plan", op: "eq", value: "pro" },
});
const message = await define({ body: "Hello {{person.plan}} {{trigger.total}}" });
let workspace = (await workspaceById(db, it.workspaceId)) as Workspace;

/** One case: its campaign and its people, who nobody else has. */
interface Prepared {
  random: RandomCase;
  published: Published;
  people: Person[];
  messages: Map<string, Rehearsed>;
  world: World;
}

/** On days of the week all people of an audience enter: it must not contain those of other cases. */
async function withOwnAudience(
  definition: RandomCase["definition"],
  prefix: string,
): Promise<RandomCase["definition"]> {
  const { trigger } = definition;
  if (trigger.type !== "recurring") return definition;
  const own = { attribute: "email", op: "eq", value: `ada@${prefix}.test` };
  const filter = { all: [own, { attribute: "plan", op: "eq", value: "pro" }] };
  return {
    ...definition,
    trigger: { ...trigger, audience_id: await make("/api/v1/audiences", { name: prefix, filter }) },
  };
}

async function prepare(random: RandomCase, prefix: string): Promise<Prepared> {
  const published = await campaign(random.definition.steps, await withOwnAudience(random.definition, prefix));
  await db.transaction((tx) => followSchedule(tx, published, start));
  const ids = random.people.map((_, i) => `${prefix}-${i}`);
  for (const [i, attributes] of random.people.entries()) await identify(ids[i] as string, attributes);
  const found = await findPeople(
    db,
    ids.map((id) => ({ workspaceId: it.workspaceId, id })),
  );
  const people = found as Person[];
  const messages = new Map<string, Rehearsed>();
  const world = await buildWorld({
    q: db,
    ground,
    workspace,
    published,
    people,
    madeUp: false,
    render: true,
    start,
    responses: responsesOf(published),
    observer: {
      ...SILENT,
      // The passage names the delivery of a step's own message, which is the first.
      rehearsed({ id }, stepId, _channel, sent) {
        const key = `${id} ${stepId}`;
        if (!messages.has(key)) messages.set(key, sent);
      },
    },
  });
  return { random, published, people, messages, world };
}

const nothing = () => {};
const SILENT: Observer = {
  happened: nothing,
  entered: nothing,
  refused: nothing,
  evaluated: nothing,
  rehearsed: nothing,
  passed: nothing,
  outcome: nothing,
  attempted: nothing,
  reachedGoal: nothing,
  ended: nothing,
};

const at = (minutes: number): Date => new Date(start.getTime() + minutes * MINUTE);
const tsOf = ({ at: minutes, late }: RandomEvent): Date => at(minutes - late);

/** Returns the answers to the calls of a campaign, as the input of a simulation gives them. */
const responsesOf = ({ journey }: Published): World["responses"] =>
  new Map(
    [...journey.nodes.keys()].map((step) => {
      const given = answersTo(step).map(({ status, body = null, retryAfter = null }) => ({
        status,
        body,
        error: null,
        retryAfter,
      }));
      return [step, { first: given, rest: given.at(-1) as SimulatedAnswer }];
    }),
  );

/** Lets the people in who are due on a day now. */
async function enterOnDays(): Promise<void> {
  while (await planNext(ground));
  while (await letInPage(ground));
}

/** Lets everything of all cases happen in the service: events are recorded, messages are sent and seen, and the engine advances the runs. */
async function inService(all: Prepared[]): Promise<void> {
  const coming = all
    .flatMap(({ random, people, published }) =>
      random.happenings.map((one) => ({ one, person: people[one.person] as Person, published })),
    )
    .sort((a, b) => a.one.at - b.one.at);
  const calls = new CallsInService(it);
  const days = dayTimes(start, workspace.timezone);
  for (;;) {
    const [{ due }] = (await db.query<{ due: Date | null }>(sql`select min(due_at) as due from campaign_runs`)) as [
      { due: Date | null },
    ];
    const [next] = coming;
    const callAt = await calls.next();
    const dayAt = days[0] ?? Infinity;
    const now = Math.min(due?.getTime() ?? Infinity, callAt, next ? at(next.one.at).getTime() : Infinity, dayAt);
    if (now === Infinity) return;
    if (now > clock.now().getTime()) clock.set(new Date(now));
    if (due !== null && due.getTime() <= now) {
      await settle();
      while (await checkPeople(ground, ground.entrances));
      await db.execute(
        sql`update deliveries set status = 'sent', sent_at = queued_at where status = 'queued' and channel <> 'in_app'`,
      );
    } else if (callAt <= now) await calls.make();
    else if (next && at(next.one.at).getTime() <= now) {
      coming.shift();
      if ("name" in next.one) await record(next.person, next.one);
      else await report(next.published, next.person, next.one);
    } else {
      days.shift();
      await enterOnDays();
    }
  }
}

const record = ({ person_id: personId }: Person, event: RandomEvent) =>
  db.transaction((tx) =>
    recordEvents(
      tx,
      [
        {
          workspaceId: it.workspaceId,
          personKey: personKey(it.workspaceId, personId),
          name: event.name,
          properties: event.properties,
          ts: tsOf(event),
          eventId: undefined,
        },
      ],
      clock.now(),
    ),
  );

/** Writes the outcome of the newest message of a step, as the feedback of a provider or a client does. */
async function report(
  { campaignId }: Published,
  { person_key }: Person,
  { step, happened }: RandomOutcome,
): Promise<void> {
  const runs = await db.query<{ id: string }>(sql`
    select id from campaign_runs where person_key = ${person_key} and campaign_id = ${campaignId} order by entered_at desc, id desc`);
  const ids = runs.flatMap(({ id }) => [2, 1, 0].map((position) => deliveryIdOf(id, step, position)));
  const arriving = await db.query<{ id: string }>(sql`
    select id from deliveries where person_key = ${person_key} and id = any(${ids}::uuid[]) and status in ('queued', 'sent')`);
  const newest = ids.find((id) => arriving.some((one) => one.id === id));
  if (newest === undefined) return;
  const now = clock.now();
  await db.transaction(async (tx) => {
    await tx.execute(sql`
      update deliveries d set
        status = case when ${happened} = 'failed' then 'failed' else d.status end,
        sent_at = case when ${happened} = 'failed' then null else d.sent_at end,
        clicked_at = case when ${happened} = 'clicked' then ${now}::timestamptz else d.clicked_at end,
        shown_at = case when ${happened} = 'seen' and d.channel = 'in_app' then ${now}::timestamptz else d.shown_at end,
        opened_at = case when ${happened} = 'seen' and d.channel <> 'in_app' then ${now}::timestamptz else d.opened_at end
      where d.person_key = ${person_key} and d.id = ${newest}`);
    await wakeEscalating(tx, [{ personKey: person_key, deliveryId: newest }], now);
  });
}

function inSimulation({ random, people, world }: Prepared): Promise<unknown> {
  const happenings = random.happenings.map((one): Happening => {
    const { person_key: personKey } = people[one.person] as Person;
    if (!("name" in one))
      return { at: at(one.at), personKey, kind: "outcome", stepId: one.step, happened: one.happened };
    return { at: at(one.at), personKey, kind: "event", name: one.name, properties: one.properties, ts: tsOf(one) };
  });
  const follows = { daysUntil: new Date(start.getTime() + DAYS_MS), everyHour: false };
  return play(world, happenings, { until: at(60 * 24 * 365), stops: () => undefined, follows });
}

/** People have one run each where the limits hold: runs that wait for the same room get it in any order. */
const limitedCase = (names: Names) =>
  randomCase(names)
    .filter(({ definition: { steps } }) => !/"(?:throttle|batch)"/.test(JSON.stringify(steps)))
    .map((random): RandomCase => ({ ...random, definition: { ...random.definition, reentry: "once" } }));

const LIMITS: MarketingLimits = {
  per_day: 2,
  channels: {
    email: { per_day: 1, window: { from: "13:00", to: "18:00" } },
    sms: { window: { from: "10:00", to: "16:00" } },
    in_app: { per_week: 1 },
  },
};

test.each([
  { of: "a workspace without limits", prefix: "c", limits: {}, cases: CASES, least: CASES / 2, caseOf: randomCase },
  {
    of: "a workspace with limits",
    prefix: "l",
    limits: LIMITS,
    cases: CASES / 2,
    least: CASES / 8,
    caseOf: limitedCase,
  },
])("a simulation says of random campaigns and events of $of what the engine makes of them", async (variant) => {
  await it.call("PATCH", "/api/v1/workspace", { body: { marketing_limits: variant.limits } });
  workspace = (await workspaceById(db, it.workspaceId)) as Workspace;
  start = clock.now();
  const all: Prepared[] = [await prepare(movingCase(`${variant.prefix}moving`), `${variant.prefix}moving`)];
  for (let i = 0; i < variant.cases; i++) {
    const names = { prefix: `${variant.prefix}${i}`, list, audience, message };
    const [random] = fc.sample(variant.caseOf(names), { numRuns: 1, seed: Number(process.env.FC_SEED ?? 1) + i });
    all.push(await prepare(random as RandomCase, names.prefix));
  }
  ground.signals.publish(CAMPAIGNS_CHANGED, [it.workspaceId]);
  await Promise.all(all.map(inSimulation));
  await inService(all);
  let runs = 0;
  let held = 0;
  let onDays = 0;
  let repeated = 0;
  for (const one of all) {
    const service = await toldByService(db, one.published.campaignId);
    runs += service.length;
    held += service.flatMap(({ passages }) => passages).filter((one) => /"held_by/.test(JSON.stringify(one))).length;
    onDays += service.filter(({ data }) => "date" in data).length;
    repeated += service
      .flatMap(({ passages }) => passages)
      .filter((one) => /"attempts":[2-5]/.test(JSON.stringify(one))).length;
    expect(toldBySimulation(one.world, one.messages), JSON.stringify(one.random, null, 1)).toEqual(service);
  }
  // The cases are no empty ones.
  expect(runs).toBeGreaterThan(variant.least);
  expect(held > 0).toBe(variant.limits === LIMITS);
  if (variant.limits !== LIMITS) expect([onDays, repeated].map((count) => count > 0)).toEqual([true, true]);
});
