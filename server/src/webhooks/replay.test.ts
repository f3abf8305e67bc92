import { expect, test } from "vitest";
import { verifies } from "../../test/support/network/receiver.ts";
import { HOOKS, webhookService } from "../../test/support/services/webhooks.ts";
import { until } from "../../test/support/wait.ts";

// The actions of operators: a new secret, a test call, a replay.

const { it, hooked, identify, log, set } = await webhookService();

const tasks = async (id: string) =>
  (await it.call("GET", "/api/v1/tasks")).body.data.filter((work: { id: string }) => work.id === id);

test("after a rotation both secrets sign, and only the new one after the overlap", async () => {
  const { far, id, secret } = await hooked({ types: ["person.identified"] });
  const rotated = await it.call("POST", `${HOOKS}/${id}/secret`);
  expect(rotated.status).toBe(201);
  expect(Date.parse(rotated.body.previous_valid_until)).toBeGreaterThan(Date.now() + 23 * 3_600_000);
  await identify("hugo");
  const first = await until(() => far.calls[0], "the call");
  expect([verifies(secret, first), verifies(rotated.body.secret, first)]).toEqual([true, true]);
  const again = await it.call("POST", `${HOOKS}/${id}/secret`, { body: { overlap_hours: 0 } });
  const answer = await it.call("POST", `${HOOKS}/${id}/test`);
  expect(answer.body.ok).toBe(true);
  const last = far.of("webhook.test")[0];
  if (!last) throw new Error("no test call");
  expect([rotated.body.secret, again.body.secret].map((one) => verifies(one, last))).toEqual([false, true]);
});

test("a test call shows the endpoint's answer, also of a disabled one", async () => {
  const { far, id, secret } = await hooked();
  await it.call("PATCH", `${HOOKS}/${id}`, { body: { enabled: false } });
  far.answer = (response) => void response.writeHead(500).end("no");
  const failed = await it.call("POST", `${HOOKS}/${id}/test`);
  expect(failed.body).toMatchObject({ ok: false, status: 500, answer: "no", error: null });
  const call = far.of("webhook.test")[0];
  if (!call) throw new Error("no test call");
  expect(verifies(secret, call)).toBe(true);
  expect(call.event.id).toBe(failed.body.event_id);
  await it.call("PATCH", `${HOOKS}/${id}`, { body: { url: "http://127.0.0.1:1/" } });
  const dead = await it.call("POST", `${HOOKS}/${id}/test`);
  expect(dead.body).toMatchObject({ ok: false, status: null, error: expect.stringMatching(/connection/) });
});

test("one delivery, or all since an instant, are sent again with the same ids", async () => {
  const { far, id } = await hooked({ types: ["person.identified"] });
  const before = new Date();
  await identify("ida");
  await identify("ivan");
  await until(
    async () =>
      (await log(id)).every((row: { status: string }) => row.status === "delivered") && far.calls.length === 2,
  );
  const ids = far.calls.map((call) => call.event.id).toSorted();
  const one = await it.call("POST", `${HOOKS}/${id}/deliveries/${ids[0]}/replay`);
  expect([one.status, one.body]).toEqual([202, { id: ids[0], status: "pending" }]);
  const repeated = async () => (await log(id)).find((row: { id: string }) => row.id === ids[0]);
  // Wait until the attempt is written: a replay does not change a delivery that is being sent.
  await until(async () => (await repeated()).attempts.length === 2, "the repeat");
  expect(far.calls.filter((call) => call.event.id === ids[0])).toHaveLength(2);
  const all = await it.call("POST", `${HOOKS}/${id}/replay`, { body: { since: before.toISOString() } });
  expect(all.status).toBe(202);
  await until(() => ids.every((each) => far.calls.filter((call) => call.event.id === each).length >= 2), "the replay");
  await until(() => far.calls.filter((call) => call.event.id === ids[0]).length === 3, "the replay of the first");
  await until(async () => (await tasks(id)).length === 0, "the end of the work");
});

