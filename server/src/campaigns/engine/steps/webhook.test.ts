import type { ServerResponse } from "node:http";
import { afterAll, expect, test } from "vitest";
import { type Call, type Receiver, receiver } from "../../../../test/support/network/receiver.ts";
import { engineService } from "../../../../test/support/services/engine.ts";
import { until } from "../../../../test/support/wait.ts";
import { sql } from "../../../platform/db/index.ts";
import { encodeId } from "../../../platform/ids.ts";
import { signatureOf } from "../../../platform/standard-webhooks.ts";
import { callIdOf, startCalls } from "../../calls/work.ts";
import type { Published } from "../../definition/published.ts";

// The step that calls a system of the author, against a real server.

const engine = await engineService({ ALLOW_PRIVATE_NETWORK: "true" });
const { it, clock, identify, campaign, begin, settle, runOf, passagesOf, passed, deliveries } = engine;
const { db } = it.service.ground;
const SECRET = "/api/v1/campaigns/webhook-secret";
const calls = startCalls(it.service.ground);
afterAll(() => calls.stop());

const json = (status: number, body: unknown) => (response: ServerResponse) =>
  void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
/** Whether a call has the signature of a secret. The receivers' library would compare the test's clock with the real one. */
const verifies = (key: string, { headers, body }: Call): boolean => {
  const [id, timestamp] = [String(headers["webhook-id"]), String(headers["webhook-timestamp"])];
  return String(headers["webhook-signature"])
    .split(" ")
    .includes(signatureOf(key, id, timestamp, body));
};
const secret = async () => (await it.call("GET", SECRET)).body.secret;
const hook = (far: Receiver, own: object = {}) => ({ id: "hook", type: "webhook", url: far.url, ...own });
const end = { id: "end", type: "exit" };
const uuid = (of: Published) => encodeId("cmp", of.campaignId);
const act = (of: Published, what: string, body?: object) =>
  it.call("POST", `/api/v1/campaigns/${uuid(of)}/${what}`, body ? { body } : {});
const callOf = async (run: string) =>
  (
    await db.query<{ state: string; attempts: number; lease_id: string | null; waits: boolean }>(
      sql`select state, attempts, lease_id, due_at > now() as waits from campaign_calls where run_id = ${run}`,
    )
  )[0];
/** Ends the waits between attempts, and the leases of processes that died. */
const hurry = (run: string) => db.execute(sql`update campaign_calls set due_at = now() where run_id = ${run}`);
const wake = () => it.service.ground.signals.publish("campaigns.calls_due", []);
/** Waits until the run is at no step, while the engine advances it. */
async function over(run: string) {
  await until(async () => {
    await settle();
    return (await runOf(run)).ended_at !== null;
  }, "the run is over");
  const { status, reason } = await runOf(run);
  return reason === null ? status : `${status} ${reason}`;
}

test("a call is signed and has one id; its answer is read by later steps, and the history shows both", async () => {
  await identify("ada", { name: "Ada", phone: "+41790000001" });
  const far = await receiver();
  const hangs: ServerResponse[] = [];
  far.answer = (response) => void hangs.push(response);
  const content = {
    body: "{{steps.hook.response.coupon.code}} {{steps.hook.response.body.coupon.code}} {{steps.hook.response.status}}",
  };
  const of = await campaign([
    hook(far, {
      url: `${far.url}?order={{trigger.order | url_encode}}`,
      body: { who: "{{person.name}}", items: ["{{trigger.order}}", 3], nested: { none: null } },
    }),
    { id: "tell", type: "message", channel: "sms", content },
  ]);
  const [run = ""] = await begin(of, ["ada"], { order: "a b" });
  await settle();
  await until(() => hangs.length === 1, "the call under way");
  expect(await runOf(run)).toMatchObject({ step_id: "hook", due_at: null, status: "active" });
  for (const response of hangs) json(200, { coupon: { code: "C7" }, status: "made" })(response);
  expect(await over(run)).toBe("completed");
  const [call] = far.calls;
  if (!call) throw new Error("no call");
  expect(far.calls).toHaveLength(1);
  expect(verifies(await secret(), call)).toBe(true);
  expect(call.headers["webhook-id"]).toBe(callIdOf({ run_id: run, step_id: "hook" }));
  expect(call.headers["idempotency-key"]).toBe(call.headers["webhook-id"]);
  expect(call.event).toEqual({ who: "Ada", items: ["a b", 3], nested: { none: null } });
  expect((await deliveries(of)).map((one) => (one.content as { body: string }).body)).toEqual(["C7 C7 made"]);
  const { body } = await it.call("GET", `/api/v1/campaigns/${uuid(of)}/runs/${encodeId("run", run)}`);
  expect(body.history[0]).toMatchObject({
    step_id: "hook",
    state: "passed",
    detail: {
      url: `${far.url}?order=a+b`,
      request: { who: "Ada" },
      attempts: 1,
      status: 200,
      response: { coupon: { code: "C7" } },
    },
  });
  expect(await callOf(run)).toBeUndefined();
});

