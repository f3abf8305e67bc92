import { compare, rateResult } from "../report/compare.ts";
import { startLoad } from "../load/load.ts";
import type { TargetResult } from "../report/report.ts";
import { seedDeliveries, seedPeople } from "../stage/seed.ts";
import { onStage, type StageOptions } from "../stage/stage.ts";

/** Measures impressions of persistent messages, spread over many people, against one single-row insert and commit a request. */
export async function interactions(smoke: boolean, options: StageOptions): Promise<TargetResult[]> {
  const people = smoke ? 1_000 : 50_000;
  const each = 4;
  return onStage({ ...options, roles: "api" }, async (stage) => {
    await seedPeople(stage, people);
    await seedDeliveries(stage, people, each);
    const load = await startLoad();
    try {
      const { service } = stage;
      const floor = await stage.floor("interactions");
      const plan = (port: number) => ({
        port,
        expect: 200,
        requests: { kind: "impression" as const, key: stage.publicKey, people, each },
      });
      console.log(`${people * each} live deliveries for ${people} people, 64 connections\n`);
      const compared = await compare(load, stage.databaseCpu, {
        floor: { name: "bare Fastify, one insert", server: floor, plan: plan(floor.port) },
        ours: { name: "Tidings, POST .../impression", server: service, plan: plan(service.port) },
        rounds: smoke
          ? { connections: 64, rounds: 1, seconds: 0.5, warmUpSeconds: 0.3 }
          : { connections: 64, rounds: 24, seconds: 1.5, warmUpSeconds: 5 },
      });
      return [rateResult(compared, 1)];
    } finally {
      await load.stop();
    }
  });
}
