import {
  type Columns,
  given,
  join,
  prepared,
  type Queries,
  raw,
  rowLock,
  rowsOf,
  rowsToCheck,
  sql,
  unquoted,
} from "../../platform/db/index.ts";

/** A run that begins if the campaign is active and the person may enter. */
export interface NewRun {
  personKey: string;
  id: string;
  workspaceId: string;
  campaignId: string;
  graph: number;
  stepId: string;
  data: Record<string, unknown>;
  cancellationKey: string | null;
  /** See Gate in rules/reentry.ts; the same for all runs of a campaign. */
  always: boolean;
  openSince: Date | null;
}

/** What is a run's own. `data` is text, because PostgreSQL would read the JSON of people who may not enter, too. */
const OWN = {
  person_key: given.uuid((run) => run.personKey),
  id: given.uuid((run) => run.id),
  data: given.text((run) => JSON.stringify(run.data)),
  cancellation_key: given.text((run) => run.cancellationKey),
} satisfies Columns<NewRun>;

/** What all runs of a campaign that begin together share. */
const SHARED = {
  workspace_id: given.uuid((run) => run.workspaceId),
  campaign_id: given.uuid((run) => run.campaignId),
  graph: given.integer((run) => run.graph),
  step_id: given.text((run) => run.stepId),
  always: given.boolean((run) => run.always),
  open_since: given.time((run) => run.openSince),
} satisfies Columns<NewRun>;

/**
 * Inserts runs, each due at once, and returns the ids of the new ones. An entry is one row for a person and campaign, so two
 * transactions can't both let a person in: the second waits for the first and then finds the gate closed. A plain read
 * excludes people who entered before, because `on conflict do update` locks the row that it does not change. It is a subquery for each row: a join
 * that was planned while few had entered reads all entries. Where somebody may enter, the
 * statement locks the campaign as a foreign key would. The engine waits for this lock before it writes that all runs of an archived
 * campaign have ended, so no run begins behind its back. The rows are written in the given order, in which the engine then takes those of one
 * moment: the items of a batch step come in the order of their events. What the runs of a campaign share is sent once: with a copy for each
 * run, 8 people who enter among 20 took a quarter more of PostgreSQL's CPU.
 */
export async function insertRuns(tx: Queries, runs: NewRun[], now: Date): Promise<Set<string>> {
  if (tx.distributed) return insertInShards(tx, runs, now);
  const { numbers, firsts } = byCampaign(runs);
  const shared = (name: keyof typeof SHARED) => {
    const { type, array } = SHARED[name];
    return sql`(${array(firsts)}::${raw(type)}[])[t.shared_at]`;
  };
  const own = {
    ...OWN,
    shared_at: given.integer<NewRun>((_, i) => numbers[i] as number),
    nth: given.integer<NewRun>((_, i) => i),
  };
  const rows = await tx.query<{ id: string }>(
    prepared(
      "campaigns.insertRuns",
      sql`
      with asked as materialized (
        select t.*, ${shared("workspace_id")} as workspace_id, ${shared("campaign_id")} as campaign_id,
          ${shared("always")} as always, ${shared("open_since")} as open_since,
          (select e.entered_at from campaign_entries e
            where e.person_key = t.person_key and e.campaign_id = ${shared("campaign_id")}) as entered_before
        from (${rowsOf(runs, own)}) t (${raw(Object.keys(own).join(","))})),
      wanted as materialized (
        select t.*, c.behind from asked t
        join campaigns c on c.workspace_id = t.workspace_id and c.id = t.campaign_id and c.status = 'active'
        where t.always or t.entered_before is null or t.entered_before <= t.open_since
        for key share of c),
      admitted as (
        insert into campaign_entries as old (person_key, campaign_id, workspace_id, entered_at)
        select distinct w.person_key, w.campaign_id, w.workspace_id, ${now}::timestamptz from wanted w
        where w.entered_before is null or w.entered_before <= w.open_since
        order by w.campaign_id, w.person_key
        on conflict (person_key, campaign_id) do update set entered_at = excluded.entered_at
          where old.entered_at <= (select w.open_since from wanted w where w.campaign_id = old.campaign_id limit 1)
        returning old.person_key, old.campaign_id)
      insert into campaign_runs (person_key, id, workspace_id, campaign_id, graph, status, step_id, data, cancellation_key,
        entered_at, stepped_at, due_at)
      select t.person_key, t.id, t.workspace_id, t.campaign_id, ${shared("graph")}, 'active', ${shared("step_id")}, t.data::jsonb,
        t.cancellation_key, ${now}, ${now}::timestamptz - t.behind, ${now}::timestamptz - t.behind
      from wanted t
      where t.always or exists (
        select from admitted a where a.person_key = t.person_key and a.campaign_id = t.campaign_id)
      order by t.nth
      on conflict (person_key, id) do nothing
      returning id`,
    ),
  );
  return new Set(rows.map((row) => row.id));
}

