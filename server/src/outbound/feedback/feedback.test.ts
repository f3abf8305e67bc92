import { expect, test } from "vitest";
import { testClock, testService } from "../../../test/support/service.ts";
import { sql } from "../../platform/db/index.ts";
import { decodeId, newId } from "../../platform/ids.ts";
import type { Job } from "../message/message.ts";
import { type Settlement, settle } from "../queue/settle-store.ts";
import { type Feedback, feedback } from "./feedback.ts";

const clock = testClock("2026-05-01T12:00:00Z");
const it = await testService({ clock });
const { ground } = it.service;
const { db } = ground;

interface Row extends Job {
  person_key: string;
  workspace_id: string;
}

/** Creates a delivery that a worker has leased. */
async function leased() {
  const content = { to: "ada@example.test", from: "hello@acme.test", subject: "Hi", body: "<p>Hi</p>" };
  const body = { identifiers: { id: "ada" }, ...content };
  const { delivery_id } = (await it.call("POST", "/data-gateway/transactionals/email", { body })).body;
  const deliveryId = decodeId("dlv", delivery_id) as string;
  const leaseId = newId();
  const [row] = await db.query<Row>(sql`
    update deliveries set status = 'sending', lease_id = ${leaseId}, due_at = now() + interval '1 minute'
    where id = ${deliveryId} returning person_key, workspace_id`);
  const { person_key: personKey, workspace_id: workspaceId } = row as Row;
  const tell = (kind: Feedback["kind"], extra: Partial<Feedback> = {}) =>
    db.transaction((tx) => feedback(tx, ground, [{ workspaceId, deliveryId, kind, at: clock.now(), ...extra }]));
  const end = (status: Settlement["status"], waitMs: number | null = null) => {
    const job = { personKey, deliveryId, leaseId } as Job;
    const rest = {
      reason: status === "sent" ? null : "a reason",
      provider: "smtp",
      providerMessageId: "id",
      note: {},
      dead: [],
    };
    return settle(db, [{ job, status, waitMs, ...rest }], clock.now());
  };
  const row_ = async () => (await it.call("GET", `/api/v1/deliveries/${delivery_id}`)).body;
  return { tell, end, row: row_, deliveryId };
}

test.each<[Feedback["kind"], Settlement["status"], string]>([
  ["delivered", "sent", "delivered"],
  ["delivered", "queued", "delivered"],
  ["delivered", "failed", "delivered"],
  ["bounced", "sent", "bounced"],
  ["complained", "queued", "complained"],
  ["failed", "sent", "failed"],
  ["failed", "queued", "queued"],
  ["opened", "sent", "sent"],
])("%s is reported before the hand-off ends as %s: the delivery is %s", async (kind, ending, status) => {
  const { tell, end, row } = await leased();
  await tell(kind, { permanent: true });
  expect((await row()).status).not.toBe("queued");
  expect(await end(ending, ending === "queued" ? 60_000 : null)).toHaveProperty("size", 1);
  const after = await row();
  expect(after).toMatchObject({ status, provider: "smtp", provider_message_id: "id", attempts: 1 });
  expect(after.due_at === null).toBe(status !== "queued");
});

test("whatever went wrong with a delivery has a reason or a time, by which an index finds it", async () => {
  const ids: string[] = [];
  for (const kind of ["bounced", "complained", "failed", "unsubscribed"] as const) {
    const { tell, end, deliveryId } = await leased();
    await end("sent");
    await tell(kind, { permanent: true });
    ids.push(deliveryId);
  }
  const [row] = await db.query<{ wrong: number; unexplained: number }>(sql`
    select count(*)::int as wrong, count(*) filter (where reason is null and failed_at is null and bounced_at is null
      and complained_at is null and unsubscribed_at is null)::int as unexplained
    from deliveries where id = any(${ids}) and (unsubscribed_at is not null
      or status in ('failed', 'suppressed', 'bounced', 'complained', 'unsubscribed'))`);
  expect(row).toEqual({ wrong: ids.length, unexplained: 0 });
});

test("a delivery whose lease has run out ends at once when it is reported as delivered", async () => {
  const { tell, end, row, deliveryId } = await leased();
  await db.execute(sql`update deliveries set due_at = now() - interval '1 second' where id = ${deliveryId}`);
  await tell("delivered");
  expect(await row()).toMatchObject({ status: "delivered", due_at: null });
  expect(await end("sent")).toHaveProperty("size", 0);
});

test("the reason of a failure is kept on one line, whatever the provider writes", async () => {
  const { tell, end, row } = await leased();
  await end("sent");
  await tell("failed", { reason: `no\r\nroute\0 ${"x".repeat(400)}\ud800` });
  const { status, reason } = await row();
  expect(status).toBe("failed");
  expect(reason).toMatch(/^no route x{100,}$/);
});

test("a time in the future counts as now", async () => {
  const { tell, end, row } = await leased();
  await end("sent");
  await tell("opened", { at: new Date("2999-01-01") });
  expect((await row()).opened_at).toBe(clock.now().toISOString());
});

test("each open counts, and a repeated report of it does not", async () => {
  const { tell, end, row } = await leased();
  await end("sent");
  for (const eventId of ["a", "b", "a"]) await tell("opened", { eventId });
  const { events } = await row();
  expect(events.filter(({ type }: { type: string }) => type === "email.opened")).toHaveLength(2);
});

test("a report without the recipient and one with it count once", async () => {
  const { tell, end, row } = await leased();
  await end("sent");
  await tell("delivered");
  await tell("delivered", { recipient: "Ada@Example.test" });
  const { events } = await row();
  expect(events.filter(({ type }: { type: string }) => type === "email.delivered")).toHaveLength(1);
});
