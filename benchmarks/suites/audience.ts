import { callApi } from "../stage/api.ts";
import { median, reached, table, type TargetResult } from "../report/report.ts";
import { seedPeople } from "../stage/seed.ts";
import { onStage, type StageOptions } from "../stage/stage.ts";

const PRO = { attribute: "plan", op: "eq", value: "pro" };
const ORDERED = { event: "order_placed", op: "performed", within: { amount: 30, unit: "days" } };
const TWICE = { ...ORDERED, count: { gte: 2 } };
const LARGE = { ...ORDERED, where: [{ property: "total", op: "gt", value: 50 }] };

/** Each filter with the SQL that one would write by hand: a count and ten people, in one statement. */
const CASES = [
  { name: "an attribute", filter: PRO, sql: "p.attributes ->> 'plan' = 'pro'" },
  {
    name: "a date before",
    filter: { attribute: "signed", op: "before", value: "2026-05-01" },
    sql: "(p.attributes ->> 'signed')::date < '2026-05-01'",
  },
  {
    name: "an event in 30 days",
    filter: ORDERED,
    sql: "p.person_key in (select person_key from events where workspace_id = $1 and name = 'order_placed' and ts >= now() - interval '30 days')",
  },
  {
    name: "an attribute and two events",
    filter: { all: [PRO, TWICE] },
    sql: `p.attributes ->> 'plan' = 'pro' and p.person_key in (select person_key from events where workspace_id = $1
      and name = 'order_placed' and ts >= now() - interval '30 days' group by 1 having count(*) >= 2)`,
  },
  {
    name: "an event with a property, or none",
    filter: { any: [LARGE, { not: TWICE }] },
    sql: `p.person_key in (select person_key from events where workspace_id = $1 and name = 'order_placed'
        and ts >= now() - interval '30 days' and (properties -> 'total')::numeric > 50)
      or p.person_key not in (select person_key from events where workspace_id = $1 and name = 'order_placed'
        and ts >= now() - interval '30 days' group by 1 having count(*) >= 2)`,
  },
];

/** Measures count and sample of a filter at 100,000 people and 1,000,000 events, against the same query as hand-written SQL. */
export async function audience(smoke: boolean, options: StageOptions): Promise<TargetResult[]> {
  const people = smoke ? 1_000 : 100_000;
  const rounds = smoke ? 2 : 15;
  return onStage({ ...options, roles: "api" }, async (stage) => {
    const { db, workspaceId } = stage;
    await seedPeople(stage, people);
    await db.query(
      'update people set attributes = attributes || \'{"plan": "free"}\' where hashtext(person_id) % 4 <> 0',
    );
    await db.query(
      "update people set attributes = attributes || jsonb_build_object('signed', date '2026-01-01' + abs(hashtext(person_id)) % 300)",
    );
    // Ten events for each person over 90 days, a fifth of them orders.
    await db.query(
      `insert into events (person_key, id, workspace_id, name, properties, ts, received_at)
       select person_key, gen_random_uuid(), $1, (array['order_placed', 'came', 'looked', 'searched', 'left'])[1 + i % 5],
         jsonb_build_object('total', (n * 7 + i * 13) % 100, 'item', 'book'), now() - make_interval(hours => (n * 31 + i * 97) % 2160), now()
       from generate_series(1, 10) as i, seeded_people`,
      [workspaceId],
    );
    await db.query("vacuum analyze people");
    await db.query("vacuum analyze events");
    await db.query("set work_mem = '64MB'");
    await db.query("set jit = off");
    console.log(`${people} people, ${people * 10} events; milliseconds, medians of ${rounds}\n`);
    const rows: string[][] = [];
    const found: TargetResult[] = [];
    for (const one of CASES) {
      const times: [number[], number[]] = [[], []];
      let counts = [0, 0];
      // In turns, so that other work of the machine affects both.
      for (let round = -2; round < rounds; round++) {
        const ours = await timed(() =>
          callApi<{ count: number }>(stage, "/api/v1/audiences/preview", { filter: one.filter }),
        );
        const floor = await timed(async () => {
          const answer = await db.query<{ count: number }>(
            `with m as materialized (select person_key, person_id from people p where workspace_id = $1 and (${one.sql}))
             select (select count(*)::int from m) as count, array(select person_id from m order by person_key limit 10) as sample`,
            [workspaceId],
          );
          return answer.rows[0] as { count: number };
        });
        counts = [floor.value.count, ours.value.count];
        if (round >= 0) {
          times[0].push(floor.ms);
          times[1].push(ours.ms);
        }
      }
      if (counts[0] !== counts[1])
        throw new Error(`${one.name}: ${counts[1]} people and hand-written SQL finds ${counts[0]}`);
      const [floor, ours] = [median(times[0]), median(times[1])];
      rows.push([one.name, String(counts[0]), floor.toFixed(0), ours.toFixed(0), `${(ours / floor).toFixed(2)} x`]);
      found.push(reached(one.name, ours, ["<", 200], "ms"));
    }
    table(["filter", "people found", "SQL by hand", "Tidings, POST .../preview", "ratio"], rows);
    return found;
  });
}

async function timed<T>(work: () => Promise<T>): Promise<{ value: T; ms: number }> {
  const start = performance.now();
  const value = await work();
  return { value, ms: performance.now() - start };
}
