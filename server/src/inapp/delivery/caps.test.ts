import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { testClock, testService } from "../../../test/support/service.ts";
import { newId } from "../../platform/ids.ts";
import { counted, heldUntil } from "../rules/cap.ts";

const HOUR = 3_600_000;

describe("the rule", () => {
  test("there are never more than the maximum in 24 hours, never two within the interval, and the gate opens exactly when it says", () => {
    fc.assert(
      fc.property(
        fc.record({
          max_per_day: fc.option(fc.integer({ min: 1, max: 4 })),
          min_interval: fc.option(
            fc.record({ amount: fc.integer({ min: 1, max: 30 }), unit: fc.constant("hours" as const) }),
          ),
        }),
        fc.array(fc.integer({ min: 0, max: 10 * HOUR }), { maxLength: 40 }),
        (cap, waits) => {
          const all: number[] = [];
          let kept: number[] = [];
          let now = 1_000_000_000_000;
          for (const wait of waits) {
            now += wait;
            const until = heldUntil(cap, kept, now);
            if (until > 0) {
              expect(heldUntil(cap, kept, until - 1)).toBe(until);
              expect(heldUntil(cap, kept, until)).toBe(0);
              continue;
            }
            all.push(now);
            kept = counted(kept, now);
          }
          for (const [i, at] of all.entries()) {
            const before = all.slice(0, i).filter((other) => other > at - 24 * HOUR);
            if (cap.max_per_day) expect(before.length).toBeLessThan(cap.max_per_day);
            const last = all[i - 1];
            if (cap.min_interval && last !== undefined)
              expect(at - last).toBeGreaterThanOrEqual(cap.min_interval.amount * HOUR);
          }
        },
      ),
    );
  });
});

const clock = testClock("2026-03-10T12:00:00.000Z");
const encryptionKey = randomBytes(32);
const it = await testService({ clock, encryptionKey });
const second = await testService({ clock, encryptionKey, databaseUrl: it.databaseUrl });
const MESSAGES = "/data-gateway/v1/in-app/messages";

const setCap = async (cap: object | null) => {
  const answer = await it.call("PATCH", "/api/v1/workspace", { body: { in_app_cap: cap } });
  expect(answer).toMatchObject({ status: 200, body: { in_app_cap: cap } });
};

async function person(): Promise<string> {
  const personId = newId();
  await it.call("POST", "/data-gateway/v1/identify", { body: { person_id: personId } });
  return personId;
}

async function define(definition: object = {}): Promise<string> {
  const body = { name: "n", render_type: "modal", body: "b", ...definition };
  return (await it.call("POST", "/api/v1/in-app-messages", { body })).body.id;
}

async function send(messageId: string, personId: string): Promise<string> {
  const url = `/api/v1/in-app-messages/${messageId}/test-sends`;
  return (await it.call("POST", url, { body: { person_id: personId } })).body.delivery_id;
}

const sync = async (personId: string): Promise<string[]> =>
  (await it.call("GET", `${MESSAGES}/sync?person_id=${personId}&limit=50`)).body.map(
    (one: { delivery_id: string }) => one.delivery_id,
  );
const report = async (deliveryId: string, type: string, personId: string, from = it) =>
  (await from.call("POST", `${MESSAGES}/${deliveryId}/${type}`, { key: it.secretKey, body: { person_id: personId } }))
    .body;

