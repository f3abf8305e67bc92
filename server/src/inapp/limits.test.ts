import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { inShards } from "../../test/support/database/citus.ts";
import { testClock, testService } from "../../test/support/service.ts";
import { newId } from "../platform/ids.ts";

// max_impressions and min_interval of a person, over all deliveries of a message.

const clock = testClock("2026-03-10T12:00:00.000Z");
const encryptionKey = randomBytes(32);
const it = await testService({ clock, encryptionKey });
const second = await testService({ clock, encryptionKey, databaseUrl: it.databaseUrl });
const { db } = it.service.ground;
const MESSAGES = "/data-gateway/v1/in-app/messages";
const HOUR = 3_600_000;

async function person(): Promise<string> {
  const personId = newId();
  await it.call("POST", "/data-gateway/v1/identify", { body: { person_id: personId } });
  return personId;
}

async function define(persistence: object): Promise<string> {
  const body = {
    name: "n",
    render_type: "modal",
    body: "b",
    persistence: { mode: "persistent_until_dismissed", ...persistence },
  };
  return (await it.call("POST", "/api/v1/in-app-messages", { body })).body.id;
}

async function send(messageId: string, personId: string): Promise<string> {
  const url = `/api/v1/in-app-messages/${messageId}/test-sends`;
  return (await it.call("POST", url, { body: { person_id: personId } })).body.delivery_id;
}

const sync = async (personId: string): Promise<string[]> =>
  (await it.call("GET", `${MESSAGES}/sync?person_id=${personId}`)).body.map(
    (one: { delivery_id: string }) => one.delivery_id,
  );
const report = async (deliveryId: string, type: string, personId: string, from = it) =>
  (await from.call("POST", `${MESSAGES}/${deliveryId}/${type}`, { key: it.secretKey, body: { person_id: personId } }))
    .body;
const gates = async (
  personId: string,
  deliveryId: string,
): Promise<{ gate: string; pass: boolean; detail: string }[]> =>
  (await it.call("GET", `/api/v1/people/${personId}/in-app`)).body.data.find(
    (one: { delivery_id: string }) => one.delivery_id === deliveryId,
  ).gates;

describe("max_impressions", () => {
  test("counts the person's impressions of all deliveries and versions of the message, and the explainer says so", async () => {
    const [ada, bob] = [await person(), await person()];
    const message = await define({ max_impressions: 2 });
    const [a, b, theirs] = [await send(message, ada), await send(message, ada), await send(message, bob)];
    expect((await report(a, "impression", ada)).recorded).toBe(true);
    expect(await sync(ada)).toEqual([a, b]);
    expect((await report(b, "impression", ada)).recorded).toBe(true);
    expect(await sync(ada)).toEqual([]);
    expect(await report(a, "impression", ada)).toMatchObject({ status: "shown", recorded: false });
    await it.call("PATCH", `/api/v1/in-app-messages/${message}`, { body: { title: "Again" } });
    const c = await send(message, ada);
    expect(await sync(ada)).toEqual([]);
    expect(await report(c, "impression", ada)).toMatchObject({ status: "queued", recorded: false });
    expect((await gates(ada, c)).filter(({ pass }) => !pass)).toEqual([
      {
        gate: "impressions",
        pass: false,
        detail: "shown 2 of 2 times, over all deliveries of this message",
        facts: { impressions: 2, max_impressions: 2 },
      },
    ]);
    expect(await sync(bob)).toEqual([theirs]);
  });

  test("is never exceeded by two devices with two deliveries each, on two processes", async () => {
    const ada = await person();
    const message = await define({ max_impressions: 5 });
    const sent = [await send(message, ada), await send(message, ada)];
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => report(sent[i % 2] as string, "impression", ada, i % 4 < 2 ? it : second)),
    );
    expect(answers.filter((answer) => answer.recorded)).toHaveLength(5);
    const rows = (await it.call("GET", `/api/v1/deliveries?person_id=${ada}`)).body.data;
    expect(rows.reduce((sum: number, row: { impressions: number }) => sum + row.impressions, 0)).toBe(5);
  });

  test("is not exceeded by a click either: the click is recorded and proves that the message was seen", async () => {
    const ada = await person();
    const message = await define({ max_impressions: 1 });
    const [a, b] = [await send(message, ada), await send(message, ada)];
    await report(a, "impression", ada);
    expect(await report(b, "click", ada)).toMatchObject({ status: "shown", recorded: true });
    expect((await it.call("GET", `/api/v1/deliveries/${b}`)).body).toMatchObject({
      impressions: 0,
      shown_at: clock.now().toISOString(),
      clicked_at: clock.now().toISOString(),
    });
  });

  test("counts each delivery alone if persistence.per says so", async () => {
    const ada = await person();
    const message = await define({ max_impressions: 1, min_interval: { amount: 1, unit: "hours" }, per: "delivery" });
    const [a, b] = [await send(message, ada), await send(message, ada)];
    await report(a, "impression", ada);
    expect(await sync(ada)).toEqual([b]);
    expect((await report(b, "impression", ada)).recorded).toBe(true);
  });

  test("that a later version sets counts earlier impressions", async () => {
    const ada = await person();
    const message = await define({});
    const a = await send(message, ada);
    for (let i = 0; i < 3; i++) await report(a, "impression", ada);
    await report(a, "dismiss", ada);
    await it.call("PATCH", `/api/v1/in-app-messages/${message}`, {
      body: { persistence: { mode: "persistent_until_dismissed", max_impressions: 3 } },
    });
    await send(message, ada);
    expect(await sync(ada)).toEqual([]);
  });

  test("of a one-time message counts over all its deliveries, each of which is shown once", async () => {
    const ada = await person();
    const message = await define({ mode: "one_time", max_impressions: 2 });
    const sent = [await send(message, ada), await send(message, ada), await send(message, ada)];
    for (const left of [2, 1]) {
      expect((await report(sent.shift() as string, "impression", ada)).recorded).toBe(true);
      expect(await sync(ada)).toHaveLength(left === 1 ? 0 : left);
    }
  });
});

