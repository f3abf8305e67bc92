import type { CampaignDefinition } from "@tidings/contract/campaigns/campaigns";
import fc from "fast-check";
import { eventOf, eventsOf, maybe, type Names, randomFilter, randomSteps, where, withIds } from "./random-steps.ts";

export type { Names } from "./random-steps.ts";

// Random small campaigns, people and events, for the test that compares a simulation with the engine.

export interface RandomEvent {
  /** Minutes after the start. */
  at: number;
  /** How many minutes before `at` it happened. */
  late: number;
  person: number;
  name: string;
  properties: Record<string, unknown>;
}

/** The outcome of the message of a step, as feedback reports it. */
export interface RandomOutcome {
  at: number;
  person: number;
  step: string;
  happened: "seen" | "clicked" | "failed";
}

export interface RandomCase {
  definition: Pick<CampaignDefinition, "trigger" | "reentry" | "steps" | "exit_when" | "goal" | "cancel_on">;
  people: Record<string, unknown>[];
  happenings: (RandomEvent | RandomOutcome)[];
}

/** What the receivers of webhook steps answer: the first answers, one for each attempt, and then the last of them always. */
export interface RandomAnswer {
  status: number;
  body?: unknown;
  retryAfter?: number;
}
const ANSWERS: RandomAnswer[][] = [
  [{ status: 200, body: { total: 7, status: "of the body" } }],
  [
    { status: 503, retryAfter: 60 },
    { status: 500, body: "broken" },
    { status: 200, body: ["x"] },
  ],
  [{ status: 403, body: { error: "no" } }],
  [{ status: 429, body: "slower" }],
  [{ status: 204 }],
];

/** Returns the answers to the calls of a step, by its number. */
export const answersTo = (step: string): [RandomAnswer, ...RandomAnswer[]] =>
  ANSWERS[Number(step.slice(1)) % ANSWERS.length] as [RandomAnswer];

/** Few times, so that many things happen at once. */
const times = fc.integer({ min: 0, max: 30 }).map((n) => n * 10);
const totals = fc.constantFrom({ total: 5 }, { total: 50 }, {}, { total: 50, key: "a" }, { key: "a" }, { key: "b" });

/** When campaigns let people in on days. */
export const DAY_TIMES = ["09:00", "13:30"];
const DAYS = ["tue", "wed", "thu", "sat"];
const after = { amount: 1, unit: "days", direction: "after" };
/** Nobody of another case has the attributes, with which everybody enters. */
const datesOf = (event: (name: string) => string) => [
  { type: "date", attribute: event("renews_on"), at: DAY_TIMES[0] },
  { type: "date", attribute: event("renews_on"), at: DAY_TIMES[1], offset: after },
  { type: "date", attribute: event("born_on"), at: DAY_TIMES[0], yearly: true },
];
/** The zones of people. Somebody without one is in the workspace's. */
export const ZONES = ["Europe/Zurich", "America/New_York"];

export function randomCase(names: Names): fc.Arbitrary<RandomCase> {
  return fc.record({
    definition: (randomDefinition(names) as unknown as fc.Arbitrary<RandomCase["definition"]>).filter(hasNoTies),
    people: fc.array(randomPerson(names.prefix), { minLength: 2, maxLength: 2 }),
    happenings: fc
      .tuple(fc.array(randomEvent(names.prefix), { minLength: 3, maxLength: 8 }), fc.array(outcome, { maxLength: 3 }))
      .map(([all, outcomes]) => [...all, ...outcomes].sort((a, b) => a.at - b.at)),
  });
}

