import { expect, test } from "vitest";
import type { Broadcast } from "../broadcast.ts";
import { emptyValues, fieldOf, inputOf, patchOf, stepOf, valuesOf } from "./values.ts";

const stored = {
  name: "Spring",
  channel: "email",
  audience_id: null,
  audience: { subscribed: true },
  message_id: null,
  content: null,
  locales: null,
  variants: [
    {
      name: "A",
      weight: 1,
      content: { template_id: "tpl_1", template_version: 3 },
      locales: { de: { content: { subject: "Hallo" } } },
    },
    { name: "B", weight: 2, content: { subject: "Hello" }, locales: null },
  ],
  holdout_percent: 5,
  topic_id: null,
  tracking: { opens: true, clicks: false },
  subscription_preference: "subscribed",
  when_held: "drop",
  rate_per_second: null,
} as unknown as Broadcast;

test("a copy has everything that was written, and no version that sending fixed", () => {
  const input = inputOf("email", valuesOf(stored));
  expect(input).toMatchObject({
    channel: "email",
    name: "Spring",
    audience: { subscribed: true },
    holdout_percent: 5,
    when_held: "drop",
  });
  expect(input.variants?.[0]).toEqual({
    name: "A",
    weight: 1,
    content: { template_id: "tpl_1" },
    locales: { de: { content: { subject: "Hallo" } } },
  });
  expect(input.variants?.[1]).toMatchObject({ name: "B", weight: 2, content: { subject: "Hello" } });
  expect(input).not.toHaveProperty("rate_per_second");
  expect(input).not.toHaveProperty("topic_id");
});

test("a change sends what was typed and nothing else", () => {
  const values = { ...emptyValues, name: "New", rate_per_second: "" as const };
  expect(patchOf(values, ["name"])).toEqual({ name: "New" });
  expect(patchOf(values, ["rate_per_second"])).toEqual({ rate_per_second: null });
});

test("one content in place of variants says that there are no languages any more", () => {
  const values = { ...emptyValues, editions: { content: { subject: "Hello" } } };
  expect(patchOf(values, ["editions"])).toEqual({ content: { subject: "Hello" }, locales: null });
  const split = { ...emptyValues, editions: { variants: [] } };
  expect(patchOf(split, ["editions"])).toEqual({ variants: [] });
});

test.each([
  ["/variants/0/content/subject", "editions/variants/0/content/subject", "content"],
  ["/message_id", "editions/message_id", "content"],
  ["/audience_id", "audience", "audience"],
  ["/audience/all/0/op", "audience/all/0/op", "audience"],
  ["/holdout_percent", "holdout_percent", "settings"],
])("what is refused at %s is shown at %s, in the step %s", (pointer, place, step) => {
  expect(fieldOf(pointer)).toBe(place);
  expect(stepOf(place.split("/")[0] as string)).toBe(step);
});
