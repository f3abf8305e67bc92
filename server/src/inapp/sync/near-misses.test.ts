import { describe, expect, onTestFinished, test, vi } from "vitest";
import { testClock, testService } from "../../../test/support/service.ts";
import { until } from "../../../test/support/wait.ts";
import { newId } from "../../platform/ids.ts";
import { type Workspace, workspaceById } from "../../workspaces/index.ts";
import { NearMisses } from "./near-misses.ts";
import { syncer } from "./sync.ts";

const clock = testClock("2026-03-10T12:00:00.000Z");
const it = await testService({ clock });

async function person(personId = newId()): Promise<string> {
  await it.call("POST", "/data-gateway/v1/identify", { body: { person_id: personId } });
  return personId;
}

const sync = (personId: string, query: Record<string, string> = {}) =>
  it.call(
    "GET",
    `/data-gateway/v1/in-app/messages/sync?${new URLSearchParams({ ...query, person_id: personId, limit: "50" })}`,
  );

describe("near misses", () => {
  const misses = async () => (await it.call("GET", "/api/v1/in-app/near-misses")).body.data;

  test("syncs of unknown people are kept for an hour and shown when a person is not found", async () => {
    clock.set("2026-04-01T09:00:00.000Z");
    const known = await person();
    await sync(known);
    for (const screen of ["home", "shop"]) await sync("Ada%20", { screen });
    await until(async () => (await misses()).length > 0, "the near miss");
    await sync("Ada%20", { screen: "cart" });
    const expected = [{ person_id: "Ada%20", screen: "cart", last_seen: "2026-04-01T09:00:00.000Z", count: 3 }];
    expect(await misses()).toEqual(expected);
    const answer = await it.call("GET", "/api/v1/people/ada/in-app");
    expect(answer).toMatchObject({ status: 404, body: { code: "person_not_found", near_misses: expected } });
    const other = await it.another();
    expect((await it.call("GET", "/api/v1/in-app/near-misses", { key: other.secretKey })).body).toEqual({ data: [] });
    clock.forward(3_600_001);
    expect(await misses()).toEqual([]);
  });

  test("a person who is identified meanwhile is no longer listed, and at most a thousand are kept", async () => {
    clock.set("2026-04-02T09:00:00.000Z");
    await sync("late");
    await until(async () => (await misses()).length === 1, "the near miss");
    await person("late");
    expect(await misses()).toEqual([]);
    for (let round = 0; round < 3; round++) {
      clock.forward(1_000);
      await Promise.all(Array.from({ length: 400 }, (_, i) => sync(`stranger-${round}-${i}`)));
      await until(async () => (await misses()).length === Math.min(1_000, 400 * (round + 1)), "the next strangers");
    }
    expect((await misses())[0].person_id).toMatch(/^stranger-2-/);
  });

  test("near misses of all workspaces together are limited, and those of the workspace that had none for the longest time go first", async () => {
    const { ground } = it.service;
    const nearMisses = new NearMisses(ground, 100);
    const workspaces = [newId(), newId(), newId()];
    const kept = async () => (await Promise.all(workspaces.map((id) => nearMisses.of(id)))).map((of) => of.length);
    for (const [i, expected] of [
      [60, 0, 0],
      [60, 30, 0],
      [40, 30, 30],
    ].entries()) {
      const id = workspaces[i] as string;
      for (let n = 0; n < (expected[i] as number); n++) nearMisses.note(id, `p${n}`, newId(), "home");
      await until(async () => (await kept()).join() === expected.join(), "the near misses of a workspace");
    }
    nearMisses.note(workspaces[0] as string, "p0", newId(), "home");
    await until(async () => (await kept()).join() === "41,29,30", "the near miss of the first workspace");
  });

  test("whether a person exists is checked at most once a minute, and no response waits for it", async () => {
    const { ground } = it.service;
    let asked = 0;
    const query: typeof ground.db.query = (statement) => {
      if (/\bpeople\b/.test(statement.text)) asked++;
      return ground.db.query(statement);
    };
    const workspace = (await workspaceById(ground.db, it.workspaceId)) as Workspace;
    const spied = { ...ground, db: { ...ground.db, query } };
    const ask = syncer({ ...spied, nearMisses: new NearMisses(spied) });
    const personId = await person();
    // The look-up waits for the others of its round: here for as long as the test says.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    for (let i = 0; i < 50; i++) expect(await ask(workspace, { person_id: personId, limit: 10 })).toBe("[]");
    expect(asked).toBe(0);
    vi.advanceTimersByTime(500);
    vi.useRealTimers();
    await until(() => asked === 1, "the look-up");
    await ask(workspace, { person_id: personId, limit: 10 });
    clock.forward(60_000);
    // While the first look-up is under way, a sync joins it.
    await until(async () => {
      await ask(workspace, { person_id: personId, limit: 10 });
      return asked > 1;
    }, "the next look-up");
    expect(asked).toBe(2);
  });
});
