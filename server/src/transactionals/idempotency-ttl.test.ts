import { expect, test } from "vitest";
import { testClock, testService } from "../../test/support/service.ts";

const clock = testClock();
const it = await testService({ clock });
const HOUR = 3_600_000;

const send = (key: string, ttl?: string) =>
  it.call("POST", "/data-gateway/transactionals/email", {
    body: { identifiers: { email: "ada@example.test" }, subject: "S", body: "B" },
    headers: { "idempotency-key": key, ...(ttl !== undefined && { "idempotency-ttl": ttl }) },
  });

test("a key is kept for 24 hours, and longer with Idempotency-TTL", async () => {
  const day = await send("day");
  const month = await send("month", String(30 * 24 * 3_600));
  clock.forward(25 * HOUR);
  expect((await send("day")).body.delivery_id).not.toBe(day.body.delivery_id);
  expect((await send("month")).body.delivery_id).toBe(month.body.delivery_id);
  clock.forward(28 * 24 * HOUR);
  expect((await send("month")).body.delivery_id).toBe(month.body.delivery_id);
  clock.forward(2 * 24 * HOUR);
  expect((await send("month")).body.delivery_id).not.toBe(month.body.delivery_id);
});

test.each(["0", "3600", "2592001", "-1", "1e6", "a day", ""])("an Idempotency-TTL of %j is refused", async (ttl) => {
  expect(await send("wrong", ttl)).toMatchObject({
    status: 400,
    body: { code: "invalid_request", errors: [{ parameter: "Idempotency-TTL" }] },
  });
});
