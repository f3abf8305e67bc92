import type { CampaignDefinition } from "@tidings/contract/campaigns/campaigns";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { inAppService } from "../../test/support/services/in-app.ts";
import { published } from "../../test/support/services/published.ts";
import { sql } from "../platform/db/index.ts";
import { decodeId, encodeId, newId } from "../platform/ids.ts";
import { endOne } from "./run/end-store.ts";
import { personKey } from "../workspaces/index.ts";

const { it, clock, identify } = await inAppService();
const { db } = it.service.ground;

const wait = (id: string) => ({ id, type: "wait" as const, for: { amount: 1, unit: "days" as const } });
const idOf = (campaignId: string) => encodeId("cmp", campaignId);
async function campaign(own: Partial<CampaignDefinition> = {}): Promise<string> {
  return idOf((await published(it, own)).campaignId);
}
const post = (campaign: string, path: string, body?: object, headers: Record<string, string> = {}) =>
  it.call("POST", `/api/v1/campaigns/${campaign}/runs${path}`, body ? { body, headers } : {});
const get = (campaign: string, path = "") => it.call("GET", `/api/v1/campaigns/${campaign}/runs${path}`);

async function person(): Promise<string> {
  const id = `p-${newId()}`;
  await identify(id);
  return id;
}
async function begin(campaign: string, person_id: string, own: object = {}): Promise<string> {
  const answer = await post(campaign, "", { person_id, ...own });
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  return answer.body.run_id;
}

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

/** Notes what a step made of a run, as the engine does. */
async function passed(runId: string, step: string, state: string, own: { reason?: string; leftAt?: Date } = {}) {
  await db.execute(sql`
    insert into campaign_passages (person_key, run_id, step_id, workspace_id, campaign_id, entered_at, left_at, state, reason)
    select person_key, id, ${step}, workspace_id, campaign_id, ${clock.now()}, ${own.leftAt ?? null}, ${state}, ${own.reason ?? null}
    from campaign_runs where id = ${decodeId("run", runId)}`);
}

