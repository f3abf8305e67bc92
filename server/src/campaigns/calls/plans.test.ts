import { expect, test } from "vitest";
import { inShards } from "../../../test/support/database/citus.ts";
import { noted, plansOf } from "../../../test/support/database/plans.ts";
import { testService } from "../../../test/support/service.ts";
import { type Statement, sql } from "../../platform/db/index.ts";
import { newId } from "../../platform/ids.ts";
import { openBatches } from "../engine/steps/gather-store.ts";
import { callingCampaigns, claimCalls, takeBackCalls } from "./call-store.ts";

const it = await testService();
const { db } = it.service.ground;

test.skipIf(inShards)("calls and open batches are found by index among many", async () => {
  const campaigns = Array.from({ length: 5 }, newId);
  const person = newId();
  await db.execute(sql`
    insert into campaign_calls (person_key, run_id, step_id, workspace_id, campaign_id, url, body, due_at, created_at)
    select gen_random_uuid(), gen_random_uuid(), 'a', ${it.workspaceId}, (${campaigns}::uuid[])[1 + n % 5], 'u', '{}',
      now() + (n - 10) * interval '1 second', now() from generate_series(1, 20000) n`);
  await db.execute(sql`
    insert into campaign_batches (person_key, run_id, step_id, workspace_id, campaign_id, key, open, count, run_ids)
    select case when n % 10 = 0 then ${person}::uuid else gen_random_uuid() end, gen_random_uuid(), 'a', ${it.workspaceId},
      ${campaigns[0]}::uuid, gen_random_uuid(), n % 2 = 0, 1, '{}' from generate_series(1, 20000) n`);
  await db.execute(sql`analyze campaign_calls, campaign_batches`);
  const seen: Statement[] = [];
  const spy = noted(db, seen);
  expect((await callingCampaigns(spy)).map(({ id }) => id).sort()).toEqual([...campaigns].sort());
  expect(await claimCalls(spy, newId(), [{ id: campaigns[0] as string, room: 8 }])).toHaveLength(2);
  await takeBackCalls(spy, [newId()], campaigns);
  const step = { workspaceId: it.workspaceId, campaignId: campaigns[0] as string, stepId: "a" };
  await openBatches(spy, step, [{ personKey: person, key: newId() }]);
  expect(seen).toHaveLength(4);
  for (const plan of await plansOf(db, seen)) expect(plan).not.toMatch(/Seq Scan on campaign_(?:calls|batches)/);
});
