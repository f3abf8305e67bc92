import type { Child } from "../processes/children.ts";
import { cpuOf } from "../processes/cpu.ts";
import type { Load, LoadPlan, LoadResult } from "../load/load.ts";
import { median, reached, type TargetResult, table } from "./report.ts";

export interface Contender {
  name: string;
  server: Pick<Child, "pid">;
  plan: Omit<LoadPlan, "seconds" | "seed" | "connections">;
}

export interface Rounds {
  connections: number;
  rounds: number;
  seconds: number;
  warmUpSeconds: number;
}

interface Measured extends LoadResult {
  /** Microseconds of CPU for each request, of the server and of PostgreSQL. */
  serverCpu: number;
  databaseCpu: number;
}

export interface ComparisonResult {
  ratio: number;
  floor: Measured;
  ours: Measured;
}

/**
 * Puts the floor and Tidings (`ours`) under the same load, in turns (floor ours, ours floor, ...), so that other work on the machine and the
 * growth of the database affect both. Returns the medians of the rounds.
 */
export async function compare(
  load: Load,
  databaseCpu: () => number,
  { floor, ours, rounds }: { floor: Contender; ours: Contender; rounds: Rounds },
): Promise<ComparisonResult> {
  const found: Record<"floor" | "ours", Measured[]> = { floor: [], ours: [] };
  const contenders = { floor, ours };
  const once = async (who: "floor" | "ours", seconds: number, seed: number): Promise<Measured> => {
    const { plan, server } = contenders[who];
    const [serverBefore, databaseBefore] = [cpuOf(server.pid), databaseCpu()];
    const result = await load.run({ ...plan, connections: rounds.connections, seconds, seed });
    const each = (ms: number) => (ms * 1000) / result.requests;
    return {
      ...result,
      serverCpu: each(cpuOf(server.pid) - serverBefore),
      databaseCpu: each(databaseCpu() - databaseBefore),
    };
  };
  for (const who of ["floor", "ours"] as const) await once(who, rounds.warmUpSeconds, 7);
  for (let round = 0; round < rounds.rounds; round++) {
    const order = round % 2 === 0 ? (["floor", "ours"] as const) : (["ours", "floor"] as const);
    for (const who of order) found[who].push(await once(who, rounds.seconds, 100 + round));
  }
  const [a, b] = [middle(found.floor), middle(found.ours)];
  // Both runs of a round are close in time: the median of their ratios is steadier than the ratio of their medians.
  const ratio = median(found.ours.map((result, i) => result.perSecond / (found.floor[i] as Measured).perSecond));
  const row = (name: string, m: Measured) => [
    name,
    m.perSecond.toFixed(0),
    m.p50.toFixed(2),
    m.p99.toFixed(2),
    m.serverCpu.toFixed(0),
    m.databaseCpu.toFixed(0),
    m.cpuMicros.toFixed(0),
  ];
  table(
    ["", "requests/s", "p50 ms", "p99 ms", "server us", "database us", "load us"],
    [row(floor.name, a), row(ours.name, b)],
  );
  const cpu = (m: Measured) => m.serverCpu + m.databaseCpu;
  console.log(`\nCPU of server and database for a request, ours / floor: ${(cpu(b) / cpu(a)).toFixed(2)} x`);
  return { ratio, floor: a, ours: b };
}

/** Compares the ratio of requests a second, with which most benchmarks end, with its target. */
export const rateResult = (compared: ComparisonResult, target: number): TargetResult =>
  reached("requests/s, ours / floor", compared.ratio, [">=", target], "x");

function middle(results: Measured[]): Measured {
  const of = (pick: (m: Measured) => number) => median(results.map(pick));
  return {
    ...(results[0] as Measured),
    requests: of((m) => m.requests),
    perSecond: of((m) => m.perSecond),
    p50: of((m) => m.p50),
    p99: of((m) => m.p99),
    cpuMicros: of((m) => m.cpuMicros),
    serverCpu: of((m) => m.serverCpu),
    databaseCpu: of((m) => m.databaseCpu),
  };
}
