import type { Step } from "@tidings/contract/campaigns/steps";
import pg from "pg";
import { expect, test, vi } from "vitest";
import { inShards } from "../../../test/support/database/citus.ts";
import { noted, plansOf } from "../../../test/support/database/plans.ts";
import { inAppService, MESSAGES } from "../../../test/support/services/in-app.ts";
import { published } from "../../../test/support/services/published.ts";
import { feedback, queue } from "../../outbound/index.ts";
import { type Statement, sql } from "../../platform/db/index.ts";
import { newId } from "../../platform/ids.ts";
import { personKey } from "../../workspaces/index.ts";
import { CAMPAIGNS_CHANGED } from "../definition/entrances.ts";
import { wakeEscalating } from "../run/wake-store.ts";

// What reports of impressions, opens and clicks cost while campaigns escalate, and while none does.

const { it, clock, identify, define, send } = await inAppService();
const { ground } = it.service;
await identify("ada");
const message = await define({ persistence: { mode: "persistent_until_dismissed" } });
const shown = await send(message, "ada");
const mail = newId();
await ground.db.transaction((tx) =>
  queue(tx, ground, [
    {
      workspaceId: it.workspaceId,
      personKey: personKey(it.workspaceId, "ada"),
      deliveryId: mail,
      channel: "email",
      source: "transactional",
      sourceId: null,
      recipient: "ada@acme.test",
      content: { body: "b", segments: 0 },
      status: "queued",
      queuedAt: clock.now(),
      retainContent: false,
    },
  ]),
);

/** The statements that the service runs during some work, by their names where they have one. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const seen: string[] = [];
  const original = pg.Client.prototype.query;
  const spy = vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const [asked] = args as [string | { name?: string; text?: string }];
    seen.push(typeof asked === "string" ? asked : (asked.name ?? asked.text ?? "").trim());
    return original.apply(this, args as never) as never;
  });
  await work();
  spy.mockRestore();
  return seen.filter((text) => !/^(?:listen|notify|select pg_notify)/i.test(text));
}

const impression = () => it.call("POST", `${MESSAGES}/${shown}/impression`, { body: { person_id: "ada" } });
const human = (kind: "opened" | "clicked", machine = false) =>
  ground.db.transaction((tx) =>
    feedback(tx, ground, [
      { workspaceId: it.workspaceId, deliveryId: mail, kind, machine, at: clock.now(), eventId: newId() },
    ]),
  );
const wakes = (names: string[]) => names.filter((name) => name.startsWith("campaigns."));

test("while no campaign escalates, an impression stays one read and one write, and opens and clicks get no statement", async () => {
  await published(it, { steps: [{ id: "mail", type: "message", channel: "email" } as Step] });
  await impression();
  const names = await statementsOf(impression);
  // In shards the log is written by a second statement.
  expect(names.filter((name) => /^(?:inapp|campaigns)\.|^(?:begin|commit)$/.test(name))).toEqual([
    "inapp.statesOf",
    ...(inShards ? ["begin", "inapp.moveStates", "commit"] : ["inapp.moveAndLog"]),
  ]);
  for (const kind of ["opened", "clicked"] as const) expect(wakes(await statementsOf(() => human(kind)))).toEqual([]);
});

test("while one escalates, each of them gets one statement more, and reports of machines none", async () => {
  const later = { after: { amount: 1, unit: "hours" }, channel: "sms", content: { body: "b" } };
  await published(it, { steps: [{ id: "mail", type: "message", channel: "email", escalate: [later] } as Step] });
  ground.signals.publish(CAMPAIGNS_CHANGED, [it.workspaceId]);
  await impression();
  const names = await statementsOf(impression);
  expect(names.filter((name) => /^(?:inapp|campaigns)\./.test(name))).toEqual([
    "inapp.statesOf",
    inShards ? "inapp.moveStates" : "inapp.moveAndLog",
    "campaigns.wakeEscalating",
  ]);
  expect(wakes(await statementsOf(() => human("opened")))).toEqual(["campaigns.wakeEscalating"]);
  expect(wakes(await statementsOf(() => human("clicked", true)))).toEqual([]);
});

test("among 20,000 runs, those that a delivery wakes are found by the index of runs that escalate", async () => {
  const { campaignId } = await published(it);
  await ground.db.execute(sql`
    insert into campaign_runs (person_key, id, workspace_id, campaign_id, graph, status, step_id, data, entered_at, stepped_at, due_at, escalation)
    select gen_random_uuid(), gen_random_uuid(), ${it.workspaceId}, ${campaignId}, 1, 'active', 'a', '{}', now(), now(), now(),
      case when n % 2 = 0 then array[gen_random_uuid()] end
    from generate_series(1, 20000) n`);
  await ground.db.execute(sql`analyze campaigns, campaign_runs`);
  const seen: Statement[] = [];
  const asked = { personKey: newId(), deliveryId: newId() };
  await wakeEscalating(noted(ground.db, seen), [asked], clock.now());
  const [plan] = await plansOf(ground.db, seen);
  expect(plan).toContain("campaign_runs_escalating");
  expect(plan).not.toMatch(/Seq Scan on campaign_runs/);
});