describe("the cap of a workspace", () => {
  beforeEach(() => clock.forward(10 * 24 * HOUR));

  test("50 parallel impressions of 50 deliveries, on two processes, count max_per_day and no more", async () => {
    await setCap({ max_per_day: 3 });
    const [personId, message] = [await person(), await define()];
    const sent: string[] = [];
    for (let i = 0; i < 50; i++) sent.push(await send(message, personId));
    const answers = await Promise.all(
      sent.map((id, i) => report(id, "impression", personId, i % 2 === 0 ? it : second)),
    );
    expect(answers.filter((answer) => answer.recorded)).toHaveLength(3);
    expect(answers.filter((answer) => answer.status === "shown")).toHaveLength(3);
    const rows = (await it.call("GET", `/api/v1/deliveries?person_id=${personId}&limit=200`)).body.data;
    expect(rows.filter((row: { impressions: number }) => row.impressions === 1)).toHaveLength(3);
    expect(await sync(personId)).toEqual([]);
    clock.forward(24 * HOUR - 1);
    expect(await sync(personId)).toEqual([]);
    clock.forward(1);
    expect(await sync(personId)).toHaveLength(47);
  });

  test("min_interval holds back all messages of this person, and of nobody else", async () => {
    await setCap({ min_interval: { amount: 2, unit: "hours" } });
    const [one, other, message] = [await person(), await person(), await define()];
    const [a, b] = [await send(message, one), await send(message, one)];
    const theirs = await send(message, other);
    expect((await report(a, "impression", one)).recorded).toBe(true);
    expect(await report(b, "impression", one)).toEqual({ delivery_id: b, status: "queued", recorded: false });
    expect(await sync(one)).toEqual([]);
    expect(await sync(other)).toEqual([theirs]);
    clock.forward(2 * HOUR);
    expect(await sync(one)).toEqual([b]);
    expect((await report(b, "impression", one)).recorded).toBe(true);
  });

  test("critical messages and inbox cards ignore the cap and don't count for it", async () => {
    await setCap({ max_per_day: 1 });
    const personId = await person();
    const critical = await send(await define({ priority: 100 }), personId);
    const card = await send(await define({ render_type: "inbox_card" }), personId);
    const plain = await send(await define(), personId);
    for (const id of [critical, card]) expect((await report(id, "impression", personId)).recorded).toBe(true);
    expect(await sync(personId)).toEqual(expect.arrayContaining([plain, card]));
    expect((await report(plain, "impression", personId)).recorded).toBe(true);
    const later = await send(await define({ priority: 100 }), personId);
    await send(await define({ priority: 99 }), personId);
    expect(await sync(personId)).toEqual([later, card]);
  });

  test("a click or dismissal without an impression is recorded beyond the cap, and counts for it", async () => {
    await setCap({ max_per_day: 1 });
    const [personId, message] = [await person(), await define()];
    const [a, b, c] = [await send(message, personId), await send(message, personId), await send(message, personId)];
    expect(await report(a, "click", personId)).toMatchObject({ status: "shown", recorded: true });
    expect(await report(b, "impression", personId)).toMatchObject({ status: "queued", recorded: false });
    expect(await report(b, "dismiss", personId)).toMatchObject({ status: "dismissed", recorded: true });
    clock.forward(24 * HOUR - 1);
    expect((await report(c, "impression", personId)).recorded).toBe(false);
  });

  test("a repeated event counts once for the cap", async () => {
    await setCap({ max_per_day: 2 });
    const [personId, message] = [await person(), await define()];
    const [a, b, c] = [await send(message, personId), await send(message, personId), await send(message, personId)];
    const items = [a, a, b].map((delivery_id, i) => ({
      delivery_id,
      type: "impression",
      event_id: i === 2 ? "b" : "a",
    }));
    const batch = () => it.call("POST", `${MESSAGES}/interactions`, { body: { person_id: personId, items } });
    const recorded = async () => (await batch()).body.results.map((one: { recorded: boolean }) => one.recorded);
    expect(await recorded()).toEqual([true, false, true]);
    expect(await recorded()).toEqual([false, false, false]);
    expect((await report(c, "impression", personId)).recorded).toBe(false);
  });

  test("without a cap nothing is kept; switched off, what it held back comes at once", async () => {
    await setCap({ max_per_day: 1 });
    const [personId, message] = [await person(), await define()];
    await report(await send(message, personId), "impression", personId);
    const held = await send(message, personId);
    expect(await sync(personId)).toEqual([]);
    await setCap(null);
    expect(await sync(personId)).toEqual([held]);
    const before = await records();
    expect((await report(held, "impression", personId)).recorded).toBe(true);
    await report(await send(message, await person()), "impression", personId);
    expect(await records()).toEqual(before);
  });

  test("a cap that says nothing or nonsense is refused", async () => {
    for (const cap of [
      {},
      { max_per_day: null },
      { max_per_day: 0 },
      { per_day: 3 },
      { min_interval: { amount: 1, unit: "years" } },
    ]) {
      const answer = await it.call("PATCH", "/api/v1/workspace", { body: { in_app_cap: cap } });
      expect(answer, JSON.stringify(cap)).toMatchObject({ status: 400, body: { code: "invalid_request" } });
    }
  });
});

const records = () =>
  it.service.ground.db.query({ text: "select person_key, revision from in_app_caps order by 1", values: [] });
