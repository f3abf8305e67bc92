import type { Stage } from "../../stage/stage.ts";
import { columnsOf } from "./journeys.ts";

/** Rows in one statement. */
const BATCH = 1_000;

/**
 * Does by PostgreSQL alone what the backlog's runs do, to as many other waiting runs in the same tables: in batches it writes their passages and
 * their two deliveries, with the contents of a run that has ended, and ends them.
 * @param crowd id of the campaign in the tables
 * @param ended id of a campaign one of whose runs has ended
 * @returns the seconds
 */
export async function writeFloor(
  { db }: Stage,
  { crowd, ended, backlog }: { crowd: string; ended: string; backlog: number },
): Promise<number> {
  const columns = await columnsOf(db, "deliveries");
  const others = columns
    .split(", ")
    .filter((name) => name !== "person_key" && name !== "id")
    .map((name) => `t.${name}`);
  await db.query(
    `create temp table floor_runs as select row_number() over () as n, person_key, id from (
       select person_key, id from campaign_runs where campaign_id = $1 and due_at is not null order by due_at limit $2) r`,
    [crowd, backlog],
  );
  await db.query("create index on floor_runs (n)");
  await db.query(
    `create temp table model as select person_key, id from campaign_runs where campaign_id = '${ended}' and ended_at is not null limit 1`,
  );
  await db.query(
    `create temp table model_passages as select p.* from campaign_passages p join model m on m.person_key = p.person_key and m.id = p.run_id`,
  );
  await db.query(
    `create temp table model_deliveries as select d.* from deliveries d
     join model_passages p on p.person_key = d.person_key and p.delivery_id = d.id`,
  );
  await db.query("analyze floor_runs, model_passages, model_deliveries");
  const since = performance.now();
  for (let from = 1; from <= backlog; from += BATCH) {
    const part = `r.n >= ${from} and r.n < ${from + BATCH}`;
    await db.query(
      `insert into campaign_passages (person_key, run_id, step_id, workspace_id, campaign_id, entered_at, left_at, state)
       select r.person_key, r.id, t.step_id, t.workspace_id, $1, t.entered_at, t.left_at, t.state
       from floor_runs r cross join model_passages t where ${part}
       on conflict (person_key, run_id, step_id) do update set state = excluded.state, left_at = excluded.left_at`,
      [crowd],
    );
    await db.query(
      `insert into deliveries (person_key, id, ${others.map((name) => name.slice(2)).join(", ")})
       select r.person_key, gen_random_uuid(), ${others.join(", ")} from floor_runs r cross join model_deliveries t where ${part}`,
    );
    await db.query(
      `update campaign_runs c set status = 'completed', step_id = null, due_at = null, ended_at = now()
       from floor_runs r where c.person_key = r.person_key and c.id = r.id and ${part}`,
    );
  }
  return (performance.now() - since) / 1_000;
}