test("how far a replay is shows until its events are read, and ends when the endpoint is disabled", async () => {
  const { id } = await hooked({ types: ["person.identified"] });
  const since = new Date(Date.now() - 3_600_000).toISOString();
  await identify("nils");
  await it.call("POST", `${HOOKS}/${id}/replay`, { body: { since } });
  await until(async () => (await tasks(id)).length === 0, "the end of the work");
  // Its position holds still, as that of an endpoint with too many events to send.
  await set(`update webhooks set replay_since = '${since}', replay_until = now() where enabled`);
  const [work] = await tasks(id);
  expect(work).toMatchObject({ type: "webhooks", status: "running", target: null, progress: { since } });
  expect(work.progress.total).toBeGreaterThanOrEqual(3_600);
  expect(work.progress.done).toBe(work.progress.total);
  await it.call("PATCH", `${HOOKS}/${id}`, { body: { enabled: false } });
  expect(await tasks(id)).toEqual([]);
});

test("a disabled endpoint gets nothing, and after a replay the events that it missed", async () => {
  const { far, id } = await hooked({ types: ["person.identified"] });
  await it.call("PATCH", `${HOOKS}/${id}`, { body: { enabled: false } });
  expect((await it.call("GET", `${HOOKS}/${id}`)).body).toMatchObject({ enabled: false, disabled_reason: "manual" });
  const since = new Date().toISOString();
  await identify("jane");
  const early = await it.call("POST", `${HOOKS}/${id}/replay`, { body: { since } });
  expect([early.status, early.body.code]).toEqual([409, "webhook_disabled"]);
  const enabled = await it.call("PATCH", `${HOOKS}/${id}`, { body: { enabled: true } });
  expect(enabled.body).toMatchObject({ enabled: true, disabled_reason: null, disabled_at: null });
  await identify("john");
  await until(() => far.calls.length === 1, "the call");
  expect(far.calls[0]?.event.data.person_id).toBe("john");
  await it.call("POST", `${HOOKS}/${id}/replay`, { body: { since } });
  await until(() => far.calls.some((call) => call.event.data.person_id === "jane"), "what it missed");
});

test("all that failed is sent again, or a period of the log, with the count and what is left to do", async () => {
  const { far, id } = await hooked({ types: ["person.identified"] });
  far.answer = (response) => void response.writeHead(500).end("no");
  const since = new Date().toISOString();
  for (const name of ["kim", "kate"]) await identify(name);
  const tried = async () =>
    (await log(id)).filter((row: { attempts: object[] }) => row.attempts.length > 0).length === 2;
  await until(tried, "the first attempts");
  // The newest endpoint is this one.
  await set(`update webhook_deliveries set status = 'failed', due_at = null
    where webhook_id = (select id from webhooks order by id desc limit 1)`);
  far.answer = (response) => void response.writeHead(204).end();
  await it.call("PATCH", `${HOOKS}/${id}`, { body: { enabled: false } });
  expect((await it.call("POST", `${HOOKS}/${id}/replay`, { body: { since, status: "failed" } })).status).toBe(409);
  await it.call("PATCH", `${HOOKS}/${id}`, { body: { enabled: true } });
  const before = { since: "2026-01-01T00:00:00Z", until: since };
  const none = await it.call("POST", `${HOOKS}/${id}/replay`, { body: before });
  expect(none.body).toMatchObject({ count: 0, next_since: null });
  const calls = far.calls.length;
  const replayed = await it.call("POST", `${HOOKS}/${id}/replay`, { body: { since, status: "failed" } });
  expect(replayed).toMatchObject({ status: 202, body: { count: 2, next_since: null } });
  const backlog = async () => (await it.call("GET", `${HOOKS}/${id}/backlog`)).body;
  await until(async () => (await backlog()).pending === 0, "the end of the replay");
  expect(far.calls.length - calls).toBe(2);
  expect(await backlog()).toEqual({ pending: 0, reading_at: null });
  const counted = async (query: string) =>
    (await it.call("GET", `${HOOKS}/${id}/deliveries?${query}`)).body.data.length;
  expect([
    await counted("type=person.identified"),
    await counted("type=email.sent"),
    await counted(`until=${since}`),
    await counted(`since=${since}&status=delivered`),
  ]).toEqual([2, 0, 0, 2]);
});

test("a period that ends before it begins is refused, at the replay and in the log", async () => {
  const { id } = await hooked();
  const body = { since: "2026-01-02T00:00:00Z", until: "2026-01-01T00:00:00Z" };
  expect((await it.call("POST", `${HOOKS}/${id}/replay`, { body })).body.errors[0].pointer).toBe("/until");
  const query = new URLSearchParams(body);
  expect((await it.call("GET", `${HOOKS}/${id}/deliveries?${query}`)).body.errors[0].parameter).toBe("until");
});
