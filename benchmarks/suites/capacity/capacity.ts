import type { Operation } from "../../capacity/costs.ts";
import { type Counts, type Load as Needed, loadOf } from "../../capacity/model.ts";
import { cpuOf } from "../../processes/cpu.ts";
import { reached, table, type TargetResult } from "../../report/report.ts";
import { seedPeople } from "../../stage/seed.ts";
import type { Stage, StageOptions } from "../../stage/stage.ts";
import { onInstallation } from "./installation.ts";
import { interacted, type On, queued, sent, tracked } from "./paths.ts";
import { rowsIn, stateOf } from "./spent.ts";

const DELIVERIES_OF_A_PERSON = 10;

/** Plays whole installations of three sizes, and compares what they took and left with what the model of docs/capacity.md says. */
export async function capacity(smoke: boolean, options: StageOptions): Promise<TargetResult[]> {
  const sizes = smoke ? [5_000] : [100_000, 1_000_000, 10_000_000];
  const found: TargetResult[] = [];
  for (const size of sizes) {
    const rows: string[][] = [];
    const { predicted, measured } = await played(size, options);
    for (const { what, key, unit, per } of MEASURES) {
      const [expected, real] = [predicted[key] / per, measured[key] / per];
      const off = Math.max(expected / real, real / expected);
      rows.push([what, `${expected.toFixed(2)} ${unit}`, `${real.toFixed(2)} ${unit}`]);
      found.push(reached(`${size} deliveries: ${what}, predicted / measured or its inverse`, off, ["<=", 1.2], "x"));
    }
    table([`${size} deliveries`, "predicted", "measured"], rows);
  }
  return found;
}

const MEASURES: { what: string; key: keyof Needed; unit: string; per: number }[] = [
  { what: "rows", key: "rows", unit: "million", per: 1e6 },
  { what: "tables and indexes", key: "bytes", unit: "GB", per: 1e9 },
  { what: "write-ahead log", key: "log", unit: "GB", per: 1e9 },
  { what: "CPU of the service", key: "server", unit: "s", per: 1 },
  { what: "CPU of PostgreSQL", key: "database", unit: "s", per: 1 },
];

type Phase = [operation: Operation, play: (on: On) => Promise<number>];

/** What fills the tables. */
const fillingOf = (size: number): Phase[] => [
  ["person", ({ stage, people }) => seedPeople(stage, people).then(() => people)],
  ["event", (on) => tracked(on, size / 5)],
  ["queued", (on) => queued(on, DELIVERIES_OF_A_PERSON)],
];

/** What is done then. The emails are few: the mail server of a benchmark takes some hundred a second. */
const usingOf = (size: number): Phase[] => [
  ["impression", (on) => interacted(on, "impression", size / 10)],
  ["click", (on) => interacted(on, "click", size / 50)],
  ["dismissal", (on) => interacted(on, "dismiss", size / 20)],
  ["email", (on) => sent(on, "email", Math.min(size / 100, 20_000))],
];

const played = (size: number, options: StageOptions): Promise<{ predicted: Needed; measured: Needed }> =>
  onInstallation(options, size / DELIVERIES_OF_A_PERSON, async (on) => {
    const { stage } = on;
    const rowsBefore = await rowsIn(stage.db);
    const begin = await observed(stage);
    const filled = await playedBetween(on, fillingOf(size));
    const used = await playedBetween(on, usingOf(size));
    const measured = difference(await observed(stage), begin);
    const rows = (await rowsIn(stage.db)) - rowsBefore;
    return { predicted: sumOf(filled, used), measured: { ...measured, rows } };
  });

/** Plays right after a checkpoint. Returns what the model says about it. */
async function playedBetween(on: On, phases: Phase[]): Promise<Needed> {
  await on.stage.db.query("checkpoint");
  const before = await stateOf(on.stage.db);
  const counts: Counts = {};
  for (const [operation, play] of phases) {
    const since = performance.now();
    counts[operation] = await play(on);
    console.log(`${operation}: ${counts[operation]} in ${((performance.now() - since) / 1_000).toFixed(0)} s`);
  }
  const after = await stateOf(on.stage.db);
  const intervals = after.checkpoints - before.checkpoints + 1;
  // After a checkpoint in the middle, what was written before it is there, too.
  return loadOf(counts, intervals === 1 ? before.messages : (before.messages + after.messages) / 2, intervals);
}

type Observed = Omit<Needed, "rows">;

async function observed(stage: Stage): Promise<Observed> {
  const seconds = { server: cpuOf(stage.service.pid) / 1_000, database: stage.databaseCpu() / 1_000 };
  return { ...(await stateOf(stage.db)), ...seconds };
}

const KEYS = ["rows", "bytes", "log", "server", "database"] as const;

const sumOf = (a: Needed, b: Needed): Needed =>
  Object.fromEntries(KEYS.map((key) => [key, a[key] + b[key]])) as unknown as Needed;

const difference = (after: Observed, before: Observed): Omit<Needed, "rows"> => ({
  bytes: after.bytes - before.bytes,
  log: after.log - before.log,
  server: after.server - before.server,
  database: after.database - before.database,
});
