import type pg from "pg";
import { personKey } from "../../server/src/workspaces/index.ts";
import { compare } from "../report/compare.ts";
import { startLoad } from "../load/load.ts";
import { reached, type Verdict } from "../report/report.ts";
import { personId, type RequestsOf } from "../load/requests.ts";
import { seedDeliveries, seedPeople } from "../stage/seed.ts";
import { onStage, type StageOptions } from "../stage/stage.ts";

/** Live deliveries of a crowded person; all but the last three are for another screen than the one that is asked for. */
const LIVE = 5_000;
const ELIGIBLE = 3;

/** Syncs of people with 5,000 live deliveries, 3 of them eligible and last in order, against those of people with 10, all eligible. */
export async function crowded(smoke: boolean, options: StageOptions): Promise<Verdict[]> {
  const people = smoke ? 100 : 1_000;
  const many = smoke ? 5 : 50;
  return onStage(options, async (stage) => {
    const { workspaceId, publicKey: key, db } = stage;
    await seedPeople(db, { workspaceId, people });
    await seedDeliveries(db, { workspaceId, people, each: 10 });
    await seedCrowded(db, workspaceId, people, many);
    const load = await startLoad();
    try {
      const server = await stage.service("api");
      const contender = (name: string, requests: RequestsOf) => ({
        name,
        server,
        plan: { port: server.port, expect: 200, requests },
      });
      console.log(
        `GET .../sync?limit=3, 8 connections, ${people} people with 10 and ${many} with ${LIVE} live deliveries\n`,
      );
      const compared = await compare(
        load,
        stage.databaseCpu,
        contender("10 live, all eligible", { kind: "sync", key, people }),
        contender(`${LIVE} live, ${ELIGIBLE} eligible`, { kind: "sync", key, people: many, from: people }),
        smoke
          ? { connections: 8, rounds: 1, seconds: 0.5, warmUpSeconds: 0.3 }
          : { connections: 8, rounds: 4, seconds: 4, warmUpSeconds: 2 },
      );
      return [reached("p99, 5,000 live / 10 live", compared.ours.p99 / compared.floor.p99, "<=", 3, "x")];
    } finally {
      await load.stop();
    }
  });
}

/** Deliveries of two of the messages that seedDeliveries made, one of which is narrowed to a screen that nobody asks for. */
async function seedCrowded(db: pg.Client, workspaceId: string, from: number, count: number): Promise<void> {
  const keys = Array.from({ length: count }, (_, i) => personKey(workspaceId, personId(from + i)));
  const { rows } = await db.query<{ id: string }>(
    "select id from in_app_messages where workspace_id = $1 order by id limit 2",
    [workspaceId],
  );
  const [anywhere, elsewhere] = rows.map((row) => row.id);
  await db.query(
    `insert into in_app_message_versions (workspace_id, id, version, definition, created_at)
     select workspace_id, id, 2, jsonb_set(definition, '{screens,include}', '["checkout/*"]'), now()
     from in_app_message_versions where workspace_id = $1 and id = $2 and version = 1`,
    [workspaceId, elsewhere],
  );
  await db.query(
    `insert into deliveries (person_key, id, workspace_id, channel, source, source_id, status, queued_at, content,
       message_id, message_version, live, priority)
     select key, gen_random_uuid(), $1, 'in_app', 'broadcast', m.id, 'queued', now() - make_interval(mins => n),
       '{"title": "Ada, an offer is waiting", "body": "Hello Ada! Your pro plan brings you something new in London this week."}',
       m.id, m.version, true, m.priority
     from unnest($2::uuid[]) as key, generate_series(1, $3::int) as n,
       lateral (select $4::uuid as id, 1 as version, 10 as priority where n <= $5
                union all select $6::uuid, 2, 50 where n > $5) as m`,
    [workspaceId, keys, LIVE, anywhere, ELIGIBLE, elsewhere],
  );
  await db.query("vacuum analyze deliveries");
  await db.query("checkpoint");
}
