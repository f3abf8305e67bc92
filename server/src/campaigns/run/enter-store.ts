import {
  type Columns,
  given,
  join,
  prepared,
  type Queries,
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

const NEW_RUN = {
  person_key: given.uuid((run) => run.personKey),
  id: given.uuid((run) => run.id),
  workspace_id: given.uuid((run) => run.workspaceId),
  campaign_id: given.uuid((run) => run.campaignId),
  graph: given.integer((run) => run.graph),
  step_id: given.text((run) => run.stepId),
  data: given.json((run) => JSON.stringify(run.data)),
  cancellation_key: given.text((run) => run.cancellationKey),
} satisfies Columns<NewRun>;

/**
 * Inserts runs, each due at once, and returns the ids of the new ones. An entry is one row for a person and campaign, so two
 * transactions can't both let a person in: the second waits for the first and then finds the gate closed. A plain read
 * excludes people who entered before, because `on conflict do update` locks the row that it does not change. It is a subquery for each row: a join
 * that was planned while few had entered reads all entries. Where somebody may enter, the
 * statement locks the campaign as a foreign key would. The engine waits for this lock before it writes that all runs of an archived
 * campaign have ended, so no run begins behind its back.
 */
export async function insertRuns(tx: Queries, runs: NewRun[], now: Date): Promise<Set<string>> {
  if (tx.distributed) return insertInShards(tx, runs, now);
  const rows = await tx.query<{ id: string }>(
    prepared(
      "campaigns.insertRuns",
      sql`
      with asked as materialized (
        ${rowsOf(
          runs,
          { ...NEW_RUN, always: given.boolean((run) => run.always), open_since: given.time((run) => run.openSince) },
          (t) => sql`${join(Object.values(t))}, (select e.entered_at from campaign_entries e
            where e.person_key = ${t.person_key} and e.campaign_id = ${t.campaign_id}) as entered_before`,
        )}),
      candidates as materialized (
        select *, always or entered_before is null or entered_before <= open_since as may from asked),
      open as materialized (
        select c.id, c.behind from (select distinct workspace_id, campaign_id from candidates where may) t
        join campaigns c on c.workspace_id = t.workspace_id and c.id = t.campaign_id and c.status = 'active'
        for key share of c),
      wanted as materialized (select t.*, o.behind from candidates t join open o on o.id = t.campaign_id where t.may),
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
      select w.person_key, w.id, w.workspace_id, w.campaign_id, w.graph, 'active', w.step_id, w.data, w.cancellation_key,
        ${now}, ${now}::timestamptz - w.behind, ${now}::timestamptz - w.behind
      from wanted w
      where w.always or exists (
        select from admitted a where a.person_key = w.person_key and a.campaign_id = w.campaign_id)
      on conflict (person_key, id) do nothing
      returning id`,
    ),
  );
  return new Set(rows.map((row) => row.id));
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
  const columns = { ...NEW_RUN, clock: given.time<NewRun>((run) => clocks.get(run.campaignId) ?? now) };
  const rows = await tx.query<{ id: string }>(sql`
    insert into campaign_runs (person_key, id, workspace_id, campaign_id, graph, step_id, data, cancellation_key,
      status, entered_at, stepped_at, due_at)
    ${rowsToCheck(tx, runs, columns, ({ clock, ...t }) => sql`${join(Object.values(t))}, 'active', ${now}::timestamptz, ${clock}, ${clock}`)}
    on conflict (person_key, id) do nothing
    returning id`);
  return new Set(rows.map((row) => row.id));
}