test("without a body the run, the person and the trigger's data are sent", async () => {
  await identify("plain", { plan: "pro" });
  const far = await receiver();
  const of = await campaign([hook(far)]);
  const [run = ""] = await begin(of, ["plain"], { order: "o1" });
  expect(await over(run)).toBe("completed");
  expect(far.calls[0]?.event).toMatchObject({
    run: { id: encodeId("run", run), campaign_id: uuid(of), step_id: "hook", entered_at: clock.now().toISOString() },
    person: { person_id: "plain", plan: "pro" },
    trigger: { order: "o1" },
  });
  expect((await runOf(run)).outputs).toMatchObject({ hook: { response: { status: 204, body: null } } });
});

test("a fault is repeated with the same id and body, and after five attempts the step fails as on_failure says", async () => {
  await identify("faulty");
  const far = await receiver();
  far.answer = (response) => void response.writeHead(503).end("down for now");
  const of = await campaign([hook(far, { on_failure: "exit" }), end]);
  const [run = ""] = await begin(of, ["faulty"]);
  await settle();
  for (let attempt = 1; attempt < 5; attempt++) {
    await until(async () => {
      const call = await callOf(run);
      return call?.attempts === attempt && call.lease_id === null;
    }, `attempt ${attempt}`);
    expect(await callOf(run)).toMatchObject({ state: "pending", waits: true });
    expect(await passed(run)).toEqual(["hook waiting"]);
    await hurry(run);
    wake();
  }
  expect(await over(run)).toBe("exited step_failed");
  expect(await passagesOf(run)).toMatchObject([
    {
      state: "failed",
      reason: "webhook_failed",
      detail: { attempts: 5, status: 503, response: "down for now", url: far.url },
    },
  ]);
  expect(far.calls).toHaveLength(5);
  expect(new Set(far.calls.map(({ headers, body }) => `${headers["webhook-id"]} ${body}`)).size).toBe(1);
});

test("a refusal fails at once and the run continues; a connection that breaks is repeated", async () => {
  await identify("refused");
  const far = await receiver();
  far.answer = (response, { event }) => {
    if (JSON.stringify(event).includes('"breaks"') && far.calls.length === 1) return void response.socket?.destroy();
    json(far.calls.length === 2 ? 200 : 422, { message: "no such order" })(response);
  };
  const of = await campaign([hook(far), end]);
  const [breaks = ""] = await begin(of, ["refused"], { order: "breaks" });
  await settle();
  await until(async () => (await callOf(breaks))?.attempts === 1, "the first attempt");
  await hurry(breaks);
  wake();
  expect(await over(breaks)).toBe("exited exit");
  const [run = ""] = await begin(of, ["refused"]);
  expect(await over(run)).toBe("exited exit");
  expect(await passed(run)).toEqual(["end exited exit", "hook failed webhook_failed"]);
  expect((await passagesOf(run)).find(({ step_id }) => step_id === "hook")?.detail).toMatchObject({
    status: 422,
    response: '{"message":"no such order"}',
  });
});

test("a private address is not called, and an address that is too long once it is rendered fails", async () => {
  const {
    campaign: guarded,
    begin: enter,
    identify: known,
    settle: go,
    it: other,
    runOf: rowOf,
    passed: came,
  } = await engineService();
  const guardedCalls = startCalls(other.service.ground);
  try {
    await known("guarded");
    const far = await receiver();
    const of = await guarded([hook(far), { id: "long", type: "webhook", url: "https://shop.test/{{trigger.long}}" }]);
    const [run = ""] = await enter(of, ["guarded"], { long: "x".repeat(9_000) });
    await until(async () => {
      await go();
      return (await rowOf(run)).ended_at !== null;
    }, "the run is over");
    const all = await came(run);
    expect(all).toContain("hook failed webhook_failed");
    expect(all).toContain("long failed url_invalid");
    expect(far.calls).toEqual([]);
  } finally {
    await guardedCalls.stop();
  }
});

test("a lease of a process that died ends, and the call is made again with the same id", async () => {
  await identify("dead");
  const far = await receiver();
  const hangs: ServerResponse[] = [];
  far.answer = (response) => (far.calls.length === 1 ? void hangs.push(response) : json(200, {})(response));
  const of = await campaign([hook(far), end]);
  const [run = ""] = await begin(of, ["dead"]);
  await settle();
  await until(() => far.calls.length === 1, "the first call");
  // Another process takes the row over, as after the end of its lease; the answer to the first call comes too late.
  await db.execute(sql`update campaign_calls set due_at = now(), lease_id = gen_random_uuid() where run_id = ${run}`);
  wake();
  expect(await over(run)).toBe("exited exit");
  expect(far.calls).toHaveLength(2);
  expect(far.calls[0]?.headers["webhook-id"]).toBe(far.calls[1]?.headers["webhook-id"]);
  for (const response of hangs) json(500, {})(response);
  expect(await passed(run)).toEqual(["end exited exit", "hook passed"]);
});