test("min_interval rests from the last impression of any delivery of the message", async () => {
  const ada = await person();
  const message = await define({ min_interval: { amount: 2, unit: "hours" } });
  const [a, b, other] = [await send(message, ada), await send(message, ada), await send(await define({}), ada)];
  await report(a, "impression", ada);
  expect(await sync(ada)).toEqual([other]);
  expect((await gates(ada, b)).filter(({ pass }) => !pass).map(({ gate }) => gate)).toEqual(["interval"]);
  clock.forward(2 * HOUR - 1);
  expect(await sync(ada)).toEqual([other]);
  clock.forward(1);
  expect(await sync(ada)).toEqual([a, b, other]);
});

test("no count is kept for a message without limits, or with limits for each delivery alone", async () => {
  const ada = await person();
  const limits = { max_impressions: 9, per: "delivery" };
  for (const message of [await define({}), await define(limits)])
    await report(await send(message, ada), "impression", ada);
  const left = await db.query({
    text: "select 1 from in_app_counts c join people p using (person_key) where p.person_id = $1",
    values: [ada],
  });
  expect(left).toEqual([]);
});

test.skipIf(inShards)("an upgrade counts the impressions from before it", async () => {
  const ada = await person();
  const message = await define({ max_impressions: 2 });
  const [a, b] = [await send(message, ada), await send(message, ada)];
  await db.execute({
    text: `drop table in_app_counts;
      alter table deliveries drop column shared_limits, drop column first_seen_at, drop column first_acted_at;
      update in_app_message_versions set definition = definition #- '{persistence,per}'`,
    values: [],
  });
  await db.execute({
    text: "update deliveries set impressions = 1, last_impression_at = now(), shown_at = now(), status = 'shown' where live",
    values: [],
  });
  const file = new URL("../../migrations/0017-limits-per-person.sql", import.meta.url);
  await db.transaction(async (tx) => {
    await tx.execute({ text: await readFile(file, "utf8"), values: [] });
  });
  expect(await sync(ada)).toEqual([]);
  expect((await report(a, "impression", ada)).recorded).toBe(false);
  expect((await it.call("GET", `/api/v1/in-app-messages/${message}`)).body.persistence.per).toBe("person");
  expect((await gates(ada, b)).find(({ gate }) => gate === "impressions")).toMatchObject({ pass: false });
});
