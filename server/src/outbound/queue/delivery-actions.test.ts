import { describe, expect, test } from "vitest";
import { transactionalsService } from "../../../test/support/services/transactionals.ts";
import { until } from "../../../test/support/wait.ts";
import { decodeId, newId } from "../../platform/ids.ts";
import { forgetOutbox } from "../jobs.ts";
import { claim } from "./store.ts";

const { it, send, raw, captured } = await transactionalsService();
const { db, workDb } = it.service.ground;
const detail = async (id: string, key = it.secretKey) =>
  (await it.call("GET", `/api/v1/deliveries/${id}`, { key })).body;
const post = (id: string, verb: string, key = it.secretKey) =>
  it.call("POST", `/api/v1/deliveries/${id}/${verb}`, { key });
const later = () => new Date(Date.now() + 3_600_000).toISOString();
const sent = async (extra: Record<string, unknown> = {}): Promise<string> => {
  const answer = await send(raw(extra));
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  const id = answer.body.delivery_id;
  await until(async () => (await detail(id)).status === "sent", `that ${id} is sent`);
  return id;
};

describe("resend", () => {
  test("sends the same content to the same recipient as a new delivery that names the first", async () => {
    const first = await sent({ subject: "Once more" });
    const answer = await post(first, "resend");
    expect(answer.status, JSON.stringify(answer.body)).toBe(202);
    const second = answer.body.delivery_id;
    expect(second).not.toBe(first);
    const [one, two] = [await captured(first), await captured(second)];
    expect([two.recipient, two.message.subject, two.message.html]).toEqual([
      one.recipient,
      "Once more",
      one.message.html,
    ]);
    const shown = await until(async () => {
      const body = await detail(second);
      return body.status === "sent" ? body : undefined;
    }, "the second");
    expect(shown).toMatchObject({ source: "transactional", channel: "email", provider: "local" });
    const queued = shown.events.find((event: { type: string }) => event.type === "email.queued");
    expect(queued.data).toEqual({ resend_of: first });
  });

  test("with the same Idempotency-Key sends once", async () => {
    const first = await sent();
    const call = () =>
      it.call("POST", `/api/v1/deliveries/${first}/resend`, { headers: { "idempotency-key": "again-1" } });
    const [one, two] = [await call(), await call()];
    expect(two.body).toEqual(one.body);
    expect(two.headers["idempotent-replayed"]).toBe("true");
  });

  test("is refused where the content, or an attachment, was not kept", async () => {
    const silent = await sent({ disable_message_retention: true });
    expect((await detail(silent)).content).toBeNull();
    const attached = await sent({ attachments: { "a.txt": Buffer.from("hi").toString("base64") } });
    for (const id of [silent, attached]) {
      const answer = await post(id, "resend");
      expect([answer.status, answer.body.code]).toEqual([422, "content_not_retained"]);
    }
  });

  test("is refused while the first is on its way", async () => {
    const { body } = await send(raw({ send_at: later() }));
    const answer = await post(body.delivery_id, "resend");
    expect([answer.status, answer.body.code]).toEqual([409, "delivery_not_resendable"]);
  });
});

test.each([
  ["transactional", true, 202],
  ["transactional", false, 202],
  ["broadcast", true, 202],
  ["broadcast", false, 409],
])("a %s to somebody whose subscription is %s is sent again: %i", async (source, subscribed, status) => {
  const id = await sent();
  const [row] = await db.query<{ person_key: string }>({
    text: "update deliveries set source = $1 where id = $2 returning person_key",
    values: [source, decodeId("dlv", id)],
  });
  const people = (value: boolean) =>
    db.execute({ text: "update people set subscribed = $1 where person_key = $2", values: [value, row?.person_key] });
  await people(subscribed);
  expect((await post(id, "resend")).status).toBe(status);
  await people(true);
});

test.each(["complained", "suppressed"])("a delivery that is %s is not sent again", async (status) => {
  const id = await sent();
  await db.execute({ text: "update deliveries set status = $1 where id = $2", values: [status, decodeId("dlv", id)] });
  expect((await post(id, "resend")).body).toMatchObject({ status: 409, code: "delivery_not_resendable" });
});

