import { expect, test } from "vitest";
import { testClock, testService } from "../support/service.ts";
import { until } from "../support/wait.ts";

// A person's way through a campaign, through the routes of the whole service: an event lets her in, an in-app message waits for her
// application, time passes, a branch decides, and an email goes out.

const clock = testClock("2026-03-10T12:00:00.000Z");
const it = await testService({ clock, roles: "api,worker" });
const call = async (method: "GET" | "POST" | "PATCH", path: string, body?: object, status = 200) => {
  const answer = await it.call(method, path, body ? { body } : {});
  expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBe(status);
  return answer.body;
};
const identify = (person_id: string, attributes: object) =>
  call("POST", "/data-gateway/v1/identify", { person_id, attributes });
const track = (person_id: string, eventName: string, properties: object = {}) =>
  call("POST", "/data-gateway/v1/track", { person_id, eventName, properties }, 202);

async function activated(campaign: object): Promise<string> {
  const { id } = await call("POST", "/api/v1/campaigns", campaign, 201);
  await call("POST", `/api/v1/campaigns/${id}/activate`);
  return id;
}
const runs = async (id: string, query = "") => (await call("GET", `/api/v1/campaigns/${id}/runs${query}`)).data;

test("a customer who leaves her cart sees a message, and gets an email a day later unless she orders", async () => {
  const message = await call(
    "POST",
    "/api/v1/in-app-messages",
    { name: "Cart", render_type: "modal", body: "{{trigger.count}} things wait in your cart, {{person.name}}" },
    201,
  );
  const email = { from: "shop@acme.test", subject: "{{trigger.count}} things", body: "<p>They wait since a day.</p>" };
  const id = await activated({
    name: "Abandoned cart",
    trigger: { type: "event", name: "cart_left", where: [{ property: "count", op: "gt", value: 0 }] },
    steps: [
      { id: "note", type: "message", channel: "in_app", message_id: message.id },
      { id: "day", type: "wait", for: { amount: 1, unit: "days" } },
      {
        id: "ordered",
        type: "branch",
        if: { event: "order_placed", op: "performed", within: { amount: 1, unit: "days" } },
        // biome-ignore lint/suspicious/noThenProperty: the name on the wire; a step is never awaited
        then: [{ id: "done", type: "exit" }],
        else: [{ id: "mail", type: "message", channel: "email", content: email }],
      },
    ],
    goal: { event: "order_placed", within: { amount: 7, unit: "days" } },
  });
  for (const person of ["ada", "eve", "joe"]) await identify(person, { name: person, email: `${person}@example.test` });
  await track("ada", "cart_left", { count: 2 });
  await track("ada", "cart_left", { count: 3 });
  await track("eve", "cart_left", { count: 1 });
  await track("joe", "cart_left", { count: 0 });

  await until(async () => (await runs(id, "?step=day")).length === 2, "the two in the wait");
  const sync = await it.call("GET", "/data-gateway/v1/in-app/messages/sync?person_id=ada", { key: it.publicKey });
  expect(sync.body).toMatchObject([{ content: { body: "2 things wait in your cart, ada" } }]);
  await it.call("POST", `/data-gateway/v1/in-app/messages/${sync.body[0].delivery_id}/impression`, {
    key: it.publicKey,
    body: { person_id: "ada" },
  });
  await track("eve", "order_placed");

  clock.forward(86_400_000);
  await until(async () => (await runs(id, "?status=active")).length === 0, "the end of both runs");
  expect(await runs(id, "?person_id=eve")).toMatchObject([{ status: "exited", reason: "exit" }]);
  await until(async () => (await call("GET", "/api/v1/outbox")).data.length === 1, "the email");
  const { data: outbox } = await call("GET", "/api/v1/outbox");
  expect(outbox).toMatchObject([{ recipient: "ada@example.test", message: { subject: "2 things" } }]);

  const [run] = await runs(id, "?person_id=ada");
  const { history } = await call("GET", `/api/v1/campaigns/${id}/runs/${run.id}`);
  expect(history).toMatchObject([
    { step_id: "note", state: "passed", delivery_id: sync.body[0].delivery_id },
    { step_id: "day", state: "passed" },
    { step_id: "ordered", state: "passed", way: "else" },
    { step_id: "mail", state: "passed" },
  ]);
  const metrics = await call("GET", `/api/v1/campaigns/${id}/metrics`);
  expect(metrics).toMatchObject({
    totals: { sent: 3, shown: 1 },
    channels: { in_app: { sent: 2, shown: 1 }, email: { sent: 1 } },
    steps: {
      note: { entered: 2, waiting: 0, passed: 2 },
      day: { entered: 2, passed: 2 },
      ordered: { entered: 2, passed: 2 },
      done: { entered: 1, exited: 1 },
      mail: { entered: 1, passed: 1 },
    },
    goal: { reached: 1 },
  });
});

test("who pays in time takes the one way, who does not the other, and a call ends the rest", async () => {
  const id = await activated({
    name: "Payment",
    trigger: { type: "api" },
    reentry: "always",
    steps: [
      {
        id: "paid",
        type: "wait_until",
        event: "payment",
        where: [{ property: "ok", op: "eq", value: true }],
        timeout: { amount: 2, unit: "hours" },
        // biome-ignore lint/suspicious/noThenProperty: the name on the wire; a step is never awaited
        then: [{ id: "thanks", type: "update", attributes: { paid: true } }],
        else: [{ id: "reminder", type: "update", attributes: { reminded: true } }],
      },
    ],
  });
  for (const person of ["pays", "waits", "stops"]) {
    await identify(person, {});
    const body = { person_id: person, cancellation_key: person };
    await call("POST", `/api/v1/campaigns/${id}/runs`, body, 202);
  }
  // Its second look at the events is over: from here on the event itself must wake the run.
  await until(async () => {
    const waiting = await runs(id, "?step=paid&status=active");
    return waiting.filter((run: { due_at: string }) => run.due_at > clock.now().toISOString()).length === 3;
  }, "the three in the wait");
  await track("pays", "payment", { ok: false });
  await track("pays", "payment", { ok: true });
  await until(async () => (await runs(id, "?status=completed")).length === 1, "the payment");
  expect(await call("POST", `/api/v1/campaigns/${id}/runs/cancel`, { cancellation_key: "stops" })).toEqual({
    canceled: 1,
  });
  clock.forward(7_200_000);
  await until(async () => (await runs(id, "?status=completed")).length === 2, "the end of the wait");
  const attributes = async (person: string) => (await call("GET", `/api/v1/people/${person}`)).attributes;
  expect([await attributes("pays"), await attributes("waits"), await attributes("stops")]).toEqual([
    { paid: true },
    { reminded: true },
    {},
  ]);
});

test("who enters an audience enters its campaign", async () => {
  await identify("old", { plan: "pro" });
  const id = await activated({
    name: "New pros",
    trigger: { type: "audience", audience: { attribute: "plan", op: "eq", value: "pro" } },
    steps: [{ id: "mark", type: "update", attributes: { welcomed: true } }],
  });
  await identify("new", { plan: "free" });
  await identify("new", { plan: "pro" });
  await until(async () => (await runs(id, "?status=completed")).length > 0, "the run");
  expect((await runs(id)).map((run: { person_id: string }) => run.person_id)).toEqual(["new"]);
});
