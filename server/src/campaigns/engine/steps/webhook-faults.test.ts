import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { callingEngine, end, hook, json } from "../../../../test/support/campaigns/calling.ts";
import { receiver } from "../../../../test/support/network/receiver.ts";
import { engineService } from "../../../../test/support/services/engine.ts";
import { until } from "../../../../test/support/wait.ts";
import { sql } from "../../../platform/db/index.ts";
import { startCalls } from "../../calls/work.ts";
import { newId } from "../../../platform/ids.ts";

const { identify, campaign, begin, settle, passagesOf, passed, db, act, callOf, hurry, wake, over } =
  await callingEngine();

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
  await db.execute(sql`update campaign_calls set due_at = now(), lease_id = ${newId()} where run_id = ${run}`);
  wake();
  expect(await over(run)).toBe("exited exit");
  expect(far.calls).toHaveLength(2);
  expect(far.calls[0]?.headers["webhook-id"]).toBe(far.calls[1]?.headers["webhook-id"]);
  for (const response of hangs) json(500, {})(response);
  expect(await passed(run)).toEqual(["end exited exit", "hook passed"]);
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