/** Returns the first run of each campaign and graph, and for each run the number of its own among them, from 1. */
function byCampaign(runs: NewRun[]): { numbers: number[]; firsts: NewRun[] } {
  const known = new Map<string, number>();
  const firsts: NewRun[] = [];
  const numbers = runs.map((run) => {
    const key = `${run.campaignId} ${run.graph}`;
    const number = known.get(key) ?? firsts.push(run);
    known.set(key, number);
    return number;
  });
  return { numbers, firsts };
}

interface Entry {
  person_key: string;
  campaign_id: string;
  entered_at: Date;
}

const pairOf = (personKey: string, campaignId: string): string => `${personKey} ${campaignId}`;

/**
 * What insertRuns does, for a database in shards: there a statement can't insert into one table what an insert into another one returned. The rules and
 * the locks are the same, in a few statements of the caller's transaction.
 */
async function insertInShards(tx: Queries, runs: NewRun[], now: Date): Promise<Set<string>> {
  const keys = unquoted(runs.map((run) => run.personKey));
  const entries = await tx.query<Entry>(sql`
    select person_key, campaign_id, entered_at from campaign_entries where person_key = any(${keys}::uuid[])`);
  const before = new Map(entries.map((one) => [pairOf(one.person_key, one.campaign_id), one.entered_at]));
  const isOpen = ({ personKey, campaignId, openSince }: NewRun) => {
    const entered = before.get(pairOf(personKey, campaignId));
    return entered === undefined || (openSince !== null && entered <= openSince);
  };
  const may = runs.filter((run) => run.always || isOpen(run));
  if (may.length === 0) return new Set();
  const ids = [...new Set(may.map((run) => run.campaignId))].sort();
  const locked = await rowLock(tx, ids, "key share");
  const open = await tx.query<{ id: string; clock: Date }>(sql`
    select c.id, ${now}::timestamptz - c.behind as clock from campaigns c
    where c.id = any(${unquoted(ids)}::uuid[]) and c.status = 'active' order by c.id ${locked}`);
  const clocks = new Map(open.map(({ id, clock }) => [id, clock]));
  const wanted = may.filter(({ campaignId }) => clocks.has(campaignId));
  const admitted = await admit(tx, wanted.filter(isOpen), now);
  return insert(
    tx,
    wanted.filter((run) => run.always || admitted.has(pairOf(run.personKey, run.campaignId))),
    { now, clocks },
  );
}

/** Records entries. Of two transactions that let the same person in, the second waits, and then finds the gate closed. */
async function admit(tx: Queries, runs: NewRun[], now: Date): Promise<Set<string>> {
  const first = [...new Map(runs.map((run) => [pairOf(run.personKey, run.campaignId), run])).values()];
  const admitted = new Set<string>();
  // Each transaction writes the campaigns in one order, that of insertRuns, so that no two wait for each other.
  const campaigns = [...Map.groupBy(first, (run) => run.campaignId)].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [campaignId, entering] of campaigns) {
    const [{ workspaceId, openSince }] = entering as [NewRun];
    const keys = entering.map((run) => run.personKey).sort();
    const rows = await tx.query<{ person_key: string }>(sql`
      insert into campaign_entries (person_key, campaign_id, workspace_id, entered_at)
      ${rowsToCheck(tx, keys, { key: given.uuid((key) => key) }, ({ key }) => sql`${key}, ${campaignId}::uuid, ${workspaceId}::uuid, ${now}::timestamptz`)}
      on conflict do nothing returning person_key`);
    const entered = new Set(rows.map((row) => row.person_key));
    const again = keys.filter((key) => !entered.has(key));
    if (again.length > 0 && openSince !== null)
      rows.push(
        ...(await tx.query<{ person_key: string }>(sql`
      update campaign_entries set entered_at = ${now}
      where campaign_id = ${campaignId} and person_key = any(${unquoted(again)}::uuid[]) and entered_at <= ${openSince}
      returning person_key`)),
      );
    for (const row of rows) admitted.add(pairOf(row.person_key, campaignId));
  }
  return admitted;
}

async function insert(
  tx: Queries,
  runs: NewRun[],
  { now, clocks }: { now: Date; clocks: Map<string, Date> },
): Promise<Set<string>> {
  if (runs.length === 0) return new Set();
  const { always: _, open_since: __, ...shared } = SHARED;
  const columns = {
    ...OWN,
    data: given.json<NewRun>((run) => JSON.stringify(run.data)),
    ...shared,
    clock: given.time<NewRun>((run) => clocks.get(run.campaignId) ?? now),
  };
  const rows = await tx.query<{ id: string }>(sql`
    insert into campaign_runs (person_key, id, data, cancellation_key, workspace_id, campaign_id, graph, step_id,
      status, entered_at, stepped_at, due_at)
    ${rowsToCheck(tx, runs, columns, ({ clock, ...t }) => sql`${join(Object.values(t))}, 'active', ${now}::timestamptz, ${clock}, ${clock}`)}
    on conflict (person_key, id) do nothing
    returning id`);
  return new Set(rows.map((row) => row.id));
}
