import { compare } from "../report/compare.ts";
import { typeId } from "../load/ids.ts";
import { startLoad } from "../load/load.ts";
import { reached, type TargetResult } from "../report/report.ts";
import type { RequestsOf } from "../load/requests.ts";
import { callApi } from "../stage/api.ts";
import { seedDeliveries, seedPeople } from "../stage/seed.ts";
import { onStage, type Stage, type StageOptions } from "../stage/stage.ts";

/** Live deliveries of a crowded person; all but the last three are for another screen than the requested one. */
const LIVE = 5_000;
const ELIGIBLE = 3;

/** Measures syncs of people with 5,000 live deliveries, 3 of them eligible and last in order, against people with 10, all eligible. */
export async function crowded(smoke: boolean, options: StageOptions): Promise<TargetResult[]> {
  const people = smoke ? 100 : 1_000;
  const many = smoke ? 5 : 50;
  return onStage({ ...options, roles: "api" }, async (stage) => {
    const { publicKey: key, service: server } = stage;
    await seedPeople(stage, people + many);
    const [anywhere = "", elsewhere = ""] = await seedDeliveries(stage, people, 10);
    await seedCrowded(stage, people, anywhere, elsewhere);
    const load = await startLoad();
    try {
      const contender = (name: string, requests: RequestsOf) => ({
        name,
        server,
        plan: { port: server.port, expect: 200, requests },
      });
      console.log(
        `GET .../sync?limit=3, 8 connections, ${people} people with 10 and ${many} with ${LIVE} live deliveries\n`,
      );
      const compared = await compare(load, stage.databaseCpu, {
        floor: contender("10 live, all eligible", { kind: "sync", key, people }),
        ours: contender(`${LIVE} live, ${ELIGIBLE} eligible`, { kind: "sync", key, people: many, from: people }),
        rounds: smoke
          ? { connections: 8, rounds: 1, seconds: 0.5, warmUpSeconds: 0.3 }
          : { connections: 8, rounds: 4, seconds: 4, warmUpSeconds: 2 },
      });
      return [reached("p99, 5,000 live / 10 live", compared.ours.p99 / compared.floor.p99, ["<=", 3], "x")];
    } finally {
      await load.stop();
    }
  });
}

/** Inserts deliveries of two messages for all people from a number on. `elsewhere` has a version for a screen that nobody requests. */
async function seedCrowded(stage: Stage, from: number, anywhere: string, elsewhere: string): Promise<void> {
  const { db, workspaceId } = stage;
  const screens = { include: ["checkout/*"] };
  await callApi(stage, `/api/v1/in-app-messages/${typeId("msg", elsewhere)}`, { screens }, "PATCH");
  await db.query(
    `insert into deliveries (person_key, id, workspace_id, channel, source, source_id, status, queued_at, content,
       message_id, message_version, live, priority)
     select person_key, gen_random_uuid(), $1, 'in_app', 'broadcast', m.id, 'queued', now() - make_interval(mins => i),
       '{"title": "Ada, an offer is waiting", "body": "Hello Ada! Your pro plan brings you something new in London this week."}',
       m.id, m.version, true, m.priority
     from seeded_people, generate_series(1, $3::int) as i,
       lateral (select $4::uuid as id, 1 as version, 10 as priority where i <= $5
                union all select $6::uuid, 2, 50 where i > $5) as m
     where n >= $2`,
    [workspaceId, from, LIVE, anywhere, ELIGIBLE, elsewhere],
  );
  await db.query("vacuum analyze deliveries");
  await db.query("checkpoint");
}
