import { journeyOf, type JourneyNode } from "@tidings/contract/campaigns/journey";
import type { Step, StepOf } from "@tidings/contract/campaigns/steps";
import fc from "fast-check";
import { expect, test } from "vitest";
import { escalationOf, type TriedMessage } from "./escalation.ts";
import { type Outcome, turn } from "./turn.ts";

const START = new Date("2026-03-01T12:00:00Z");
const HOUR = 3_600_000;
const later = (ms: number) => new Date(START.getTime() + ms);
const hours = (amount: number) => ({ amount, unit: "hours" as const });
const step: Pick<StepOf<"message">, "escalate"> = {
  escalate: [
    { after: hours(2), channel: "push", content: { title: "t", message: "m" } },
    { after: hours(24), channel: "email", content: { subject: "s", body: "b" } },
  ],
};
const sent: TriedMessage = { seen: false, open: true };
const gone: TriedMessage = { seen: false, open: false };
const seen: TriedMessage = { seen: true, open: false };
const failed = (reason: string): TriedMessage => ({ failed: reason, seen: false, open: false });
const at = (tried: TriedMessage[], ms = 0, of = step) => escalationOf(of, { tried, since: START }, later(ms));

test("the step's own message is sent first, and each later one when its time after the message before is over", () => {
  expect(at([])).toEqual({ kind: "send", position: 0 });
  expect(at([sent])).toEqual({ kind: "wait", until: later(2 * HOUR) });
  expect(at([sent], 2 * HOUR - 1)).toEqual({ kind: "wait", until: later(2 * HOUR) });
  expect(at([sent], 2 * HOUR)).toEqual({ kind: "send", position: 1 });
  expect(at([sent, sent], 2 * HOUR)).toEqual({ kind: "wait", until: later(24 * HOUR) });
  expect(at([sent, sent], 24 * HOUR)).toEqual({ kind: "send", position: 2 });
  expect(at([sent, sent, sent])).toEqual({ kind: "over", failed: undefined });
});

test("a message that fails is followed at once, and the step fails where all of them fail", () => {
  expect(at([failed("no_address")])).toEqual({ kind: "send", position: 1 });
  expect(at([failed("a"), failed("b")])).toEqual({ kind: "send", position: 2 });
  expect(at([failed("a"), failed("b"), failed("c")])).toEqual({ kind: "over", failed: "c" });
  expect(at([failed("a"), gone, failed("c")])).toEqual({ kind: "over", failed: undefined });
});

test("after one is seen, no other follows, and those that did not arrive are taken back", () => {
  expect(at([seen])).toEqual({ kind: "over", failed: undefined });
  expect(at([seen], 48 * HOUR)).toEqual({ kind: "over", failed: undefined });
  expect(at([sent, seen])).toEqual({ kind: "take back", positions: [0] });
  expect(at([gone, seen])).toEqual({ kind: "over", failed: undefined });
});

test("a message step turns until each person has what they get", () => {
  const journey = journeyOf([
    { id: "m", type: "message", channel: "in_app", ...step, on_failure: "exit" },
    { id: "next", type: "exit" },
  ] as Step[]);
  const turned = (tried: TriedMessage[], outcome?: Outcome) =>
    turn(
      journey.nodes.get("m") as JourneyNode,
      { steppedAt: START, trigger: {}, person: {}, zone: "UTC" },
      { messages: { tried, since: START }, ...(outcome && { outcome }) },
      { now: START, clock: START },
    );
  const after = (...tried: TriedMessage[]) => turned([], { messages: { tried, since: START } });
  expect(turned([])).toEqual({ kind: "effect" });
  expect(turned([], { heldOut: true })).toMatchObject({ kind: "go", to: "next", failed: null });
  expect(after(sent)).toEqual({ kind: "wait", until: later(2 * HOUR), fixed: false, event: null });
  expect(after(failed("no_address"))).toEqual({ kind: "effect" });
  expect(turned([sent, seen])).toEqual({ kind: "effect", takeBack: [0] });
  expect(after(gone, seen)).toMatchObject({ kind: "go", to: "next", failed: null });
  expect(after(failed("a"), failed("b"), failed("c"))).toMatchObject({
    kind: "end",
    reason: "step_failed",
    failed: "c",
  });
});

test("whatever happens to the messages, each is sent at most once, in order, and the step comes to an end", () => {
  const fates = fc.constantFrom<TriedMessage>(sent, gone, seen, failed("x"));
  const spans = fc.array(fc.integer({ min: 1, max: 100 }), { maxLength: 10 });
  fc.assert(
    fc.property(spans, fc.array(fates, { minLength: 11, maxLength: 11 }), (amounts, fate) => {
      const of = { escalate: amounts.map((amount) => ({ after: hours(amount), channel: "sms" as const })) };
      const tried: TriedMessage[] = [];
      let [since, clock] = [START, START];
      for (let turns = 0; ; turns++) {
        expect(turns).toBeLessThan(40);
        const next = escalationOf(of, { tried, since }, clock);
        if (next.kind === "over") break;
        if (next.kind === "wait") {
          expect(next.until > clock).toBe(true);
          clock = next.until;
        } else if (next.kind === "take back") for (const i of next.positions) tried[i] = gone;
        else {
          expect(next.position).toBe(tried.length);
          expect(tried.some((one) => one.seen)).toBe(false);
          tried.push(fate[next.position] as TriedMessage);
          since = clock;
        }
      }
      const first = fate.slice(0, amounts.length + 1).findIndex((one) => one.seen);
      expect(tried).toHaveLength(first === -1 ? amounts.length + 1 : first + 1);
    }),
  );
});
