import type { Filter } from "@tidings/contract/audience/audiences";
import { expect } from "vitest";
import { conditionFor } from "../../../src/audiences/index.ts";
import { watchAudience } from "../../../src/campaigns/audience/watch.ts";
import { CAMPAIGNS_CHANGED } from "../../../src/campaigns/definition/entrances.ts";
import type { Published } from "../../../src/campaigns/definition/published.ts";
import { checkPeople } from "../../../src/campaigns/entry/audience-check.ts";
import { sweepNext } from "../../../src/campaigns/entry/audience-sweep.ts";
import { type Db, openFrom, sql } from "../../../src/platform/db/index.ts";
import { newId } from "../../../src/platform/ids.ts";
import { testClock, testService } from "../service.ts";
import { deliveriesOf } from "../services/deliveries.ts";
import { published } from "../services/published.ts";
import { until } from "../wait.ts";

export const EMAIL = { channel: "email", status: "sending", source: "transactional", sourceId: null } as const;

export const PEOPLE = ["ada", "bob", "cyd", "dan", "eve"];

/** A service whose campaigns enter the people who come into an audience, with common steps of its tests. */
export async function sweepingService() {
  const clock = testClock("2026-05-01T12:00:00Z");
  const it = await testService({ clock });
  const { ground } = it.service;
  const { db } = ground;
  const { workspaceId } = it;
  const messages = deliveriesOf(it, clock, newId());
  const call = async (method: "POST" | "PUT" | "PATCH" | "DELETE", url: string, body?: object) => {
    const answer = await it.call(method, url, body ? { body } : {});
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(500);
    return answer;
  };
  const identify = (person_id: string, attributes: object) =>
    call("POST", "/data-gateway/v1/identify", { person_id, attributes });
  const audience = async (own: object): Promise<string> =>
    (await call("POST", "/api/v1/audiences", { name: newId(), ...own })).body.id;

  const list = await audience({ kind: "list" });
  const named = await audience({ filter: { event: "visited", op: "performed", within: { amount: 2, unit: "hours" } } });
  for (const person of PEOPLE) await identify(person, {});

  async function watched(filter: Filter): Promise<Published> {
    const made = await published(it, { trigger: { type: "audience", audience: { ...filter } } });
    await db.transaction((tx) => watchAudience(tx, made, clock.now()));
    ground.signals.publish(CAMPAIGNS_CHANGED, [workspaceId]);
    return made;
  }

  async function work(): Promise<void> {
    while (await checkPeople(ground, it.service.ground.entrances));
    while (await sweepNext(ground));
  }

  const membersOf = async ({ campaignId }: Published): Promise<string[]> =>
    (
      await db.query<{ person_id: string }>(sql`
      select p.person_id from campaign_members m join people p using (person_key)
      where m.campaign_id = ${campaignId} order by p.person_id`)
    ).map((row) => row.person_id);

  async function matching(filter: Filter): Promise<string[]> {
    const condition = await conditionFor(db, workspaceId, { filter, now: clock.now() }, "everyone");
    const rows = await db.query<{ person_id: string }>(sql`
    select p.person_id from people p where p.workspace_id = ${workspaceId} and ${condition} order by p.person_id`);
    return rows.map((row) => row.person_id);
  }

  return {
    clock,
    ground,
    db,
    workspaceId,
    messages,
    call,
    identify,
    list,
    named,
    watched,
    work,
    membersOf,
    matching,
    feedIsWhole: () => feedIsWhole(db, workspaceId),
    audience,
  };
}

/** Waits until the feed shows everything that was logged: it ends before the oldest open transaction of the whole PostgreSQL. */
const feedIsWhole = (db: Db, workspaceId: string) =>
  until(async () => {
    const open = await openFrom(db);
    const later = await db.query(
      sql`select from activity where workspace_id = ${workspaceId} and txid >= ${open} limit 1`,
    );
    return later.length === 0;
  });
