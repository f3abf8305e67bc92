import type { Filter } from "@tidings/contract/audience/audiences";
import type { CampaignDefinition } from "@tidings/contract/campaigns/campaigns";
import { describe, expect, test } from "vitest";
import { noted, plansOf } from "../../../test/support/database/plans.ts";
import { testClock, testService } from "../../../test/support/service.ts";
import { published } from "../../../test/support/services/published.ts";
import { sql, type Statement } from "../../platform/db/index.ts";
import { newId } from "../../platform/ids.ts";
import { CAMPAIGNS_CHANGED, EntranceIndex } from "../definition/entrances.ts";
import type { Published } from "../definition/published.ts";
import { newMembers } from "../audience/members-store.ts";
import { conditionFor } from "../../audiences/index.ts";
import { watchAudience } from "../audience/watch.ts";
import { checkPeople } from "./audience-check.ts";
import { sweepNext } from "./audience-sweep.ts";

const clock = testClock("2026-05-01T12:00:00Z");
const it = await testService({ clock });
const { ground } = it.service;
const { db, signals } = ground;
const { workspaceId } = it;
const index = new EntranceIndex(signals);

const inGroup = (group: string): Filter => ({ attribute: "group", op: "eq", value: group });

/** Activates a campaign with an audience. */
async function campaign(
  audience: Filter,
  { existing, ...own }: Partial<CampaignDefinition> & { existing?: boolean } = {},
): Promise<Published> {
  const trigger = { type: "audience" as const, audience: { ...audience }, ...(existing !== undefined && { existing }) };
  const made = await published(it, { trigger, ...own });
  await db.transaction((tx) => watchAudience(tx, made, clock.now()));
  signals.publish(CAMPAIGNS_CHANGED, [workspaceId]);
  return made;
}

const identify = (person_id: string, attributes: object) =>
  it.call("POST", "/data-gateway/v1/identify", { body: { person_id, attributes } });
const track = (person_id: string, eventName: string) =>
  it.call("POST", "/data-gateway/v1/track", { body: { person_id, eventName } });

async function work(): Promise<void> {
  while (await checkPeople(ground, index));
  while (await sweepNext(ground));
}
async function checks(): Promise<void> {
  while (await checkPeople(ground, index));
}

async function inside({ campaignId }: Published): Promise<string[]> {
  const rows = await db.query<{ person_id: string }>(sql`
    select p.person_id from campaign_runs r join people p using (person_key) where r.campaign_id = ${campaignId} order by r.entered_at, p.person_id`);
  return rows.map((row) => row.person_id);
}

