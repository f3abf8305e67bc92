import type { Reentry } from "@tidings/contract/campaigns/campaigns";
import fc from "fast-check";
import { expect, test } from "vitest";
import { inShards } from "../../../test/support/database/citus.ts";
import { waitingForLocks } from "../../../test/support/database/locks.ts";
import { testClock, testService } from "../../../test/support/service.ts";
import { published } from "../../../test/support/services/published.ts";
import { until } from "../../../test/support/wait.ts";
import { rowLock, sql } from "../../platform/db/index.ts";
import { newId } from "../../platform/ids.ts";
import type { Published } from "../definition/published.ts";
import { durationMs } from "../../platform/time/duration.ts";
import { RUNS_DUE } from "../run/run.ts";
import { enter } from "./enter.ts";

const clock = testClock("2026-05-01T12:00:00Z");
const it = await testService({ clock });
const { db, signals } = it.service.ground;

const one = (campaign: Published, personKey: string, cause: string, at = clock.now()) =>
  db.transaction((tx) => enter(tx, [{ published: campaign, personKey, cause, data: {} }], at));

const runs = ({ campaignId }: Published, personKey: string) =>
  db.query<{ id: string; entered_at: Date; due_at: Date; step_id: string; status: string }>(sql`
    select id, entered_at, due_at, step_id, status from campaign_runs
    where campaign_id = ${campaignId} and person_key = ${personKey} order by entered_at, id`);

test("a person enters at the first step, due at once by the campaign's own clock", async () => {
  const campaign = await published(it);
  await db.execute(sql`update campaigns set behind = '1 hour' where id = ${campaign.campaignId}`);
  const person = newId();
  const woken: string[][] = [];
  const end = signals.subscribe(RUNS_DUE, (items) => woken.push(items));
  const [id] = await one(campaign, person, "first");
  end();
  expect(await runs(campaign, person)).toEqual([
    { id, entered_at: clock.now(), due_at: new Date("2026-05-01T11:00:00Z"), step_id: "pause", status: "active" },
  ]);
  expect(woken).toEqual([[campaign.campaignId]]);
});

test.skipIf(inShards)(
  "the commit goes out behind the runs where nothing follows and no endpoint is told of them",
  async () => {
    const campaign = await published(it);
    const goesOn = (own?: { last: boolean }) =>
      db.transaction(async (tx) => {
        const entering = enter(
          tx,
          [{ published: campaign, personKey: newId(), cause: "first", data: {} }],
          clock.now(),
          own,
        );
        const asked = tx.query(sql`select`).then(
          () => true,
          () => false,
        );
        expect((await entering).size).toBe(1);
        return asked;
      });
    // The first one of a workspace asks which endpoints it has.
    expect(await goesOn()).toBe(true);
    expect(await goesOn({ last: true })).toBe(false);
    expect(await goesOn()).toBe(true);
    expect(await db.query(sql`select from campaign_runs where campaign_id = ${campaign.campaignId}`)).toHaveLength(3);
  },
);

test("who enters and when follows from the rule alone, whatever comes in one batch or in several", async () => {
  const reentry = fc.constantFrom<Reentry>(
    "once",
    "always",
    { after: { amount: 30, unit: "seconds" } },
    { after: { amount: 2, unit: "hours" } },
  );
  const attempts = fc.array(
    fc.record({ person: fc.nat(2), cause: fc.nat(5), laterMs: fc.constantFrom(0, 1_000, 29_999, 30_000, 7_200_000) }),
    { minLength: 1, maxLength: 12 },
  );
  await fc.assert(
    fc.asyncProperty(reentry, attempts, fc.boolean(), async (rule, tries, gathered) => {
      const campaign = await published(it, { reentry: rule });
      const people = [newId(), newId(), newId()];
      const last = new Map<string, number>();
      const expected = new Set<string>();
      let at = clock.now().getTime();
      for (const { person, cause, laterMs } of tries) {
        if (!gathered) at += laterMs;
        const key = people[person] as string;
        const before = last.get(key);
        const open =
          rule === "always" || before === undefined || (rule !== "once" && at - before >= durationMs(rule.after));
        if (open) last.set(key, at);
        if (open) expected.add(`${key} ${cause}`);
      }
      at = clock.now().getTime();
      const candidates = tries.map(({ person, cause }) => ({
        published: campaign,
        personKey: people[person] as string,
        cause: String(cause),
        data: { cause },
      }));
      if (gathered) await db.transaction((tx) => enter(tx, candidates, new Date(at)));
      else
        for (const [i, candidate] of candidates.entries()) {
          at += tries[i]?.laterMs ?? 0;
          await db.transaction((tx) => enter(tx, [candidate], new Date(at)));
        }
      const found = await db.query<{ person_key: string; cause: number }>(sql`
        select person_key, (data ->> 'cause')::integer as cause from campaign_runs where campaign_id = ${campaign.campaignId}`);
      expect(found.map((run) => `${run.person_key} ${run.cause}`).sort()).toEqual([...expected].sort());
    }),
    { numRuns: 60 },
  );
});

test.each<[Reentry]>([["once"], [{ after: { amount: 1, unit: "hours" } }]])(
  "of 200 transactions that let a person in at the same moment one does, with reentry %j",
  async (reentry) => {
    const campaign = await published(it, { reentry });
    const person = newId();
    const race = async (at: Date) => {
      const began = await Promise.all(
        Array.from({ length: 200 }, (_, i) => one(campaign, person, `${at.getTime()} ${i}`, at)),
      );
      return began.filter((ids) => ids.size > 0).length;
    };
    expect(await race(clock.now())).toBe(1);
    const later = new Date(clock.now().getTime() + 3_600_000);
    expect(await race(later)).toBe(reentry === "once" ? 0 : 1);
    expect(await runs(campaign, person)).toHaveLength(reentry === "once" ? 1 : 2);
  },
);

