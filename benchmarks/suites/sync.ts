import { compare, rateResult } from "../report/compare.ts";
import { startLoad } from "../load/load.ts";
import { reached, type TargetResult } from "../report/report.ts";
import { seedDeliveries, seedPeople } from "../stage/seed.ts";
import { onStage, type StageOptions } from "../stage/stage.ts";

/** Measures syncs of random people, 3 messages of their 10 each, against a route that runs one prepared query for the same rows. */
export async function sync(smoke: boolean, options: StageOptions): Promise<TargetResult[]> {
  const people = smoke ? 2_000 : 100_000;
  const each = 10;
  return onStage({ ...options, roles: "api" }, async (stage) => {
    await seedPeople(stage, people);
    await seedDeliveries(stage, people, each);
    const { rows } = await stage.db.query<{ person_key: string }>("select person_key from seeded_people order by n");
    const load = await startLoad();
    try {
      const floor = await stage.floor("sync");
      console.log(`${people * each} live deliveries for ${people} people, 64 connections, 3 messages an answer\n`);
      const compared = await compare(load, stage.databaseCpu, {
        floor: {
          name: "bare Fastify, one prepared query",
          server: floor,
          plan: {
            port: floor.port,
            expect: 200,
            requests: { kind: "bare-sync", keys: rows.map((row) => row.person_key) },
          },
        },
        ours: {
          name: "Tidings, GET .../sync?limit=3",
          server: stage.service,
          plan: { port: stage.service.port, expect: 200, requests: { kind: "sync", key: stage.publicKey, people } },
        },
        rounds: smoke
          ? { connections: 64, rounds: 1, seconds: 0.5, warmUpSeconds: 0.3 }
          : { connections: 64, rounds: 6, seconds: 5, warmUpSeconds: 3 },
      });
      return [
        rateResult(compared, 1.5),
        reached("p99, ours / floor", compared.ours.p99 / compared.floor.p99, ["<=", 1], "x"),
      ];
    } finally {
      await load.stop();
    }
  });
}
