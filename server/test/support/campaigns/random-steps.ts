import type { CampaignDefinition } from "@tidings/contract/campaigns/campaigns";
import fc from "fast-check";

// Random steps of campaigns, for the test that compares a simulation with the engine.

/** The names of a case, and the objects of the workspace that its steps refer to. */
export interface Names {
  /** Distinguishes the events and people of one case from those of the others. */
  prefix: string;
  list: string;
  audience: string;
  message: string;
}

/** The event of this name of one case. */
export const eventOf = (prefix: string, name: string): string => `${prefix}_${name}`;
export const eventsOf = (prefix: string): fc.Arbitrary<string> =>
  fc.constantFrom("start", "e1", "e2").map((name) => eventOf(prefix, name));
export const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined, freq: 2 });
export const where = fc.constantFrom(undefined, undefined, [{ property: "total", op: "gt", value: 10 }]);

const spans = fc
  .record({ amount: fc.constantFrom(1, 2, 6), unit: fc.constantFrom("hours", "minutes") })
  .map((span) => ({
    ...span,
    amount: span.unit === "minutes" ? span.amount * 10 : span.amount,
  }));

export function randomFilter({ prefix, list, audience }: Names) {
  const events = eventsOf(prefix);
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
  return fc.oneof(
    leaf,
    leaf.map((not) => ({ not })),
    fc.array(leaf, { minLength: 1, maxLength: 2 }).map((any) => ({ any })),
    fc.array(leaf, { maxLength: 2 }).map((all) => ({ all })),
  );
}

/** The editions of a message step. */
const editionsOf = ({ message }: Names) =>
  fc.constantFrom(
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

const escalations = ({ message }: Names) =>
  fc.array(
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

function messageSteps(names: Names) {
  const content = editionsOf(names);
  const escalate = escalations(names);
  return [
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
  ];
}

/** The steps without ways. */
const plainSteps = ({ list }: Names) => [
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
    { type: "update", attributes: { renews_at: "2026-03-10T12:40:00Z" } },
    { type: "update", attributes: { renews_at: null, timezone: "America/New_York" } },
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
];

/** The steps with ways, whose steps are of `ways`. */
function forks(names: Names, ways: fc.Arbitrary<object[]>) {
  return [
    fc.record({ type: fc.constant("branch"), if: randomFilter(names), then: ways, else: ways }),
    fc.record({
      type: fc.constant("wait_until"),
      event: eventsOf(names.prefix),
      where,
      timeout: spans,
      counts_from: maybe(fc.constantFrom("entry", "step")),
      then: ways,
      else: ways,
    }),
    fc.tuple(ways, ways).map(([one, other]) => ({
      type: "split",
      arms: [
        { name: "one", weight: 1, steps: one },
        { name: "other", weight: 2, steps: other },
      ],
    })),
  ];
}

export function randomSteps(names: Names): fc.Arbitrary<object[]> {
  return fc.letrec<{ step: object; list: object[] }>((tie) => ({
    list: fc.array(tie("step"), { maxLength: 3 }),
    step: fc.oneof(
      { maxDepth: 2, withCrossShrink: true },
      ...messageSteps(names),
      ...plainSteps(names),
      ...forks(names, tie("list")),
    ),
  })).list;
}

/** Numbers the steps, in the order of the definition: s0, s1 and so on. */
export function withIds(steps: object[]): CampaignDefinition["steps"] {
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