test("who may not enter waits for nobody and locks nobody", async () => {
  const campaign = await published(it, { reentry: { after: { amount: 1, unit: "days" } } });
  const person = newId();
  await one(campaign, person, "first");
  await db.transaction(async (open) => {
    expect(
      (await enter(open, [{ published: campaign, personKey: person, cause: "second", data: {} }], clock.now())).size,
    ).toBe(0);
    const locked = await db.query(sql`
      select from campaign_entries where person_key = ${person} for update skip locked`);
    expect(locked).toHaveLength(1);
    const others = await db.query(sql`
      select from campaigns where id = ${campaign.campaignId} for update skip locked`);
    expect(others, "the campaign's row is locked where somebody enters, and only there").toHaveLength(1);
  });
});

test("nobody enters a campaign that is not active, and 2,500 people enter at once", async () => {
  const campaign = await published(it);
  const crowd = Array.from({ length: 2_500 }, (_, i) => ({
    published: campaign,
    personKey: newId(),
    cause: "all",
    data: { i },
  }));
  await db.execute(sql`update campaigns set status = 'paused' where id = ${campaign.campaignId}`);
  expect((await db.transaction((tx) => enter(tx, crowd, clock.now()))).size).toBe(0);
  await db.execute(sql`update campaigns set status = 'active' where id = ${campaign.campaignId}`);
  expect((await db.transaction((tx) => enter(tx, crowd, clock.now()))).size).toBe(2_500);
  expect((await db.transaction((tx) => enter(tx, crowd, clock.now()))).size).toBe(0);
});

test("people of several campaigns enter together, each with what is their campaign's and what is their own", async () => {
  const first = await published(it);
  const second = await published(it, {
    reentry: "always",
    steps: [{ id: "later", type: "wait", for: { amount: 2, unit: "days" } }],
  });
  const newer = { ...second, graph: 7 };
  const people = [newId(), newId()] as const;
  const candidates = [newer, first, second].flatMap((campaign) =>
    people.map((personKey, i) => ({
      published: campaign,
      personKey,
      cause: `${campaign.graph}`,
      data: { graph: campaign.graph, text: `"\\ü${i}` },
      ...(i === 0 && { cancellationKey: "order, 1" }),
    })),
  );
  await db.transaction((tx) => enter(tx, candidates, clock.now()));
  for (const [i, personKey] of people.entries()) {
    const found = await db.query(sql`
      select campaign_id, workspace_id, graph, step_id, data, cancellation_key from campaign_runs
      where person_key = ${personKey} order by step_id desc, graph`);
    const own = { workspace_id: first.workspaceId, cancellation_key: i === 0 ? "order, 1" : null };
    expect(found).toEqual(
      [first, second, newer].map(({ campaignId: campaign_id, graph, journey }) => ({
        ...own,
        campaign_id,
        graph,
        step_id: journey.first,
        data: { graph, text: `"\\ü${i}` },
      })),
    );
  }
});

test.each([
  { change: "a pause", status: "paused", entered: 0, due: [] },
  { change: "another clock", status: "active", entered: 50, due: [new Date("2026-05-01T11:00:00Z")] },
  { change: "a pause that is undone", status: undefined, entered: 50, due: [new Date("2026-05-01T12:00:00Z")] },
])(
  "people who enter during $change wait for it, and enter as the campaign then is",
  async ({ status, entered, due }) => {
    const campaign = await published(it);
    const crowd = Array.from({ length: 50 }, () => ({
      published: campaign,
      personKey: newId(),
      cause: "all",
      data: {},
    }));
    const undone = new Error("undone");
    let entering: Promise<Set<string>> | undefined;
    const changing = db.transaction(async (tx) => {
      const locked = await rowLock(tx, [campaign.campaignId], "update");
      await tx.query(sql`select from campaigns where id = ${campaign.campaignId} ${locked}`);
      await tx.execute(sql`
        update campaigns set status = ${status ?? "paused"}, behind = '1 hour' where id = ${campaign.campaignId}`);
      entering = db.transaction((other) => enter(other, crowd, clock.now()));
      await until(async () => (await waitingForLocks(db)) > 0);
      if (status === undefined) throw undone;
    });
    await changing.catch((error) => expect(error).toBe(undone));
    expect((await entering)?.size).toBe(entered);
    const found = await db.query<{ due_at: Date }>(sql`
      select distinct due_at from campaign_runs where campaign_id = ${campaign.campaignId}`);
    expect(found.map(({ due_at }) => due_at)).toEqual(due);
  },
);

test.skipIf(inShards)(
  "the runs of one moment are written in the order of their causes, in which the engine takes them",
  async () => {
    const campaign = await published(it, { reentry: "always" });
    const personKey = newId();
    const causes = Array.from({ length: 50 }, (_, i) => `cause ${i}`);
    const candidates = causes.map((cause) => ({ published: campaign, personKey, cause, data: { cause } }));
    await db.transaction((tx) => enter(tx, candidates, clock.now()));
    const found = await db.query<{ cause: string }>(sql`
      select data ->> 'cause' as cause from campaign_runs where person_key = ${personKey} order by ctid`);
    expect(found.map(({ cause }) => cause)).toEqual(causes);
  },
);
