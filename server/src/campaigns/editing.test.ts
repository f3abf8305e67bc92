import type { Step } from "@tidings/contract/campaigns/steps";
import { expect, test } from "vitest";
import { engineService } from "../../test/support/services/engine.ts";

// Campaigns are changed, paused and archived while people are inside, by calls, and the engine takes the people on.

const { it, clock, identify, define, sync, settle, forward } = await engineService();
const HOUR = 3_600_000;
const old = await define({ body: "old" });
const mended = await define({ body: "mended" });
const say = (id: string, message_id: string): Step => ({ id, type: "message", channel: "in_app", message_id });
const wait = (id: string, amount: number): Step => ({ id, type: "wait", for: { amount, unit: "hours" } });
const call = (method: "GET" | "POST" | "PATCH" | "DELETE", path: string, body?: object) =>
  it.call(method, `/api/v1/campaigns${path}`, body ? { body } : {});

async function active(steps: Step[]): Promise<string> {
  const { id } = (await call("POST", "", { name: "Test", trigger: { type: "api" }, steps })).body;
  const answer = await call("POST", `/${id}/activate`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return id;
}
async function enter(id: string, person: string, data: object = {}): Promise<string> {
  await identify(person);
  const answer = await call("POST", `/${id}/runs`, { person_id: person, data });
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  await settle();
  return answer.body.run_id;
}
async function publish(id: string, steps: Step[], inside?: string): Promise<void> {
  await call("PATCH", `/${id}`, { steps });
  const answer = await call("POST", `/${id}/activate`, inside ? { inside } : {});
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  await settle();
}
const run = async (id: string, runId: string) => (await call("GET", `/${id}/runs/${runId}`)).body;
const shown = async (person: string) => (await sync(person)).map(({ content }) => (content as { body: string }).body);
const track = async (person: string, eventName: string) => {
  await it.call("POST", "/data-gateway/v1/track", { body: { person_id: person, eventName } });
  await settle();
};

test("a mended text reaches those who wait before it", async () => {
  const id = await active([wait("pause", 1), say("hello", old)]);
  const ada = await enter(id, "ada");
  await publish(id, [wait("pause", 1), say("hello", mended)]);
  await forward(HOUR);
  expect(await run(id, ada)).toMatchObject({ status: "completed" });
  expect(await shown("ada")).toEqual(["mended"]);
});

test("who stays goes the old way to its end, and who enters then goes the new one", async () => {
  const id = await active([wait("pause", 1), say("hello", old)]);
  await enter(id, "ben");
  await publish(id, [say("other", mended)], "stay");
  await enter(id, "bea");
  await forward(HOUR);
  expect([await shown("ben"), await shown("bea")]).toEqual([["old"], ["mended"]]);
});

test("who moves waits as the changed step says, from when they came to it", async () => {
  const id = await active([wait("pause", 10), say("hello", old)]);
  const cy = await enter(id, "cy");
  await forward(2 * HOUR);
  await publish(id, [wait("pause", 3), say("hello", mended)], "move");
  expect(await run(id, cy)).toMatchObject({
    step_id: "pause",
    due_at: new Date(clock.now().getTime() + HOUR).toISOString(),
  });
  await publish(id, [wait("pause", 2), say("hello", mended)], "move");
  expect(await run(id, cy)).toMatchObject({ status: "completed" });
  expect(await shown("cy")).toEqual(["mended"]);
});

test("who moves waits for the event that the changed step names", async () => {
  const till = (event: string): Step => ({
    id: "till",
    type: "wait_until",
    event,
    timeout: { amount: 1, unit: "days" },
    then: [say("hello", old)],
  });
  const id = await active([till("paid")]);
  const dan = await enter(id, "dan");
  await publish(id, [till("ordered")], "move");
  await forward(5_000);
  await track("dan", "paid");
  expect(await run(id, dan)).toMatchObject({ status: "active", step_id: "till" });
  await track("dan", "ordered");
  expect(await run(id, dan)).toMatchObject({ status: "completed" });
  expect(await shown("dan")).toEqual(["old"]);
});

test("who stayed in an older journey moves as well", async () => {
  const id = await active([wait("pause", 10), say("hello", old)]);
  const dee = await enter(id, "dee");
  await publish(id, [wait("pause", 1), say("hello", old)], "stay");
  await forward(2 * HOUR);
  expect(await run(id, dee)).toMatchObject({ status: "active" });
  await publish(id, [wait("pause", 1), say("hello", old), wait("more", 1)], "move");
  expect(await run(id, dee)).toMatchObject({ status: "active", step_id: "more" });
});

test("a step that became another is begun by who stood at it", async () => {
  const id = await active([wait("first", 10)]);
  const eve = await enter(id, "eve");
  await publish(id, [say("first", mended)], "move");
  expect(await run(id, eve)).toMatchObject({ status: "completed" });
  expect(await shown("eve")).toEqual(["mended"]);
});

test("a pause holds lengths of time where they are, and a date comes when it comes", async () => {
  const id = await active([
    {
      id: "fork",
      type: "branch",
      if: { trigger: "at", op: "exists" },
      then: [{ id: "date", type: "wait", until: "trigger.at" }],
      else: [wait("length", 2)],
    },
    say("hello", old),
  ]);
  const at = new Date(clock.now().getTime() + 5 * HOUR);
  const fay = await enter(id, "fay", { at: at.toISOString() });
  const gus = await enter(id, "gus");
  await forward(HOUR);
  await call("POST", `/${id}/pause`);
  await forward(3 * HOUR);
  expect([await run(id, fay), await run(id, gus)]).toMatchObject([{ step_id: "date" }, { step_id: "length" }]);
  await call("POST", `/${id}/resume`);
  await settle();
  expect(await run(id, gus), "it had an hour left").toMatchObject({ status: "active" });
  await forward(HOUR);
  expect([await run(id, fay), await run(id, gus)]).toMatchObject([{ status: "completed" }, { status: "completed" }]);
});

test("a date that passes in a pause is gone on from right after it", async () => {
  const id = await active([{ id: "date", type: "wait", until: "trigger.at" }]);
  const hal = await enter(id, "hal", { at: new Date(clock.now().getTime() + HOUR).toISOString() });
  await call("POST", `/${id}/pause`);
  await forward(2 * HOUR);
  await call("POST", `/${id}/resume`);
  await settle();
  expect(await run(id, hal)).toMatchObject({ status: "completed" });
});

test("an archived campaign takes everybody out, and can then be removed", async () => {
  const id = await active([wait("pause", 1), say("hello", old)]);
  const ivy = await enter(id, "ivy");
  await call("POST", `/${id}/archive`);
  await settle();
  expect(await run(id, ivy)).toMatchObject({ status: "canceled", reason: "campaign_archived", step_id: null });
  await forward(HOUR);
  expect(await shown("ivy")).toEqual([]);
  expect((await call("DELETE", `/${id}`)).status).toBe(204);
});