describe("looking into runs", () => {
  test("lists page by page, of a person, at a step, with a status", async () => {
    const made = await campaign({ reentry: "always", steps: [wait("a"), wait("b")] });
    const [ada, eve] = [await person(), await person()];
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) {
      ids.unshift(await begin(made, i % 2 ? ada : eve));
      clock.forward(1_000);
    }
    await db.execute(sql`update campaign_runs set step_id = 'b' where id = ${decodeId("run", ids[0] as string)}`);
    const listed: string[] = [];
    let cursor = "";
    do {
      const { body } = await get(made, `?limit=2${cursor}`);
      listed.push(...body.data.map((run: { id: string }) => run.id));
      cursor = body.next_cursor && `&cursor=${body.next_cursor}`;
    } while (cursor);
    expect(listed).toEqual(ids);
    const idsOf = async (query: string) => (await get(made, query)).body.data.map((run: { id: string }) => run.id);
    expect(await idsOf(`?person_id=${ada}`)).toEqual([ids[1], ids[3]]);
    expect(await idsOf("?step=b")).toEqual([ids[0]]);
    expect(await idsOf(`?person_id=${ada}&step=b`)).toEqual([]);
    expect(await idsOf("?status=completed")).toEqual([]);
    expect((await get(idOf(newId()))).status).toBe(404);
    expect((await get(await campaign(), `/${ids[0]}`)).status).toBe(404);
  });

  test("lists those of one person in all campaigns, latest first", async () => {
    const [welcome, offers] = [await campaign(), await campaign({ reentry: "always" })];
    const named = await it.call("PATCH", `/api/v1/campaigns/${offers}`, { body: { name: "Offers" } });
    expect(named.status).toBe(200);
    const [ada, eve] = [await person(), await person()];
    const runs: string[] = [];
    for (const one of [welcome, offers, offers]) {
      runs.unshift(await begin(one, ada));
      clock.forward(1_000);
    }
    await begin(offers, eve);
    expect((await post(offers, `/${runs[0]}/end`)).status).toBe(200);
    const of = (query = "") => it.call("GET", `/api/v1/people/${ada}/runs${query}`);
    const all = (await of()).body;
    expect(all.data.map(({ id }: { id: string }) => id)).toEqual(runs);
    expect(all.data.map((run: { campaign_name: string }) => run.campaign_name)).toEqual(["Offers", "Offers", "Test"]);
    expect(all.data[0]).toMatchObject({ campaign_id: offers, status: "canceled", reason: "ended", person_id: ada });
    const page = (await of("?limit=2")).body;
    expect((await of(`?limit=2&cursor=${page.next_cursor}`)).body.data).toEqual([all.data[2]]);
    expect((await of("?status=active")).body.data).toEqual(all.data.slice(1));
    const unknown = await it.call("GET", "/api/v1/people/nobody/runs");
    expect(unknown).toMatchObject({ status: 404, body: { code: "person_not_found" } });
  });

  test("tells the history in the order of the steps, also of those passed in one moment", async () => {
    const made = await campaign({ steps: [wait("z"), wait("a"), wait("m")] });
    const run = await begin(made, await person());
    for (const step of ["m", "a", "z"])
      await passed(run, step, step === "m" ? "waiting" : "passed", step === "m" ? {} : { leftAt: clock.now() });
    const { history } = (await get(made, `/${run}`)).body;
    expect(history.map((one: { step_id: string }) => one.step_id)).toEqual(["z", "a", "m"]);
    expect(history[0]).toEqual({
      step_id: "z",
      entered_at: clock.now().toISOString(),
      left_at: clock.now().toISOString(),
      state: "passed",
      way: null,
      reason: null,
      delivery_id: null,
      detail: null,
    });
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

test("the numbers of steps are those of the lists, and each run that came to a step is counted once", async () => {
  const ids = ["a", "b", "c"];
  const ways = fc.array(
    fc.record({
      at: fc.constantFrom(...ids),
      standing: fc.boolean(),
      states: fc.array(fc.constantFrom("passed", "failed"), { minLength: 2, maxLength: 2 }),
    }),
    { minLength: 1, maxLength: 8 },
  );
  await fc.assert(
    fc.asyncProperty(ways, async (runs) => {
      const made = await campaign({ steps: ids.map(wait), goal: { event: "g", within: { amount: 1, unit: "days" } } });
      const came: Record<string, number> = { a: 0, b: 0, c: 0 };
      for (const { at, standing, states } of runs) {
        const run = await begin(made, await person());
        const place = ids.indexOf(at);
        for (const [i, id] of ids.slice(0, place).entries())
          await passed(run, id, states[i] as string, { leftAt: clock.now() });
        // A step where the run stands has made something of it or not yet.
        if (standing) await passed(run, at, "waiting");
        for (const id of ids.slice(0, place + 1)) came[id] = (came[id] ?? 0) + 1;
        await db.execute(
          sql`update campaign_runs set step_id = ${at}, goal_at = ${standing ? clock.now() : null} where id = ${decodeId("run", run)}`,
        );
      }
      const { body } = await it.call("GET", `/api/v1/campaigns/${made}/metrics`);
      expect(Object.keys(body.steps)).toEqual(ids);
      for (const id of ids) {
        const { entered, waiting, passed, failed, exited } = body.steps[id];
        expect([entered, waiting + passed + failed + exited]).toEqual([came[id], came[id]]);
        expect((await get(made, `?step=${id}&limit=200`)).body.data).toHaveLength(waiting);
      }
      expect(body.goal.reached).toBe(runs.filter(({ standing }) => standing).length);
    }),
    { numRuns: 15 },
  );
});

test("messages are counted in all and by channel, as the list of deliveries has them", async () => {
  const message = { id: "hello", type: "message" as const, channel: "in_app" as const };
  const mail = { id: "mail", type: "message" as const, channel: "email" as const };
  const made = await campaign({ steps: [message, mail] });
  const sourceId = decodeId("cmp", made) as string;
  for (const [channel, status, shown] of [
    ["in_app", "queued", false],
    ["in_app", "queued", true],
    ["email", "sent", false],
    ["email", "failed", false],
  ] as const)
    await db.execute(sql`
      insert into deliveries (person_key, id, workspace_id, channel, source, source_id, status, queued_at, sent_at, shown_at)
      values (${personKey(it.workspaceId, "x")}, ${newId()}, ${it.workspaceId}, ${channel}, 'campaign', ${sourceId}, ${status}, ${clock.now()},
        ${status === "sent" ? clock.now() : null}, ${shown ? clock.now() : null})`);
  const metrics = async (query = "") => (await it.call("GET", `/api/v1/campaigns/${made}/metrics${query}`)).body;
  const all = await metrics();
  expect(all.totals).toMatchObject({ sent: 3, delivered: 1, shown: 1, failed: 1 });
  expect(all.channels).toMatchObject({ in_app: { sent: 2, delivered: 1, shown: 1 }, email: { sent: 1, failed: 1 } });
  const inApp = await metrics("?channel=in_app");
  expect(inApp.totals).toEqual(all.channels.in_app);
  expect(Object.keys(inApp.channels)).toEqual(["in_app"]);
  expect(Object.keys(inApp.steps)).toEqual(["hello"]);
  expect(await metrics("?channel=push")).toMatchObject({ totals: { sent: 0 }, channels: {}, steps: {} });
});
