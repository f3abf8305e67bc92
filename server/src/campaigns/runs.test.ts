import { describe, expect, test } from "vitest";
import { inShards } from "../../test/support/database/citus.ts";
import { waitingForLocks } from "../../test/support/database/locks.ts";
import { idOf, runService, wait } from "../../test/support/campaigns/runs.ts";
import { until } from "../../test/support/wait.ts";
import { sql } from "../platform/db/index.ts";
import { decodeId, encodeId, newId } from "../platform/ids.ts";
import { endOne } from "./run/end-store.ts";

const { clock, db, campaign, post, get, person, begin, passed } = await runService();

describe("beginning runs by a call", () => {
  test("lets a person in with data, once for each Idempotency-Key", async () => {
    const made = await campaign({ reentry: "always" });
    const ada = await person();
    const body = { person_id: ada, data: { post: 7 }, cancellation_key: "post-7" };
    const first = await post(made, "", body, { "idempotency-key": "k1" });
    expect(first).toMatchObject({ status: 202, body: { run_id: expect.stringMatching(/^run_[0-9a-z]{26}$/) } });
    const again = await post(made, "", body, { "idempotency-key": "k1" });
    expect([again.body, again.headers["idempotent-replayed"]]).toEqual([first.body, "true"]);
    expect((await get(made)).body).toEqual({
      data: [
        {
          id: first.body.run_id,
          campaign_id: made,
          person_id: ada,
          status: "active",
          reason: null,
          step_id: "pause",
          data: { post: 7 },
          cancellation_key: "post-7",
          entered_at: clock.now().toISOString(),
          due_at: clock.now().toISOString(),
          ended_at: null,
        },
      ],
      next_cursor: null,
    });
    expect((await get(made, `/${first.body.run_id}`)).body).toMatchObject({ id: first.body.run_id, history: [] });
  });

  test("is refused for who may not enter again, whom nobody knows, and a campaign that is not active", async () => {
    const made = await campaign();
    const ada = await person();
    await begin(made, ada);
    expect(await post(made, "", { person_id: ada })).toMatchObject({ status: 409, body: { code: "already_entered" } });
    expect(await post(made, "", { person_id: "nobody" })).toMatchObject({
      status: 404,
      body: { code: "person_not_found" },
    });
    expect(await post(made, "", { person_id: ada, data: { text: "x".repeat(40_000) } })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: "/data" }] },
    });
    expect((await post(idOf(newId()), "", { person_id: ada })).status).toBe(404);
    await db.execute(sql`update campaigns set status = 'paused' where id = ${decodeId("cmp", made)}`);
    expect(await post(made, "", { person_id: await person() })).toMatchObject({
      status: 409,
      body: { code: "wrong_status", current: "paused" },
    });
  });

  test.skipIf(inShards)("says that the campaign is paused also where that happens at the same moment", async () => {
    const made = await campaign({ reentry: "always" });
    const ada = await person();
    let begun: Promise<unknown> | undefined;
    await db.transaction(async (tx) => {
      await tx.query(sql`select from campaigns where id = ${decodeId("cmp", made)} for update`);
      begun = post(made, "", { person_id: ada });
      await until(async () => (await waitingForLocks(db)) === 1, "the call that waits for the campaign");
      await tx.execute(sql`update campaigns set status = 'paused' where id = ${decodeId("cmp", made)}`);
    });
    expect(await begun).toMatchObject({ status: 409, body: { code: "wrong_status", current: "paused" } });
  });

  test("gives runs a key by which another call ends them all", async () => {
    const made = await campaign();
    const other = await campaign();
    const people = await Promise.all([person(), person(), person()]);
    for (const [i, one] of people.entries())
      await begin(made, one, { cancellation_key: i < 2 ? "order-1" : "order-2" });
    await begin(other, people[0] as string, { cancellation_key: "order-1" });
    expect(await post(made, "/cancel", { cancellation_key: "order-1" })).toMatchObject({
      status: 200,
      body: { canceled: 2 },
    });
    expect((await post(made, "/cancel", { cancellation_key: "order-1" })).body).toEqual({ canceled: 0 });
    const { data } = (await get(made, "?status=canceled")).body;
    expect(data).toHaveLength(2);
    expect(data[0]).toMatchObject({
      reason: "cancellation_key",
      step_id: null,
      due_at: null,
      ended_at: clock.now().toISOString(),
    });
    expect((await get(other, "?status=active")).body.data).toHaveLength(1);
  });
});

