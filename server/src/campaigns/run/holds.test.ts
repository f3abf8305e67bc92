import type { Reentry } from "@tidings/contract/campaigns/campaigns";
import { expect, test } from "vitest";
import { waitingForLocks } from "../../../test/support/database/locks.ts";
import { inAppService } from "../../../test/support/services/in-app.ts";
import { published } from "../../../test/support/services/published.ts";
import { until } from "../../../test/support/wait.ts";
import { raw, sql } from "../../platform/db/index.ts";
import { encodeId, newId } from "../../platform/ids.ts";
import { personKey } from "../../workspaces/index.ts";
import type { Published } from "../definition/published.ts";

const { it, clock, identify, define, send, report } = await inAppService();
const { db } = it.service.ground;

async function begin({ campaignId }: Published, person_id: string): Promise<string> {
  const answer = await it.call("POST", `/api/v1/campaigns/${encodeId("cmp", campaignId)}/runs`, {
    body: { person_id },
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  await db.execute(sql`
    insert into campaign_passages (person_key, run_id, step_id, workspace_id, campaign_id, entered_at, state)
    select person_key, id, step_id, workspace_id, campaign_id, ${clock.now()}, 'waiting' from campaign_runs
    where campaign_id = ${campaignId} and person_key = ${personKey(it.workspaceId, person_id)} on conflict do nothing`);
  return answer.body.run_id;
}
async function people(): Promise<[string, string]> {
  const [a, b] = [`a-${newId()}`, `b-${newId()}`];
  await identify(a);
  await identify(b);
  return [a, b];
}
const merge = (from: string, into: string) => it.call("POST", `/api/v1/people/${from}/merge`, { body: { into } });
const runsOf = async ({ campaignId }: Published, person: string) =>
  (await it.call("GET", `/api/v1/campaigns/${encodeId("cmp", campaignId)}/runs?person_id=${person}`)).body.data;

test("an export has the person's runs, what steps made of them, and nobody else's", async () => {
  const made = await published(it);
  const [ada, eve] = await people();
  const run = await begin(made, ada);
  await begin(made, eve);
  const { body } = await it.call("GET", `/api/v1/people/${ada}/export`);
  const campaign_id = encodeId("cmp", made.campaignId);
  expect(body.campaign_runs).toMatchObject([{ id: run, campaign_id, status: "active", step_id: "pause" }]);
  expect(body.campaign_passages).toMatchObject([{ run_id: run, campaign_id, step_id: "pause" }]);
  expect(body.campaign_entries).toMatchObject([{ campaign_id }]);
  const sent = newId();
  const key = personKey(it.workspaceId, ada);
  await db.execute(sql`update campaign_runs set escalation = array[${sent}::uuid] where person_key = ${key}`);
  await db.execute(sql`update campaign_passages set deliveries = array[${sent}::uuid] where person_key = ${key}`);
  const { body: later } = await it.call("GET", `/api/v1/people/${ada}/export`);
  expect(later.campaign_runs).toMatchObject([{ escalation: [encodeId("dlv", sent)] }]);
  expect(later.campaign_passages).toMatchObject([{ deliveries: [encodeId("dlv", sent)] }]);
});

test("who is erased in the middle of a run is in no campaign any more", async () => {
  const made = await published(it);
  const [ada] = await people();
  await begin(made, ada);
  expect((await it.call("DELETE", `/api/v1/people/${ada}`)).status).toBe(204);
  expect(await runsOf(made, ada)).toEqual([]);
  for (const table of ["campaign_runs", "campaign_passages", "campaign_entries"])
    expect(
      await db.query({ text: `select from ${table} where person_key = $1`, values: [personKey(it.workspaceId, ada)] }),
    ).toEqual([]);
});

test("a run goes on as that of the person who stays, with its history, and counts as an entry", async () => {
  const made = await published(it);
  const [from, into] = await people();
  const run = await begin(made, from);
  expect((await merge(from, into)).status).toBe(200);
  expect(await runsOf(made, into)).toMatchObject([{ id: run, status: "active", person_id: into, step_id: "pause" }]);
  const path = `/api/v1/campaigns/${encodeId("cmp", made.campaignId)}/runs`;
  expect((await it.call("GET", `${path}/${run}`)).body.history).toMatchObject([{ step_id: "pause", state: "waiting" }]);
  expect((await it.call("POST", path, { body: { person_id: into } })).body.code).toBe("already_entered");
});

test.each<[Reentry, boolean, string]>([
  ["once", true, "canceled"],
  ["once", false, "canceled"],
  [{ after: { amount: 1, unit: "hours" } }, true, "canceled"],
  [{ after: { amount: 1, unit: "hours" } }, false, "active"],
  ["always", true, "active"],
])(
  "of two who are one now in a campaign with reentry %j, the other inside: %s, the second run is %s",
  async (reentry, inside, expected) => {
    const made = await published(it, { reentry });
    const [from, into] = await people();
    const [second, first] = [await begin(made, from), await begin(made, into)];
    if (!inside)
      await db.execute(sql`
      update campaign_runs set status = 'completed', step_id = null, due_at = null, ended_at = ${clock.now()}
      where campaign_id = ${made.campaignId} and person_key = ${personKey(it.workspaceId, into)}`);
    expect((await merge(from, into)).status).toBe(200);
    const runs = new Map((await runsOf(made, into)).map((run: { id: string }) => [run.id, run]));
    expect(runs.get(first)).toMatchObject({ status: inside ? "active" : "completed" });
    expect(runs.get(second)).toMatchObject({
      status: expected,
      reason: expected === "canceled" ? "merged" : null,
    });
    const path = `/api/v1/campaigns/${encodeId("cmp", made.campaignId)}/runs/${second}`;
    expect((await it.call("GET", path)).body.history).toMatchObject([
      { state: expected === "canceled" ? "exited" : "waiting" },
    ]);
  },
);

// The report of an impression locks these tables in this order. In another order each would wait for the other.
test.each([
  ["a merge", "in_app_counts", "deliveries", merge],
  ["a merge", "deliveries", "campaign_runs", merge],
  ["an erasure", "in_app_counts", "deliveries", (from: string) => it.call("DELETE", `/api/v1/people/${from}`)],
  ["an erasure", "deliveries", "campaign_runs", (from: string) => it.call("DELETE", `/api/v1/people/${from}`)],
])("%s that waits for a person's %s holds none of the %s", async (_what, first, second, work) => {
  const [from, into] = await people();
  await begin(await published(it), from);
  const message = await define({ persistence: { mode: "persistent_until_dismissed", max_impressions: 3 } });
  await report(await send(message, from), "impression", { person_id: from });
  const rowOf = (table: string, end: string) =>
    sql`select from ${raw(table)} where person_key = ${personKey(it.workspaceId, from)} for update ${raw(end)}`;
  let working: ReturnType<typeof work> | undefined;
  await db.transaction(async (tx) => {
    expect(await tx.query(rowOf(first, ""))).toHaveLength(1);
    working = work(from, into);
    await until(async () => (await waitingForLocks(db)) > 0, "the work to wait");
    expect(await tx.query(rowOf(second, "nowait"))).toHaveLength(1);
  });
  expect((await working)?.status).toBeLessThan(300);
});
