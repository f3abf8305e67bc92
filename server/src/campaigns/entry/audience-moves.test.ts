import type { Filter } from "@tidings/contract/audience/audiences";
import { expect, test } from "vitest";
import { EMAIL, sweepingService } from "../../../test/support/campaigns/sweeping.ts";
import { sql } from "../../platform/db/index.ts";
import { newId } from "../../platform/ids.ts";

const { clock, db, messages, call, identify, audience, list, watched, work, membersOf, feedIsWhole } =
  await sweepingService();

const hours = (amount: number) => ({ amount, unit: "hours" as const });
/** Minutes before now as a time; negative minutes are in the future. */
const timeOf = (minutes: number) => new Date(clock.now().getTime() - minutes * 60_000).toISOString();

/** A person for one scenario. */
const someone = async (): Promise<string> => {
  const id = `p-${newId()}`;
  await identify(id, {});
  return id;
};
const send = (who: string) =>
  db.transaction(async (tx) => {
    const made = await messages.insert(tx, { ...EMAIL, person: who });
    await messages.end(tx, made, "sent");
  });
const topic = (await call("POST", "/api/v1/topics", { name: newId(), default: "unsubscribed" })).body.id;
const changing = await audience({ filter: { attribute: "plan", op: "eq", value: "nobody has it" } });
const event = `event_${newId().replaceAll("-", "")}`;

interface Scenario {
  filter: Filter;
  happens: (who: string) => Promise<unknown>;
  /** After these minutes, whether the person is in the audience. */
  then: [minutes: number, inside: boolean][];
}
const scenarios: [string, Scenario][] = [
  [
    "an attribute's time that comes into the last hours and leaves them",
    {
      filter: { attribute: "seen", op: "within_last", value: hours(2) },
      happens: (who) => identify(who, { seen: timeOf(-30) }),
      then: [
        [1, false],
        [30, true],
        [60, true],
        [90, false],
      ],
    },
  ],
  [
    "an event that no longer counts",
    {
      filter: { event, op: "performed", within: hours(1) },
      happens: (who) => call("POST", "/data-gateway/v1/track", { person_id: who, eventName: event }),
      then: [
        [1, true],
        [60, false],
      ],
    },
  ],
  ["a message that was sent", { filter: { message: "sent", op: "performed" }, happens: send, then: [[1, true]] }],
  [
    "a message that is too old",
    {
      filter: { message: "sent", op: "performed", within: hours(1) },
      happens: send,
      then: [
        [1, true],
        [60, false],
      ],
    },
  ],
  [
    "a list",
    {
      filter: { audience: list },
      happens: (who) => call("PUT", `/api/v1/audiences/${list}/members/${who}`),
      then: [[0, true]],
    },
  ],
  [
    "another audience's filter",
    {
      filter: { audience: changing },
      happens: (who) =>
        call("PATCH", `/api/v1/audiences/${changing}`, {
          filter: { attribute: "person_id", op: "eq", value: who },
          even_if_used: true,
        }),
      then: [[1, true]],
    },
  ],
  [
    "a topic's default",
    {
      filter: { subscribed: true, topic },
      happens: () => call("PATCH", `/api/v1/topics/${topic}`, { default: "subscribed" }),
      then: [[1, true]],
    },
  ],
];

test.each(scenarios)("a sweep finds who moves by %s", async (_what, { filter, happens, then }) => {
  const who = await someone();
  const made = await watched(filter);
  await work();
  await db.execute(sql`update campaign_sweeps set full_at = '2100-01-01', settled = true`);
  expect(await membersOf(made)).not.toContain(who);
  await happens(who);
  await feedIsWhole();
  for (const [minutes, inside] of then) {
    await work();
    clock.forward(minutes * 60_000);
    await work();
    expect((await membersOf(made)).includes(who)).toBe(inside);
  }
  await db.execute(sql`delete from campaigns where id = ${made.campaignId}`);
});