test("no call starts while the campaign is paused, and answers that come meanwhile are collected after it", async () => {
  await identify("pauses");
  const far = await receiver();
  const hangs: ServerResponse[] = [];
  far.answer = (response) => void hangs.push(response);
  const of = await campaign([hook(far), end]);
  const runs = await begin(of, Array(9).fill("pauses"));
  await settle();
  await until(() => hangs.length === 8, "the calls under way");
  await act(of, "pause");
  for (const response of hangs) json(200, {})(response);
  await until(async () => {
    const rows = await Promise.all(runs.map(callOf));
    return rows.filter((row) => row?.state === "answered").length === 8 && rows.every((row) => row?.lease_id === null);
  }, "eight answers, and a call that is given back");
  await settle();
  expect(far.calls).toHaveLength(8);
  for (const run of runs) expect(await passed(run)).toEqual(["hook waiting"]);
  far.answer = json(200, {});
  await act(of, "resume");
  for (const run of runs) expect(await over(run)).toBe("exited exit");
  expect(far.calls).toHaveLength(9);
});

test("the answer to a call whose run was ended, skipped or archived is ignored, and the call is deleted", async () => {
  await identify("leaves");
  const far = await receiver();
  const hangs: ServerResponse[] = [];
  far.answer = (response) => void hangs.push(response);
  const wait = { id: "w", type: "wait", for: { amount: 1, unit: "days" } };
  const of = await campaign([hook(far), wait]);
  const runs = await begin(of, ["leaves", "leaves", "leaves"]);
  const [ends = "", skips = "", stays = ""] = runs;
  await settle();
  await until(() => hangs.length === 3, "the calls under way");
  await act(of, `runs/${encodeId("run", ends)}/end`);
  await act(of, `runs/${encodeId("run", skips)}/skip`);
  await settle();
  await act(of, "archive");
  await settle();
  for (const response of hangs) json(200, { late: true })(response);
  await until(async () => (await Promise.all(runs.map(callOf))).every((one) => one === undefined), "no call is left");
  for (const run of runs) expect((await runOf(run)).outputs).toEqual({});
  expect(await passed(ends)).toEqual(["hook exited ended"]);
  expect(await passed(skips)).toEqual(["hook passed skipped", "w exited campaign_archived"]);
  expect(await passed(stays)).toEqual(["hook exited campaign_archived"]);
});

test("a receiver that hangs delays neither other campaigns nor the engine", async () => {
  await identify("slow");
  const [slow, quick] = [await receiver(), await receiver()];
  const hangs: ServerResponse[] = [];
  slow.answer = (response) => void hangs.push(response);
  const stuck = await campaign([hook(slow), end]);
  await begin(stuck, Array(100).fill("slow"));
  await settle();
  await until(() => hangs.length === 8, "all calls that one campaign may have under way");
  const of = await campaign([hook(quick), end]);
  const runs = await begin(of, Array(20).fill("slow"));
  for (const run of runs) expect(await over(run)).toBe("exited exit");
  expect(slow.calls).toHaveLength(8);
  await act(stuck, "archive");
  await settle();
  for (const response of hangs) json(200, {})(response);
  await until(
    async () => (await db.query(sql`select from campaign_calls where campaign_id = ${stuck.campaignId}`)).length === 0,
    "the calls of ended runs are deleted",
  );
  expect(slow.calls).toHaveLength(8);
});

test("a rotated secret signs at once, and the previous one signs beside it until its time is over", async () => {
  await identify("rotates");
  const far = await receiver();
  const of = await campaign([hook(far), end]);
  const before = await secret();
  const rotated = await it.call("POST", SECRET, { body: { overlap_hours: 2 } });
  expect(rotated).toMatchObject({ status: 201, body: { previous_valid_until: expect.any(String) } });
  expect(await secret()).toBe(rotated.body.secret);
  const [run = ""] = await begin(of, ["rotates"]);
  await over(run);
  const [call] = far.calls;
  if (!call) throw new Error("no call");
  expect([verifies(before, call), verifies(rotated.body.secret, call)]).toEqual([true, true]);
  expect(await it.call("GET", SECRET, { key: it.publicKey })).toMatchObject({ status: 403 });
  const other = await it.another();
  expect((await it.call("GET", SECRET, { key: other.secretKey })).body.secret).not.toBe(rotated.body.secret);
});

test("an export has the calls of a person, erasing removes them, and a merge keeps them", async () => {
  const far = await receiver();
  far.answer = (response) => void response.writeHead(500).end();
  const of = await campaign([hook(far), end]);
  for (const id of ["called", "merged", "stays"]) await identify(id);
  const [erased = "", moved = ""] = await begin(of, ["called", "merged"]);
  await settle();
  for (const run of [erased, moved]) await until(async () => (await callOf(run))?.attempts === 1, "the first attempt");
  expect((await it.call("GET", "/api/v1/people/called/export")).body.campaign_calls).toMatchObject([
    { run_id: encodeId("run", erased), step_id: "hook", url: far.url },
  ]);
  expect((await it.call("DELETE", "/api/v1/people/called")).status).toBe(204);
  expect(await callOf(erased)).toBeUndefined();
  expect((await it.call("POST", "/api/v1/people/merged/merge", { body: { into: "stays" } })).status).toBe(200);
  far.answer = json(200, {});
  await hurry(moved);
  wake();
  expect(await over(moved)).toBe("exited exit");
});
