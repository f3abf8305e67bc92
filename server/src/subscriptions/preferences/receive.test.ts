import type { Channel } from "@tidings/contract/facts/activity";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Ask, mayReceive, type States } from "./receive.ts";

const topic = { id: "top_news", default: "subscribed" as const };
const states = fc.record({
  subscribed: fc.boolean(),
  preferences: fc.dictionary(fc.constantFrom("email", "push", "sms", "in_app", "top_news", "top_other"), fc.boolean()),
});
const asks: fc.Arbitrary<Ask> = fc.record({
  channel: fc.constantFrom<Channel>("email", "push", "sms", "in_app"),
  topic: fc.constantFrom(undefined, topic, { ...topic, default: "unsubscribed" as const }),
  preference: fc.constantFrom("subscribed" as const, "all" as const),
});

test("a message for all reaches everybody", () => {
  fc.assert(
    fc.property(states, asks, (person, ask) => {
      expect(mayReceive(person, { ...ask, preference: "all" })).toBeUndefined();
    }),
  );
});

test("a person who is unsubscribed from all receives nothing that respects it, whatever else was chosen", () => {
  fc.assert(
    fc.property(states, asks, (person, ask) => {
      expect(mayReceive({ ...person, subscribed: false }, { ...ask, preference: "subscribed" })).toBe("unsubscribed");
    }),
  );
});

test("turning something off never lets a message through that was held back before", () => {
  fc.assert(
    fc.property(states, asks, fc.constantFrom("email", "push", "sms", "in_app", "top_news"), (person, ask, key) => {
      const fewer: States = { ...person, preferences: { ...person.preferences, [key]: false } };
      if (mayReceive(person, ask) !== undefined) expect(mayReceive(fewer, ask)).toBeDefined();
    }),
  );
});

test("choices about other channels and topics change nothing", () => {
  fc.assert(
    fc.property(states, asks, fc.boolean(), (person, ask, state) => {
      const other = ask.channel === "sms" ? "email" : "sms";
      const preferences = { ...person.preferences, [other]: state, top_other: state };
      expect(mayReceive({ ...person, preferences }, ask)).toBe(mayReceive(person, ask));
    }),
  );
});

test.each([
  [{}, "subscribed", undefined],
  [{}, "unsubscribed", "topic_unsubscribed"],
  [{ top_news: true }, "unsubscribed", undefined],
  [{ top_news: false }, "subscribed", "topic_unsubscribed"],
  [{ top_news: true, email: false }, "subscribed", "channel_unsubscribed"],
  [{ email: true }, "unsubscribed", "topic_unsubscribed"],
] as const)("who chose %j, with a topic whose default is %s: %s", (preferences, state, reason) => {
  const ask: Ask = { channel: "email", topic: { id: "top_news", default: state }, preference: "subscribed" };
  expect(mayReceive({ subscribed: true, preferences }, ask)).toBe(reason);
});
