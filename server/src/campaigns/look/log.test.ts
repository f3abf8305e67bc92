import { expect, test } from "vitest";
import { engineService } from "../../../test/support/services/engine.ts";
import { until } from "../../../test/support/wait.ts";
import { sql } from "../../platform/db/index.ts";
import { encodeId } from "../../platform/ids.ts";
import { personKey } from "../../workspaces/index.ts";
import { CAMPAIGNS_CHANGED } from "../definition/entrances.ts";
import { forget } from "../jobs.ts";

// A person's log shows their runs, and runs that ended long ago are deleted.

const { it, identify, campaign, begin, settle, forward, clock } = await engineService();
const { ground } = it.service;
const { db } = ground;
const DAY = 86_400_000;
const wait = (id: string) => ({ id, type: "wait", for: { amount: 1, unit: "days" } });

type Entry = { id: string; type: string; at: string; source: string | null; source_id: string | null; data: object };
const logOf = async (person: string, query = ""): Promise<{ data: Entry[]; next_cursor: string | null }> =>
  (await it.call("GET", `/api/v1/people/${person}/activity?${query}`)).body;

test("a person's log has the entry, the goal and the end of their runs, in order and page by page", async () => {
  await identify("ada");
  await identify("eve");
  const of = await campaign([wait("a")]);
  const [run = ""] = await begin(of, ["ada"]);
  await begin(of, ["eve"]);
  const entered = clock.now().toISOString();
  await settle();
  await forward(1_000);
  await it.call("POST", "/data-gateway/v1/track", { body: { person_id: "ada", eventName: "bought" } });
  const bought = clock.now();
  await db.execute(sql`update campaign_runs set goal_at = ${bought} where id = ${run}`);
  await forward(DAY);
  const ids = {
    source: "campaign",
    source_id: encodeId("cmp", of.campaignId),
    delivery_id: null,
    channel: null,
    step_id: null,
    message_id: null,
  };
  const run_id = encodeId("run", run);
  const { data } = await logOf("ada");
  const runs = data.filter(({ type }) => type.startsWith("campaign."));
  expect(runs).toEqual([
    {
      id: expect.stringMatching(/^act_/),
      type: "campaign.ended",
      at: clock.now().toISOString(),
      ...ids,
      data: { run_id, status: "completed" },
    },
    { id: expect.any(String), type: "campaign.goal", at: bought.toISOString(), ...ids, data: { run_id } },
    { id: expect.any(String), type: "campaign.entered", at: entered, ...ids, data: { run_id } },
  ]);
  expect(data.map(({ type }) => type)).toContain("person.tracked");
  expect(data.map(({ at }) => at)).toEqual(
    data
      .map(({ at }) => at)
      .toSorted()
      .reverse(),
  );
  const paged: Entry[] = [];
  let cursor = "";
  do {
    const page = await logOf("ada", `limit=1${cursor}`);
    paged.push(...page.data);
    cursor = page.next_cursor ? `&cursor=${page.next_cursor}` : "";
  } while (cursor);
  expect(paged).toEqual(data);
  expect((await logOf("ada", "type=campaign.goal")).data).toHaveLength(1);
  expect((await logOf("ada", "channel=email")).data).toEqual([]);
  expect((await logOf("ada", `type=campaign.ended&until=${bought.toISOString()}`)).data).toEqual([]);
  expect((await logOf("eve", "type=campaign.ended")).data).toHaveLength(1);
  const file = await it.call("GET", "/api/v1/people/ada/activity/export");
  expect(String(file.body)).toContain("campaign.ended");
  const counted = await it.call("GET", `/api/v1/campaigns/${encodeId("cmp", of.campaignId)}/metrics`);
  expect(Object.values(counted.body.totals)).toEqual(Object.values(counted.body.totals).map(() => 0));
});

