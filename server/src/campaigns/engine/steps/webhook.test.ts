import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { callingEngine, end, hook, json, SECRET, uuid, verifies } from "../../../../test/support/campaigns/calling.ts";
import { receiver } from "../../../../test/support/network/receiver.ts";
import { until } from "../../../../test/support/wait.ts";
import { encodeId } from "../../../platform/ids.ts";
import { callIdOf } from "../../calls/work.ts";

// The step that calls a system of the author, against a real server.

const {
  it,
  clock,
  identify,
  campaign,
  begin,
  settle,
  runOf,
  passed,
  deliveries,
  secret,
  act,
  callOf,
  hurry,
  wake,
  over,
} = await callingEngine();

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
