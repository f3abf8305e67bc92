import { expect, test } from "vitest";
import type { CampaignDefinition } from "./campaigns.ts";
import type { Step } from "./steps.ts";
import { summaryOf } from "./summary.ts";

const hours = (amount: number) => ({ amount, unit: "hours" as const });
const base: CampaignDefinition = {
  trigger: { type: "api" },
  reentry: "once",
  steps: [],
  entry_max_age: hours(24),
  exit_when: null,
  goal: null,
  cancel_on: null,
};
const texts = (definition: Partial<CampaignDefinition>) =>
  summaryOf({ ...base, ...definition }).map(({ depth, text }) => `${"  ".repeat(depth)}${text}`);

test("a journey is said in a sentence a step", () => {
  const steps: Step[] = [
    { id: "mail", type: "message", channel: "email", content: { subject: "Your basket", body: "x" } },
    { id: "wait", type: "wait_until", event: "paid", timeout: hours(1), then: [{ id: "out", type: "exit" }] },
    {
      id: "fork",
      type: "branch",
      if: { all: [{ step: "mail", op: "seen" }, { not: { trigger: "total", op: "lt", value: 100 } }] },
      then: [{ id: "push", type: "message", channel: "push" }],
      else: [
        {
          id: "split",
          type: "split",
          arms: [
            { name: "A", weight: 1 },
            { name: "B", weight: 3, steps: [{ id: "on", type: "list", add: "aud_1" }] },
          ],
        },
      ],
    },
  ];
  expect(
    texts({
      trigger: { type: "event", name: "basket_left", where: [{ property: "items", op: "gte", value: 2 }] },
      reentry: { after: { amount: 1, unit: "days" } },
      exit_when: { any: [{ attribute: "plan", op: "in", value: ["pro", "max"] }, { subscribed: false }] },
      goal: { event: "paid", within: hours(48), exit: true },
      cancel_on: { event: "order_canceled" },
      steps,
    }),
  ).toEqual([
    'People enter when they do "basket_left" with items is at least 2, not sooner than 1 day after the last time.',
    'They leave as soon as, before a step, (plan is one of "pro", "max") or (they are not subscribed).',
    'They leave when they do "order_canceled".',
    'The goal is "paid" within 48 hours, and who reaches it leaves.',
    'They get an email "Your basket".',
    'They wait for "paid", at most 1 hour.',
    "  If it comes:",
    "  They leave.",
    "It is asked whether (the message of mail was seen) and (not (trigger.total is under 100)).",
    "  If so:",
    "  They get a push.",
    "  If not:",
    "  They are divided at random: 25 % A, 75 % B.",
    "    Arm B:",
    "    They are put on the list aud_1.",
  ]);
});

test.each<[Step, string]>([
  [{ id: "a", type: "message" }, "They get ...."],
  [
    { id: "a", type: "message", channel: "sms", when_held: "drop" },
    "They get a text message, unless limits hold it back.",
  ],
  [{ id: "a", type: "wait", for: hours(1) }, "They wait for 1 hour."],
  [
    { id: "a", type: "wait", until: "person.renews_at", offset: { amount: 7, unit: "days", direction: "before" } },
    "They wait until 7 days before person.renews_at.",
  ],
  [
    { id: "a", type: "wait_window", from: "09:00", to: "17:00", days: ["mon", "tue"] },
    "They wait until it is between 09:00 and 17:00 where they are, on mon, tue.",
  ],
  [
    { id: "a", type: "throttle", limit: 2, window: { amount: 1, unit: "days" }, key: "trigger.post_id" },
    "At most 2 pass in 1 day, by trigger.post_id; the others leave.",
  ],
  [{ id: "a", type: "update", attributes: { plan: "pro", seen: true } }, "Their plan, seen is set."],
  [{ id: "a", type: "list", remove: "aud_1" }, "They are taken off the list aud_1."],
  [{ id: "a", type: "start", campaign_id: "cmp_1" }, "They enter the campaign cmp_1."],
  [{ id: "a", type: "split" }, "They are divided at random: ...."],
])("%j", (step, text) => {
  expect(summaryOf({ ...base, steps: [step] })[1]).toEqual({ step_id: "a", depth: 0, text });
});
