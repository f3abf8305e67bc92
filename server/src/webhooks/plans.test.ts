import { expect, test } from "vitest";
import { inShards } from "../../test/support/database/citus.ts";
import { noted, plansOf } from "../../test/support/database/plans.ts";
import { testService } from "../../test/support/service.ts";
import { until } from "../../test/support/wait.ts";
import { readFeed } from "../activity/index.ts";
import { type Statement, sql } from "../platform/db/index.ts";
import { newId } from "../platform/ids.ts";
import { claimDue, countUntried, takeBackClaimed, webhookDeliveries } from "./delivery-store.ts";
import { enabledEndpoints } from "./store.ts";

const it = await testService();
const { db } = it.service.ground;

test.skipIf(inShards)(
  "the feed, the collector and the sender find their rows by an index among many rows",
  async () => {
    const hooks = Array.from({ length: 3 }, newId);
    await db.execute(sql`
    insert into activity (person_key, id, workspace_id, type, at)
    select md5(n::text)::uuid, gen_random_uuid(), ${it.workspaceId}, 'email.sent', now() from generate_series(1, 40000) n`);
    // The feed ends before the oldest open transaction, also of a database beside this one.
    const after = { txid: "0", id: newId() };
    const first = await until(async () => {
      const page = await readFeed(db, it.workspaceId, { after, types: [], limit: 1 });
      return page.events.length === 1 ? page : undefined;
    }, "the events to be in the feed");
    for (const id of hooks)
      await db.execute(sql`
      insert into webhooks (workspace_id, id, url, description, types, secret, txid, event_id, created_at, updated_at)
      values (${it.workspaceId}, ${id}, 'https://hooks.example.com', '', '{}', 'x', ${first.next.txid}::xid8, ${first.next.id},
        now(), now())`);
    await db.execute(sql`
    insert into webhook_deliveries (workspace_id, webhook_id, event_id, type, payload, created_at, due_at, attempts)
    select ${it.workspaceId}, (${hooks}::uuid[])[1 + n % 3], gen_random_uuid(), 'email.sent', '{}', now() - n * interval '1 second',
      case when n % 100 = 0 then now() end, n % 2
    from generate_series(1, 30000) n`);
    await db.execute(sql`analyze activity, webhooks, webhook_deliveries`);
    const seen: Statement[] = [];
    const spy = noted(db, seen);
    const hook = hooks[0] as string;
    await readFeed(spy, it.workspaceId, { after: first.next, types: [], limit: 50 });
    await readFeed(spy, it.workspaceId, { after: first.next, types: ["email.bounced"], limit: 50 });
    await enabledEndpoints(spy);
    await countUntried(spy, hook, 2_000);
    await claimDue(spy, newId(), [{ id: hook, room: 8 }]);
    await takeBackClaimed(spy, [newId()], hooks);
    await webhookDeliveries(spy, it.workspaceId, hook, { before: undefined, limit: 50 });
    // The people of the first page are unknown: it also asks whether they were merged.
    expect(seen).toHaveLength(8);
    for (const plan of await plansOf(db, seen)) expect(plan).not.toMatch(/Seq Scan on (?:activity|webhook_deliveries)/);
  },
);