test("endpoints hear of entries, goals and ends of runs, and nothing is written where none wants to", async () => {
  await identify("dan");
  const goal = { event: "bought", within: { amount: 1, unit: "days" } } as const;
  const of = await campaign([wait("a")], { goal });
  ground.signals.publish(CAMPAIGNS_CHANGED, [it.workspaceId]);
  const written = async () => {
    const rows = await db.query<{ type: string; data: object }>(
      sql`select type, data from activity where type like 'campaign.%' order by id`,
    );
    return rows.map(({ type, data }) => ({ type, ...data }));
  };
  const through = async () => {
    const [run = ""] = await begin(of, ["dan"]);
    await forward(1_000);
    return run;
  };
  await through();
  await forward(DAY);
  expect(await written()).toEqual([]);
  const types = ["campaign.*", "email.sent"];
  const endpoint = { url: "https://hooks.example.com/runs", types };
  const { id } = (await it.call("POST", "/api/v1/webhooks", { body: endpoint })).body;
  await until(async () => (await through()) && (await written()).length > 0, "the types of the endpoint to be known");
  await db.execute(sql`delete from activity where type like 'campaign.%'`);
  await forward(DAY);
  await db.execute(sql`delete from activity where type like 'campaign.%'`);

  const run = await through();
  await it.call("POST", "/data-gateway/v1/track", { body: { person_id: "dan", eventName: "bought" } });
  await it.call("POST", "/data-gateway/v1/track", { body: { person_id: "dan", eventName: "bought" } });
  await forward(DAY);
  const ended = await through();
  const path = `/api/v1/campaigns/${encodeId("cmp", of.campaignId)}`;
  await it.call("POST", `${path}/runs/${encodeId("run", ended)}/end`);
  const skipped = await through();
  await it.call("POST", `${path}/runs/${encodeId("run", skipped)}/skip`);
  const campaign_id = encodeId("cmp", of.campaignId);
  const common = (id: string) => ({ campaign_id, run_id: encodeId("run", id) });
  expect(await written()).toEqual([
    { type: "campaign.entered", ...common(run) },
    { type: "campaign.goal", ...common(run) },
    { type: "campaign.ended", ...common(run), status: "completed", reason: null, converted: true },
    { type: "campaign.entered", ...common(ended) },
    { type: "campaign.ended", ...common(ended), status: "canceled", reason: "ended", converted: false },
    { type: "campaign.entered", ...common(skipped) },
    { type: "campaign.ended", ...common(skipped), status: "completed", reason: null, converted: false },
  ]);
  const own = (await logOf("dan", "limit=200")).data.filter(({ data }) =>
    (data as { run_id?: string }).run_id?.endsWith(encodeId("run", run)),
  );
  expect(own.map(({ type }) => type)).toEqual(["campaign.ended", "campaign.goal", "campaign.entered"]);

  const once = await campaign([wait("a")], { reentry: "once" });
  await identify("dora");
  await begin(once, ["dora"]);
  await begin(once, ["dora", "dan"]);
  const told = (await written()).filter((one) => JSON.stringify(one).includes(encodeId("cmp", once.campaignId)));
  expect(told.map(({ type }) => type)).toEqual(["campaign.entered", "campaign.entered"]);
  expect((await it.call("POST", "/api/v1/people/dora/merge", { body: { into: "dan" } })).status).toBeLessThan(300);
  const [row] = await db.query(
    sql`select person_key, data ->> 'reason' as reason from activity where type = 'campaign.ended' order by id desc limit 1`,
  );
  expect(row).toEqual({ person_key: personKey(it.workspaceId, "dan"), reason: "merged" });
  expect((await it.call("DELETE", `/api/v1/webhooks/${id}`)).status).toBe(204);
});

test("runs that ended are deleted after the workspace's retention of runs, and who entered once enters no second time", async () => {
  await identify("bob");
  await identify("cat");
  const of = await campaign([wait("a"), wait("b")], { reentry: "once" });
  const path = `/api/v1/campaigns/${encodeId("cmp", of.campaignId)}`;
  await begin(of, ["bob"]);
  await settle();
  await forward(DAY);
  await forward(DAY);
  await begin(of, ["cat"]);
  await settle();
  const settings = { retention_days: 400, retention: { runs: 10 } };
  expect((await it.call("PATCH", "/api/v1/workspace", { body: settings })).body).toMatchObject(settings);
  clock.forward(10 * DAY - 1);
  await forget(ground);
  expect((await it.call("GET", `${path}/metrics`)).body.runs).toMatchObject({ entered: 2, completed: 1, active: 1 });
  clock.forward(1_000);
  await forget(ground);
  const { body } = await it.call("GET", `${path}/metrics`);
  expect(body.runs).toMatchObject({ entered: 1, completed: 0, active: 1 });
  expect(body.steps.a).toMatchObject({ entered: 1, waiting: 1, passed: 0 });
  expect(body.kept_since).toBe(new Date(clock.now().getTime() - 10 * DAY).toISOString());
  expect((await it.call("GET", `${path}/runs`)).body.data).toMatchObject([{ person_id: "cat", status: "active" }]);
  const left = await db.query(
    sql`select from campaign_passages where person_key = ${personKey(it.workspaceId, "bob")}`,
  );
  expect(left).toEqual([]);
  const again = await it.call("POST", `${path}/runs`, { body: { person_id: "bob" } });
  expect(again).toMatchObject({ status: 409, body: { code: "already_entered" } });
});
