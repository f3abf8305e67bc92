import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { step } from "../../src/broadcasts/fanout/fanout.ts";
import { sql } from "../../src/platform/db/index.ts";
import { testService, type TestService } from "../support/service.ts";
import { TRIGGER } from "../support/services/transactionals.ts";

// The clock of this process is ten minutes ahead. Nothing may be sent before it is due by the database's clock.

const AHEAD_MS = 600_000;
const inAMinute = () => new Date(Date.now() - AHEAD_MS + 60_000).toISOString();

let it: TestService;
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + AHEAD_MS });
  it = await testService();
});
afterAll(() => void vi.useRealTimers());

test("a delivery with a send_at waits for it", async () => {
  const sent = await it.call("POST", TRIGGER, {
    body: {
      identifiers: { email: "ada@example.test" },
      from: "a@acme.test",
      subject: "S",
      body: "B",
      send_at: inAMinute(),
    },
  });
  expect(sent.status, JSON.stringify(sent.body)).toBe(202);
  const rows = await it.service.ground.db.query(sql`select due_at > now() as waits from deliveries`);
  expect(rows).toEqual([{ waits: true }]);
});

test("a scheduled broadcast waits for its time, and a due one is sent", async () => {
  const body = { name: "B", channel: "email", audience: { all: [] } };
  const content = { content: { subject: "S", body: "B" } };
  const made = await it.call("POST", "/api/v1/broadcasts", { body: { ...body, ...content } });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const path = `/api/v1/broadcasts/${made.body.id}`;
  const scheduled = await it.call("POST", `${path}/schedule`, { body: { send_at: inAMinute() } });
  expect(scheduled.status, JSON.stringify(scheduled.body)).toBe(200);
  expect(await step(it.service.ground)).toBe(false);
  await it.service.ground.db.execute(sql`update broadcasts set next_at = now() - interval '1 minute'`);
  expect(await step(it.service.ground)).toBe(true);
});
