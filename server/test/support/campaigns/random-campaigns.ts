import type { CampaignDefinition } from "@tidings/contract/campaigns/campaigns";
import fc from "fast-check";

// Random small campaigns, people and events, for the test that compares a simulation with the engine.

/** The names of a case, and the objects of the workspace that its steps refer to. */
export interface Names {
  /** Distinguishes the events and people of one case from those of the others. */
  prefix: string;
  list: string;
  audience: string;
  message: string;
}

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
const spans = fc
  .record({ amount: fc.constantFrom(1, 2, 6), unit: fc.constantFrom("hours", "minutes") })
  .map((span) => ({
    ...span,
    amount: span.unit === "minutes" ? span.amount * 10 : span.amount,
  }));
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

export function randomCase({ prefix, list, audience, message }: Names): fc.Arbitrary<RandomCase> {
  const event = (name: string) => `${prefix}_${name}`;
  const events = fc.constantFrom("start", "e1", "e2").map(event);
  const where = fc.constantFrom(undefined, undefined, [{ property: "total", op: "gt", value: 10 }]);
  const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined, freq: 2 });
  const leaf = fc.oneof(
    fc.constantFrom<Record<string, unknown>>(
      { attribute: "plan", op: "eq", value: "pro" },
      { attribute: "email", op: "exists" },
      { trigger: "total", op: "gt", value: 10 },
      { audience: list },
      { audience },
      { message: "sent", op: "performed" },
    ),
    fc.record({ step: fc.constantFrom("s0", "s1", "s2"), op: fc.constantFrom("sent", "seen", "clicked", "failed") }),
    fc.record({ event: events, op: fc.constantFrom("performed", "not_performed") }),
    events.map((name) => ({ event: name, op: "performed", within: { amount: 1, unit: "hours" } })),
  );
  const filter = fc.oneof(
    leaf,
    leaf.map((not) => ({ not })),
    fc.array(leaf, { minLength: 1, maxLength: 2 }).map((any) => ({ any })),
    fc.array(leaf, { maxLength: 2 }).map((all) => ({ all })),
  );
  const content = fc.constantFrom(
    { channel: "email", content: { subject: "Hello", body: "{{person.plan}} {{trigger.total}}" } },
    { channel: "sms", content: { body: "Hello {{person.plan}} {{steps.s0.event.total}} {{batch.count}}" } },
    // It can't be rendered for people without the attribute.
    { channel: "sms", content: { body: "{{ person.number | divided_by: person.divisor }}" } },
    { channel: "push", content: { title: "Hi", message: "Hello {{person.plan}}" } },
    { channel: "in_app", message_id: message },
    { channel: "email", content: { subject: "A", body: "A" }, holdout_percent: 50 },
    {
      channel: "email",
      variants: [
        { name: "a", weight: 1, content: { subject: "A", body: "A" } },
        {
          name: "b",
          weight: 1,
          content: { subject: "B", body: "B" },
          locales: { de: { content: { subject: "D", body: "D" } } },
        },
      ],
    },
  );
  const escalate = fc.array(
    fc
      .tuple(
        fc.constantFrom(
          { channel: "email", content: { subject: "Again", body: "Again {{person.plan}}" } },
          { channel: "sms", content: { body: "Again" } },
          { channel: "in_app", message_id: message },
        ),
        spans,
      )
      .map(([own, after]) => ({ ...own, after })),
    { minLength: 1, maxLength: 2 },
  );
  const onFailure = maybe(fc.constantFrom("continue", "exit"));
  const whenHeld = maybe(fc.constantFrom("wait", "drop"));
  const { list: steps } = fc.letrec<{ step: object; list: object[] }>((tie) => ({
    list: fc.array(tie("step"), { maxLength: 3 }),
    step: fc.oneof(
      { maxDepth: 2, withCrossShrink: true },
      fc
        .tuple(content, onFailure, whenHeld)
        .map(([own, on_failure, when_held]) => ({ type: "message", ...own, on_failure, when_held })),
      fc.tuple(content, escalate, onFailure, whenHeld).map(([own, after, on_failure, when_held]) => ({
        type: "message",
        ...own,
        escalate: after,
        on_failure,
        when_held,
      })),
      spans.map((span) => ({ type: "wait", for: span })),
      fc
        .constantFrom("trigger.at", "person.renews_at")
        .chain((until) => maybe(spans).map((offset) => ({ type: "wait", until, offset }))),
      fc.constantFrom(
        { type: "wait_window", from: "14:00", to: "15:00" },
        { type: "wait_window", days: ["wed"] },
        { type: "throttle", limit: 1, window: { amount: 1, unit: "hours" }, otherwise: "wait" },
        { type: "throttle", key: "trigger.key", limit: 2, window: { amount: 2, unit: "hours" }, otherwise: "exit" },
        { type: "throttle", key: "person.plan", limit: 1, window: { amount: 1, unit: "hours" }, otherwise: "wait" },
        { type: "batch", window: { amount: 1, unit: "hours" } },
        { type: "batch", key: "trigger.key", window: { amount: 2, unit: "hours" }, max: 2 },
        { type: "update", attributes: { plan: "pro" } },
        { type: "update", attributes: { email: null, number: 4, divisor: 2 } },
        { type: "update", attributes: { phone: "no number" }, on_failure: "exit" },
        { type: "list", add: list },
        { type: "list", remove: list },
        { type: "exit" },
      ),
      fc.constantFrom(
        { type: "webhook", url: "https://calls.example.com/a?total={{trigger.total}}" },
        { type: "webhook", url: "https://calls.example.com/a", body: { plan: "{{person.plan}}" }, on_failure: "exit" },
        {
          type: "webhook",
          url: "https://calls.example.com/a",
          body: { n: "{{ person.number | divided_by: person.divisor }}" },
        },
      ),
      fc.record({ type: fc.constant("branch"), if: filter, then: tie("list"), else: tie("list") }),
      fc.record({
        type: fc.constant("wait_until"),
        event: events,
        where,
        timeout: spans,
        counts_from: maybe(fc.constantFrom("entry", "step")),
        then: tie("list"),
        else: tie("list"),
      }),
      fc.tuple(tie("list"), tie("list")).map(([one, other]) => ({
        type: "split",
        arms: [
          { name: "one", weight: 1, steps: one },
          { name: "other", weight: 2, steps: other },
        ],
      })),
    ),
  }));
  const definition = fc.record({
    trigger: fc.oneof(
      {
        weight: 5,
        arbitrary: where.map((own) => ({ type: "event", name: event("start"), ...(own && { where: own }) })),
      },
      { weight: 1, arbitrary: fc.constantFrom(...datesOf(event)) },
      { weight: 1, arbitrary: fc.constant({ type: "recurring", days: DAYS, at: DAY_TIMES[1], audience_id: audience }) },
    ),
    reentry: fc.constantFrom("once", "always", "always", { after: { amount: 1, unit: "hours" } }),
    steps: fc
      .tuple(steps, steps)
      .map(([one, other]) => withIds([...one, { type: "wait", for: { amount: 30, unit: "minutes" } }, ...other])),
    exit_when: fc.option(filter, { nil: null, freq: 3 }),
    goal: fc.option(
      fc.record({
        event: events,
        within: fc.constant({ amount: 2, unit: "hours" }),
        exit: fc.boolean(),
      }),
      { nil: null },
    ),
    cancel_on: fc.option(fc.record({ event: fc.constantFrom("e2", "stop").map(event) }), { nil: null }),
  });
  const person = fc.record(
    {
      plan: fc.constantFrom("pro", "free"),
      email: fc.constant(`ada@${prefix}.test`),
      phone: fc.constant("+41791234567"),
      timezone: fc.constantFrom(...ZONES),
      renews_at: fc.constantFrom("2026-03-10T13:00:00Z", "2026-03-11", "soon"),
      [event("renews_on")]: fc.constantFrom("2026-03-11", "2026-03-11T22:30:00-05:00", "2026-03-12", "soon"),
      [event("born_on")]: fc.constantFrom("1990-03-11", "2001-03-12", "2027-03-11"),
      locale: fc.constantFrom("de-CH", "fr"),
      subscribed: fc.constantFrom(true, true, false),
      number: fc.constant(4),
      divisor: fc.constant(2),
    },
    { requiredKeys: [] },
  );
  const happened = fc.record({
    at: times,
    late: fc.constantFrom(0, 0, 0, 10, 120, 60 * 48),
    person: fc.integer({ min: 0, max: 1 }),
    name: fc.constantFrom("start", "start", "e1", "e2", "stop").map(event),
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
  return fc.record({
    definition: (definition as unknown as fc.Arbitrary<RandomCase["definition"]>).filter(hasNoTies),
    people: fc.array(person, { minLength: 2, maxLength: 2 }),
    happenings: fc
      .tuple(fc.array(happened, { minLength: 3, maxLength: 8 }), fc.array(outcome, { maxLength: 3 }))
      .map(([all, outcomes]) => [...all, ...outcomes].sort((a, b) => a.at - b.at)),
  });
}

/** Numbers the steps, in the order of the definition: s0, s1 and so on. */
function withIds(steps: object[]): CampaignDefinition["steps"] {
  let next = 0;
  const numbered = (list: object[]): object[] =>
    list.map((step) => {
      const id = `s${next++}`;
      const own = step as { then?: object[]; else?: object[]; arms?: { steps: object[] }[] };
      const defined = Object.fromEntries(Object.entries(step).filter(([, value]) => value !== undefined));
      return {
        id,
        ...defined,
        ...(own.then && { then: numbered(own.then) }),
        ...(own.else && { else: numbered(own.else) }),
        ...(own.arms && { arms: own.arms.map((arm) => ({ ...arm, steps: numbered(arm.steps) })) }),
      };
    });
  return numbered(steps) as CampaignDefinition["steps"];
}

/** PostgreSQL returns runs that are due at one instant in any order, and a throttle or a batch step would tell them apart. */
function hasNoTies({ steps }: RandomCase["definition"]): boolean {
  const text = JSON.stringify(steps);
  return !/"(?:throttle|batch)"/.test(text) || !/"(?:until|wait_window|webhook)"/.test(text);
}
