import { expect, test } from "vitest";
import { testClock, testService } from "../../test/support/service.ts";

// What comes late, twice or with the wrong time: devices that were offline, and devices whose clock is off by years.

const clock = testClock("2026-03-10T12:00:00.000Z");
const it = await testService({ clock });
const MESSAGES = "/data-gateway/v1/in-app/messages";
const YEARS = ["0001-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "2011-06-01T08:00:00+02:00", "2041-01-01T00:00:00Z"];

async function deliveries(personId: string, count: number, definition: object = {}): Promise<string[]> {
  await it.call("POST", "/data-gateway/v1/identify", { body: { person_id: personId } });
  const persistence = { mode: "persistent_until_dismissed" };
  const body = { name: "n", render_type: "modal", body: "b", persistence, ...definition };
  const { id } = (await it.call("POST", "/api/v1/in-app-messages", { body })).body;
  const url = `/api/v1/in-app-messages/${id}/test-sends`;
  const sent: string[] = [];
  for (let i = 0; i < count; i++)
    sent.push((await it.call("POST", url, { body: { person_id: personId } })).body.delivery_id);
  return sent;
}

const batch = async (personId: string, items: object[]): Promise<{ recorded: boolean; status: string }[]> => {
  const answer = await it.call("POST", `${MESSAGES}/interactions`, {
    key: it.publicKey,
    body: { person_id: personId, items },
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.results;
};

test("10,000 interactions replayed twice, each batch by two tabs at once, are counted once", {
  timeout: 120_000,
}, async () => {
  const sent = await deliveries("replayed", 40);
  const items = Array.from({ length: 10_000 }, (_, i) => ({
    delivery_id: sent[(i * 7) % sent.length],
    type: i % 4 === 3 ? "click" : "impression",
    event_id: `event-${i}`,
    ts: new Date(clock.now().getTime() - (10_000 - i) * 1_000).toISOString(),
  }));
  let recorded = 0;
  for (let round = 0; round < 2; round++) {
    for (let at = 0; at < items.length; at += 100) {
      const both = [batch("replayed", items.slice(at, at + 100)), batch("replayed", items.slice(at, at + 100))];
      for (const results of await Promise.all(both)) recorded += results.filter((one) => one.recorded).length;
    }
    expect(recorded).toBe(10_000);
  }
  const [counts] = await it.service.ground.db.query<{ shown: number; logged: number; clicks: number }>({
    text: `with d as materialized (select sum(impressions) as shown from deliveries), a as materialized (
        select count(*) filter (where type = 'in_app.impression') as logged, count(*) filter (where type = 'in_app.click') as clicks from activity)
      select * from d, a`,
    values: [],
  });
  // Each delivery's first interaction is an impression, or a click that stands for one.
  const first = new Map(items.toReversed().map((one) => [one.delivery_id, one.type]));
  const standing = [...first.values()].filter((type) => type === "click").length;
  expect(counts).toEqual({ logged: 7_500, clicks: 2_500, shown: 7_500 + standing });
});

test("for a device whose clock is off by years the server's time counts, for single reports and in a batch", async () => {
  const [delivery] = await deliveries("clock", 1);
  const now = clock.now().toISOString();
  for (const ts of YEARS) {
    const answer = await it.call("POST", `${MESSAGES}/${delivery}/impression`, { body: { person_id: "clock", ts } });
    expect(answer).toMatchObject({ status: 200, body: { recorded: true } });
  }
  const items = YEARS.map((ts, i) => ({ delivery_id: delivery, type: "click", event_id: `y${i}`, ts }));
  expect((await batch("clock", items)).every((one) => one.recorded)).toBe(true);
  const row = (await it.call("GET", `/api/v1/deliveries/${delivery}`)).body;
  expect([row.impressions, row.shown_at, row.clicked_at]).toEqual([4, now, now]);
  expect(row.events.map((event: { at: string }) => event.at)).toEqual(Array(9).fill(now));
});

test("a client's ts changes no rule: pauses and expiries follow the server's clock", async () => {
  const [resting] = await deliveries("pause", 1, {
    persistence: { mode: "persistent_until_dismissed", min_interval: { amount: 1, unit: "hours" } },
    expiry: { amount: 3, unit: "hours" },
  });
  const seen = async () => (await it.call("GET", `${MESSAGES}/sync?person_id=pause`)).body.length;
  const hourAgo = new Date(clock.now().getTime() - 3_600_000).toISOString();
  const body = { person_id: "pause", ts: hourAgo };
  await it.call("POST", `${MESSAGES}/${resting}/impression`, { body });
  expect(await seen()).toBe(0);
  clock.forward(3_600_000);
  expect(await seen()).toBe(1);
  await it.call("POST", `${MESSAGES}/${resting}/impression`, { body: { ...body, ts: YEARS[3] } });
  clock.forward(3_600_000);
  expect(await seen()).toBe(1);
  clock.forward(3_600_000);
  expect(await seen()).toBe(0);
});

test("an invalid time is 400 in a single report, and fails only its own item in a batch", async () => {
  const [delivery] = await deliveries("wrong", 1);
  const wrong = ["yesterday", "2026-02-30T00:00:00Z", "+275760-09-13T00:00:00Z", "1741608000", "2026-03-10"];
  for (const ts of wrong) {
    const answer = await it.call("POST", `${MESSAGES}/${delivery}/impression`, { body: { person_id: "wrong", ts } });
    expect(answer, ts).toMatchObject({ status: 400, body: { code: "invalid_request" } });
  }
  const items = [...wrong, clock.now().toISOString()].map((ts, i) => ({
    delivery_id: delivery,
    type: "impression",
    event_id: `w${i}`,
    ts,
  }));
  expect((await batch("wrong", items)).map((one) => one.recorded)).toEqual([...wrong.map(() => false), true]);
});