describe("cancel", () => {
  test("cancels a delivery that is queued for later, once", async () => {
    const { body } = await send(raw({ send_at: later() }));
    const answer = await post(body.delivery_id, "cancel");
    expect([answer.status, answer.body]).toEqual([200, { delivery_id: body.delivery_id, status: "canceled" }]);
    const shown = await detail(body.delivery_id);
    expect(shown).toMatchObject({ status: "canceled", due_at: null, content: { subject: "Hello" } });
    expect(shown.events.map((event: { type: string }) => event.type)).toEqual(["email.queued", "email.canceled"]);
    const again = await post(body.delivery_id, "cancel");
    expect([again.status, again.body.code]).toEqual([409, "delivery_not_cancelable"]);
    expect(again.body.detail).toContain("already canceled");
  });

  test("deletes the content of a delivery that must not keep it", async () => {
    const { body } = await send(raw({ send_at: later(), disable_message_retention: true }));
    await post(body.delivery_id, "cancel");
    expect((await detail(body.delivery_id)).content).toBeNull();
  });

  test("comes too late for a delivery that is sent", async () => {
    const answer = await post(await sent(), "cancel");
    expect([answer.status, answer.body.code]).toEqual([409, "delivery_not_cancelable"]);
  });

  test("against a claim at the same moment: the delivery is either canceled or leased, never both", async () => {
    const ids: string[] = [];
    for (let i = 0; i < 12; i++) ids.push((await send(raw({ send_at: later() }))).body.delivery_id);
    // The service's own claims race with these.
    const due = db.execute({
      text: "update deliveries set due_at = now() where status = 'queued' and due_at > now()",
      values: [],
    });
    const cancels = ids.map((id) => post(id, "cancel"));
    const claims = Array.from({ length: 6 }, () => claim(workDb, newId(), 2, { full: [] }));
    const [answers, jobs] = await Promise.all([Promise.all(cancels), Promise.all(claims), due]);
    const canceled = ids.filter((_, i) => answers[i]?.status === 200);
    for (const answer of answers)
      expect(answer.status === 200 || answer.body.code === "delivery_not_cancelable", JSON.stringify(answer.body)).toBe(
        true,
      );
    for (const id of canceled) expect((await detail(id)).status).toBe("canceled");
    const claimed = new Set(jobs.flat().map((job) => job.deliveryId));
    const rows = await db.query<{ id: string }>({
      text: "select id from deliveries where status = 'canceled'",
      values: [],
    });
    expect(rows.filter(({ id }) => claimed.has(id))).toEqual([]);
  });
});

test("the ids of another workspace, of no delivery and of an in-app delivery are refused on both routes", async () => {
  const first = await sent();
  const other = await it.another();
  const body = { name: "Offer", render_type: "modal", body: "Hello" };
  const message = await it.call("POST", "/api/v1/in-app-messages", { body });
  const path = `/api/v1/in-app-messages/${message.body.id}/test-sends`;
  const shown = await it.call("POST", path, { body: { person_id: "ada@example.test" } });
  for (const verb of ["resend", "cancel"]) {
    for (const id of ["dlv_01h455vb4pex5vsknk084sn02q", "dlv_x", "nonsense"])
      expect((await post(id, verb)).body.code).toBe("delivery_not_found");
    expect((await post(first, verb, other.secretKey)).body.code).toBe("delivery_not_found");
    expect((await post(shown.body.delivery_id, verb)).body).toMatchObject({ status: 422, code: "channel_mismatch" });
  }
});

test("messages that the local provider captured are deleted after retention_days, and not before", async () => {
  const kept = await sent();
  const old = await sent();
  const [young, aged] = [await captured(kept), await captured(old)];
  await db.execute({
    text: "update outbox set captured_at = captured_at - interval '400 days' where id = $1",
    values: [decodeId("out", aged.id)],
  });
  await forgetOutbox(it.service.ground);
  const list = (await it.call("GET", "/api/v1/outbox?limit=200")).body.data.map((entry: { id: string }) => entry.id);
  expect([list.includes(young.id), list.includes(aged.id)]).toEqual([true, false]);
});