describe("a campaign that people enter with an audience", () => {
  test("lets in who enters it after the activation, and those who are in it now only if it says so", async () => {
    const group = newId();
    await identify(`${group}-before`, { group });
    const [fresh, all] = [await campaign(inGroup(group)), await campaign(inGroup(group), { existing: true })];
    await identify(`${group}-after`, { group });
    await identify(`${group}-other`, { group: "another" });
    await work();
    expect(await inside(fresh)).toEqual([`${group}-after`]);
    expect(await inside(all)).toEqual([`${group}-after`, `${group}-before`]);
    await identify(`${group}-other`, { group });
    await checks();
    expect(await inside(fresh)).toEqual([`${group}-after`, `${group}-other`]);
  });

  test("lets nobody in who began 100 runs in a minute, as where the steps of two campaigns change each other's audience", async () => {
    const group = newId();
    const made = [
      await campaign(inGroup(group), { reentry: "always" }),
      await campaign(inGroup(`not ${group}`), { reentry: "always" }),
    ];
    for (let i = 0; i < 52; i++)
      for (const one of [group, `not ${group}`]) {
        await identify(`${group}-looping`, { group: one });
        await checks();
      }
    expect((await Promise.all(made.map(inside))).map((runs) => runs.length)).toEqual([50, 50]);
    clock.forward(60_001);
    await identify(`${group}-looping`, { group });
    await checks();
    expect(await inside(made[0] as Published)).toHaveLength(51);
  });

  test("lets a person in again who left and came back, as its reentry says", async () => {
    const group = newId();
    const [once, always] = [await campaign(inGroup(group)), await campaign(inGroup(group), { reentry: "always" })];
    for (const one of [group, "none", group, group]) {
      await identify(`${group}-p`, { group: one });
      await checks();
    }
    expect(await inside(once)).toHaveLength(1);
    expect(await inside(always)).toHaveLength(2);
  });

  test("notices what people do, and what time alone changes within a sweep", async () => {
    const event = `visited_${newId().replaceAll("-", "")}`;
    const within = { amount: 1, unit: "hours" as const };
    const active = await campaign({ event, op: "performed", count: { gte: 2 } });
    const quiet = await campaign({
      all: [
        { event, op: "performed" },
        { event, op: "not_performed", within },
      ],
    });
    const person = `p-${newId()}`;
    await track(person, event);
    await checks();
    expect(await inside(active)).toEqual([]);
    await track(person, event);
    await checks();
    expect(await inside(active)).toEqual([person]);
    expect(await inside(quiet)).toEqual([]);
    await work();
    clock.forward(3_600_001);
    await work();
    expect(await inside(quiet)).toEqual([person]);
  });

  test("notices lists, which change without a change of the person, within a sweep", async () => {
    const list = await it.call("POST", "/api/v1/audiences", { body: { name: newId(), kind: "list" } });
    const made = await campaign({ audience: list.body.id });
    const person = `p-${newId()}`;
    await identify(person, {});
    await it.call("PUT", `/api/v1/audiences/${list.body.id}/members/${person}`);
    clock.forward(60_000);
    await work();
    expect(await inside(made)).toEqual([person]);
  });

  test("lets nobody in while it is paused, and those who came meanwhile when it goes on", async () => {
    const group = newId();
    const made = await campaign(inGroup(group));
    await db.execute(sql`update campaigns set status = 'paused' where id = ${made.campaignId}`);
    signals.publish(CAMPAIGNS_CHANGED, [workspaceId]);
    await identify(`${group}-p`, { group });
    await work();
    expect(await inside(made)).toEqual([]);
    await db.execute(sql`update campaigns set status = 'active' where id = ${made.campaignId}`);
    clock.forward(60_000);
    await work();
    expect(await inside(made)).toEqual([`${group}-p`]);
  });

  test("keeps its members when it is activated again, and forgets them with another audience", async () => {
    const group = newId();
    await identify(`${group}-p`, { group });
    const made = await campaign(inGroup(group));
    const members = () => db.query(sql`select from campaign_members where campaign_id = ${made.campaignId}`);
    await identify(`${group}-q`, { group });
    await db.transaction((tx) => watchAudience(tx, made, clock.now()));
    expect(await members()).toHaveLength(1);
    await checks();
    expect(await inside(made)).toEqual([`${group}-q`]);
    const trigger = { type: "event", name: "x" } as const;
    await db.transaction((tx) =>
      watchAudience(tx, { ...made, definition: { ...made.definition, trigger } }, clock.now()),
    );
    expect(await members()).toEqual([]);
  });

  test("lets 2,500 people in, a page after the other, each once beside others who work", async () => {
    const group = newId();
    await db.execute(sql`
      insert into people (person_key, workspace_id, person_id, attributes, identified_at, created_at, updated_at)
      select gen_random_uuid(), ${workspaceId}, ${group}::text || n, jsonb_build_object('group', ${group}::text), now(), now(), now()
      from generate_series(1, 2500) n`);
    const made = await campaign(inGroup(group), { existing: true, reentry: "always" });
    await Promise.all([work(), work(), work()]);
    const people = await inside(made);
    expect([people.length, new Set(people).size]).toEqual([2_500, 2_500]);
  });

  test("a filter that can't be asked stops nobody else", async () => {
    const group = newId();
    const broken = await campaign(inGroup(group), { existing: true });
    const gone = { trigger: { type: "audience", audience_id: "aud_00000000000000000000000000" } };
    await db.execute(sql`
      update campaign_versions set definition = definition || ${JSON.stringify(gone)}::jsonb where campaign_id = ${broken.campaignId}`);
    // Versions never change, and are remembered: this one is new to the service.
    await db.execute(sql`update campaign_versions set version = 2 where campaign_id = ${broken.campaignId}`);
    const made = await campaign(inGroup(group), { existing: true });
    await identify(`${group}-p`, { group });
    clock.forward(60_000);
    await work();
    expect(await inside(made)).toEqual([`${group}-p`]);
    expect(await inside(broken)).toEqual([]);
  });
});

test("who changes where no campaign has an audience costs no statement more", async () => {
  const other = await it.another();
  const body = { person_id: "p", attributes: { a: 1 } };
  for (let i = 0; i < 2; i++) await it.call("POST", "/data-gateway/v1/identify", { key: other.secretKey, body });
  expect(await db.query(sql`select from campaign_checks where workspace_id = ${other.workspaceId}`)).toEqual([]);
});

test("a sweep reads the people of its workspace and the members of its campaign once each", async () => {
  const made = await campaign({ event: "seldom", op: "performed" });
  await db.execute(sql`
    insert into people (person_key, workspace_id, person_id, attributes, identified_at, created_at, updated_at)
    select gen_random_uuid(), ${workspaceId}, 'many-' || n, '{}', now(), now(), now() from generate_series(1, 20000) n`);
  await db.execute(sql`
    insert into campaign_members (person_key, campaign_id, workspace_id, since)
    select person_key, ${made.campaignId}, workspace_id, now() from people where person_id like 'many-1%'`);
  await db.execute(sql`
    insert into events (person_key, id, workspace_id, name, properties, ts, received_at)
    select person_key, gen_random_uuid(), workspace_id, 'often', '{}', now(), now() from people where person_id like 'many-%'`);
  await db.execute(sql`analyze people, campaign_members, events`);
  const seen: Statement[] = [];
  const condition = await conditionFor(
    db,
    workspaceId,
    { filter: { event: "seldom", op: "performed" }, now: clock.now() },
    "everyone",
  );
  await newMembers(noted(db, seen), made, { condition, after: null, limit: 1_000 });
  const plan = (await plansOf(db, seen)).join();
  expect(plan).toMatch(/Anti Join|campaign_members_campaign|campaign_members_pkey/);
  expect(plan).not.toMatch(/SubPlan|Seq Scan on events|Seq Scan on campaign_members/);
});
