import { expect, test } from "vitest";
import type { ReportedEvent } from "../../../test/support/callbacks/call.ts";
import { sendgrid } from "../../../test/support/callbacks/email.ts";
import { callbackService } from "../../../test/support/services/callbacks.ts";
import { sql } from "../../platform/db/index.ts";
import { decodeId, newId } from "../../platform/ids.ts";

// How events are taken in any order and any number of times.

const { it, db, clock, at, setUp, post, of, logged, suppressions } = await callbackService();

test("events in the wrong order, in one call or in several, lead to the same status and keep their own times", async () => {
  const { url, sent, key, delivery } = await setUp(sendgrid);
  const [open, spam, delivered] = (["opened", "complained", "delivered"] as const).map((kind, i) => ({
    kind,
    delivery,
    at: at(-1_000 * (i + 1)),
  })) as [ReportedEvent, ReportedEvent, ReportedEvent];
  for (const said of [open, spam, delivered]) await post(sendgrid.call(url, [said]));
  const second = await sent();
  await post(
    sendgrid.call(
      url,
      [delivered, spam, open].map((said) => ({ ...said, delivery: second })),
    ),
  );
  for (const id of [delivery, second]) {
    expect(await of(key, id)).toMatchObject({ status: "complained", opened_at: at(-1_000).toISOString() });
    const { events } = await of(key, id);
    const times = Object.fromEntries(events.map((event: { type: string; at: string }) => [event.type, event.at]));
    expect(times["email.delivered"]).toBe(at(-3_000).toISOString());
    expect(times["email.complained"]).toBe(at(-2_000).toISOString());
  }
});

test("a call with a thousand events of many deliveries is one batch", async () => {
  const { url, sent, key } = await setUp(sendgrid);
  const ids: string[] = [];
  for (let i = 0; i < 20; i++) ids.push(await sent());
  const events = Array.from({ length: 1_000 }, (_, i): ReportedEvent => {
    const kind = (["opened", "delivered", "clicked"] as const)[i % 3] as ReportedEvent["kind"];
    return { kind, delivery: ids[i % 20] as string, at: at(-i) };
  });
  expect((await post(sendgrid.call(url, events))).status).toBe(200);
  for (const id of ids) expect((await of(key, id)).status).toBe("delivered");
});

test("a delivery that arrived is not sent again though its hand-off never ended, and keeps its status", async () => {
  const { url, sent, key, delivery } = await setUp(sendgrid);
  const waiting = await sent();
  const set = (id: string, status: string, lease: boolean) =>
    db.execute(sql`update deliveries set status = ${status}, sent_at = null, due_at = now() + interval '1 hour',
      lease_id = ${lease ? newId() : null}::uuid where id = ${decodeId("dlv", id)}`);
  await set(delivery, "queued", false);
  await set(waiting, "sending", true);
  await post(
    sendgrid.call(
      url,
      [delivery, waiting].map((id) => ({ kind: "delivered", delivery: id, at: clock.now() })),
    ),
  );
  expect(await of(key, delivery)).toMatchObject({
    status: "delivered",
    due_at: null,
    sent_at: clock.now().toISOString(),
  });
  // While it is leased, the end of the hand-off makes it delivered.
  expect((await of(key, waiting)).status).toBe("sending");
});

test.each(["suppressed", "canceled"])("a delivery that is %s stays so, whatever is reported of it", async (status) => {
  const { url, key, delivery } = await setUp(sendgrid);
  await db.execute(sql`update deliveries set status = ${status} where id = ${decodeId("dlv", delivery)}`);
  await post(sendgrid.call(url, [{ kind: "delivered", delivery, at: clock.now() }]));
  expect((await of(key, delivery)).status).toBe(status);
});

test("a bounce of a copy does not change the delivery, and puts the copy's address on the suppression list", async () => {
  const { url, key, delivery } = await setUp(sendgrid);
  await post(sendgrid.call(url, [{ kind: "hard", delivery, at: clock.now(), to: "Copy@example.test" }]));
  expect((await of(key, delivery)).status).toBe("sent");
  expect(await suppressions(key)).toEqual([
    { address: "copy@example.test", reason: "hard_bounce", source: "sendgrid" },
  ]);
});

test("an address that was removed from the suppression list is not put back by a repeated call", async () => {
  const { url, key, delivery } = await setUp(sendgrid);
  const call = sendgrid.call(url, [{ kind: "hard", delivery, at: clock.now() }]);
  await post(call);
  await it.call("DELETE", "/api/v1/suppressions?channel=email&address=ada@example.test", { key });
  expect(await suppressions(key)).toEqual([]);
  await post(call);
  expect(await suppressions(key)).toEqual([]);
});

test("a person who unsubscribes at the provider gets no more email, and other channels as before", async () => {
  const { url, key, delivery } = await setUp(sendgrid);
  await post(sendgrid.call(url, [{ kind: "unsubscribed", delivery, at: clock.now() }]));
  const { body } = await it.call("GET", "/api/v1/people/ada/subscriptions", { key });
  expect(body).toMatchObject({ subscribed: true, channels: { email: false, sms: true } });
});

test("a machine's open is logged and does not count as an open, a person's does", async () => {
  const { url, key, delivery } = await setUp(sendgrid);
  clock.forward(1_000);
  await post(sendgrid.call(url, [{ kind: "machine", delivery, at: clock.now() }]));
  expect(await of(key, delivery)).toMatchObject({ opened_at: null });
  expect((await of(key, delivery)).events.at(-1)).toMatchObject({ type: "email.opened", data: { machine: true } });
  await post(sendgrid.call(url, [{ kind: "opened", delivery, at: clock.now() }]));
  expect((await of(key, delivery)).opened_at).toBe(clock.now().toISOString());
});

test("simultaneous calls about the same deliveries count each event once", async () => {
  const { url, sent, key } = await setUp(sendgrid);
  const ids: string[] = [];
  for (let i = 0; i < 6; i++) ids.push(await sent());
  const events = ids.flatMap((delivery): ReportedEvent[] => [
    { kind: "delivered", delivery, at: clock.now() },
    { kind: "hard", delivery, at: clock.now() },
  ]);
  const calls = Array.from({ length: 8 }, (_, i) => sendgrid.call(url, i % 2 ? events : events.toReversed()));
  const answers = await Promise.all(calls.map(post));
  expect(answers.map(({ status }) => status)).toEqual(calls.map(() => 200));
  for (const id of ids) {
    expect((await of(key, id)).status).toBe("bounced");
    expect((await logged(key, id)).toSorted()).toEqual(["email.bounced", "email.delivered"]);
  }
});
