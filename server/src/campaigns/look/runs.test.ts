import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { idOf, runService, wait } from "../../../test/support/campaigns/runs.ts";
import { sql } from "../../platform/db/index.ts";
import { decodeId, newId } from "../../platform/ids.ts";
import { personKey } from "../../workspaces/index.ts";

const { it, clock, db, campaign, post, get, person, begin, passed } = await runService();

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