/** The second run of a person changes the date for which the first one waits: random cases hardly ever do. */
export const movingCase = (prefix: string): RandomCase => ({
  definition: {
    trigger: { type: "event", name: eventOf(prefix, "start") },
    reentry: "always",
    steps: [
      {
        id: "s0",
        type: "branch",
        if: { trigger: "total", op: "gt", value: 10 },
        then: [{ id: "s1", type: "update", attributes: { renews_at: "2026-03-10T13:00:00Z" } }],
        else: [],
      },
      { id: "s2", type: "wait", until: "person.renews_at" },
    ],
    exit_when: null,
    goal: null,
    cancel_on: null,
  },
  people: [{ renews_at: "2026-03-12" }],
  happenings: [5, 50].map((total, n) => ({
    at: n * 10,
    late: 0,
    person: 0,
    name: eventOf(prefix, "start"),
    properties: { total },
  })),
});

function randomDefinition(names: Names) {
  const event = (name: string) => eventOf(names.prefix, name);
  const steps = randomSteps(names);
  return fc.record({
    trigger: fc.oneof(
      {
        weight: 5,
        arbitrary: where.map((own) => ({ type: "event", name: event("start"), ...(own && { where: own }) })),
      },
      { weight: 1, arbitrary: fc.constantFrom(...datesOf(event)) },
      {
        weight: 1,
        arbitrary: fc.constant({ type: "recurring", days: DAYS, at: DAY_TIMES[1], audience_id: names.audience }),
      },
    ),
    reentry: fc.constantFrom("once", "always", "always", { after: { amount: 1, unit: "hours" } }),
    steps: fc
      .tuple(steps, steps)
      .map(([one, other]) => withIds([...one, { type: "wait", for: { amount: 30, unit: "minutes" } }, ...other])),
    exit_when: fc.option(randomFilter(names), { nil: null, freq: 3 }),
    goal: fc.option(
      fc.record({
        event: eventsOf(names.prefix),
        within: fc.constant({ amount: 2, unit: "hours" }),
        exit: fc.boolean(),
      }),
      { nil: null },
    ),
    cancel_on: fc.option(fc.record({ event: fc.constantFrom("e2", "stop").map(event) }), { nil: null }),
  });
}

function randomPerson(prefix: string) {
  return fc.record(
    {
      plan: fc.constantFrom("pro", "free"),
      email: fc.constant(`ada@${prefix}.test`),
      phone: fc.constant("+41791234567"),
      timezone: fc.constantFrom(...ZONES),
      renews_at: fc.constantFrom("2026-03-10T13:00:00Z", "2026-03-11", "soon"),
      [eventOf(prefix, "renews_on")]: fc.constantFrom("2026-03-11", "2026-03-11T22:30:00-05:00", "2026-03-12", "soon"),
      [eventOf(prefix, "born_on")]: fc.constantFrom("1990-03-11", "2001-03-12", "2027-03-11"),
      locale: fc.constantFrom("de-CH", "fr"),
      subscribed: fc.constantFrom(true, true, false),
      number: fc.constant(4),
      divisor: fc.constant(2),
    },
    { requiredKeys: [] },
  );
}

const randomEvent = (prefix: string) =>
  fc.record({
    at: times,
    late: fc.constantFrom(0, 0, 0, 10, 120, 60 * 48),
    person: fc.integer({ min: 0, max: 1 }),
    name: fc.constantFrom("start", "start", "e1", "e2", "stop").map((name) => eventOf(prefix, name)),
    properties: fc
      .tuple(totals, maybe(fc.constant("key")), maybe(fc.constant("2026-03-10T13:30:00Z")))
      .map(([own, cancellation_key, at]) => ({
        ...own,
        ...(cancellation_key && { cancellation_key }),
        ...(at && { at }),
      })),
  });

const outcome = fc.record({
  at: times,
  person: fc.integer({ min: 0, max: 1 }),
  step: fc.constantFrom("s0", "s1", "s2"),
  happened: fc.constantFrom("seen" as const, "clicked" as const, "failed" as const),
});

/** PostgreSQL returns runs that are due at one instant in any order, and a throttle or a batch step would tell them apart. */
function hasNoTies({ steps }: RandomCase["definition"]): boolean {
  const text = JSON.stringify(steps);
  return !/"(?:throttle|batch)"/.test(text) || !/"(?:until|wait_window|webhook)"/.test(text);
}