describe("intervening", () => {
  const steps = [wait("a"), { id: "b", type: "branch" as const, then: [wait("c")], else: [] }, wait("d")];
  const show = async (made: string, run: string) => (await get(made, `/${run}`)).body;

  test("moves a run to a step that it has not come to", async () => {
    const made = await campaign({ steps });
    const run = await begin(made, await person());
    expect(await post(made, `/${run}/move`, { step_id: "nowhere" })).toMatchObject({ status: 400 });
    expect(await post(made, `/${run}/move`, { step_id: "a" })).toMatchObject({ status: 400 });
    const moved = await post(made, `/${run}/move`, { step_id: "c" });
    expect(moved).toMatchObject({
      status: 200,
      body: { step_id: "c", status: "active", due_at: clock.now().toISOString() },
    });
    expect(moved.body.history).toMatchObject([{ step_id: "a", state: "exited", reason: "moved" }]);
    expect(await post(made, `/${run}/move`, { step_id: "a" })).toMatchObject({ status: 400 });
  });

  test("skips a step with its lists, and the last one completes the run", async () => {
    const made = await campaign({ steps });
    const run = await begin(made, await person());
    expect((await post(made, `/${run}/skip`)).body).toMatchObject({ step_id: "b" });
    expect((await post(made, `/${run}/skip`)).body).toMatchObject({ step_id: "d" });
    const { body } = await post(made, `/${run}/skip`);
    expect(body).toMatchObject({
      step_id: null,
      status: "completed",
      due_at: null,
      ended_at: clock.now().toISOString(),
    });
    expect(body.history).toMatchObject(
      ["a", "b", "d"].map((step_id) => ({ step_id, state: "passed", reason: "skipped" })),
    );
    expect(await post(made, `/${run}/skip`)).toMatchObject({
      status: 409,
      body: { code: "wrong_status", current: "completed" },
    });
  });

  test("tries a failed run again at its step", async () => {
    const made = await campaign({ steps });
    const run = await begin(made, await person());
    expect((await post(made, `/${run}/retry`)).status).toBe(409);
    const [{ person_key }] = (await db.query<{ person_key: string }>(
      sql`select person_key from campaign_runs where id = ${decodeId("run", run)}`,
    )) as [{ person_key: string }];
    const failure = { status: "failed", reason: "boom" } as const;
    await db.transaction((tx) => endOne(tx, { person_key, id: decodeId("run", run) as string }, failure, clock.now()));
    expect(await show(made, run)).toMatchObject({
      status: "failed",
      history: [{ step_id: "a", state: "failed", reason: "boom" }],
    });
    expect((await post(made, `/${run}/retry`)).body).toMatchObject({
      status: "active",
      reason: null,
      step_id: "a",
      ended_at: null,
      history: [{ step_id: "a", state: "waiting", reason: null, left_at: null }],
    });
  });

  test("ends a run once", async () => {
    const made = await campaign({ steps });
    const run = await begin(made, await person());
    await passed(run, "a", "waiting");
    expect((await post(made, `/${run}/end`)).body).toMatchObject({
      status: "canceled",
      reason: "ended",
      step_id: null,
      history: [{ step_id: "a", state: "exited", reason: "ended" }],
    });
    expect((await post(made, `/${run}/end`)).status).toBe(409);
    expect(await show(made, run)).toMatchObject({ status: "canceled" });
    expect((await post(made, `/${encodeId("run", newId())}/end`)).status).toBe(404);
  });
});
