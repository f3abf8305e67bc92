import { type Operation, START } from "../../capacity/costs.ts";
import { type Counts, type Load as Needed, loadOf } from "../../capacity/model.ts";
import { reached, table, type TargetResult } from "../../report/report.ts";
import { identifyPeople } from "../../stage/seed.ts";
import type { StageOptions } from "../../stage/stage.ts";
import { onInstallation } from "./installation.ts";
import { interactions, type On, queued, sent, tracked } from "./paths.ts";
import { rowsIn, stateOf, tookBy, type Work } from "./spent.ts";

const DELIVERIES_OF_A_PERSON = 10;

/**
 * Plays whole installations of three sizes, and compares what they took and left with what the model of docs/capacity.md says. CPU depends on the
 * machine: one more installation, played first, says how much of it this machine takes for what the costs say.
 */
export async function capacity(smoke: boolean, options: StageOptions): Promise<TargetResult[]> {
  const first = await played(smoke ? 5_000 : 1_000_000, options);
  const machine = {
    server: first.measured.server / first.predicted.server,
    database: first.measured.database / first.predicted.database,
  };
  console.log(
    `this machine takes ${machine.server.toFixed(2)} x the CPU of the costs for the service, ${machine.database.toFixed(2)} x for PostgreSQL`,
  );
  const found: TargetResult[] = [];
  for (const size of smoke ? [5_000] : [100_000, 1_000_000, 10_000_000]) {
    const rows: string[][] = [];
    const { predicted, measured } = await played(size, options);
    for (const { what, key, unit, per } of MEASURES) {
      const speed = key === "server" || key === "database" ? machine[key] : 1;
      const [expected, real] = [(predicted[key] * speed) / per, measured[key] / per];
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

/** Prepares operations without being counted. */
type Phase = [operation: Operation, prepare: (on: On) => Work | Promise<Work>];

/** What fills the tables. */
const fillingOf = (size: number): Phase[] => [
  [
    "person",
    ({ stage, people }) =>
      () =>
        identifyPeople(stage, people).then(() => people),
  ],
  ["event", (on) => () => tracked(on, size / 5)],
  ["queued", (on) => () => queued(on, DELIVERIES_OF_A_PERSON)],
];

/** What is done then. The emails are few: the mail server of a benchmark takes some hundred a second. */
const usingOf = (size: number): Phase[] => [
  ["impression", (on) => interactions(on, "impression", size / 10)],
  ["click", (on) => interactions(on, "click", size / 50)],
  ["dismissal", (on) => interactions(on, "dismiss", size / 20)],
  ["email", (on) => () => sent(on, "email", Math.min(size / 100, 20_000))],
];

interface Compared {
  predicted: Needed;
  measured: Needed;
}

const played = (size: number, options: StageOptions): Promise<Compared> =>
  onInstallation(options, size / DELIVERIES_OF_A_PERSON, async (on) => {
    const { db } = on.stage;
    const [rowsBefore, before] = [await rowsIn(db), await stateOf(db)];
    const filled = await playedBetween(on, fillingOf(size));
    const used = await playedBetween(on, usingOf(size));
    const after = await stateOf(db);
    const predicted = sumOf(filled.predicted, used.predicted);
    return {
      predicted: { ...predicted, server: predicted.server + START },
      measured: {
        rows: (await rowsIn(db)) - rowsBefore,
        bytes: after.bytes - before.bytes,
        log: after.log - before.log,
        server: filled.server + used.server,
        database: filled.database + used.database,
      },
    };
  });

/** Plays right after a checkpoint. Returns what the model says about it, and the seconds of CPU. */
async function playedBetween(on: On, phases: Phase[]) {
  const { stage } = on;
  await stage.db.query("checkpoint");
  const before = await stateOf(stage.db);
  const counts: Counts = {};
  const cpu = { server: 0, database: 0 };
  for (const [operation, prepare] of phases) {
    const { count, seconds, server, database } = await tookBy(stage, await prepare(on));
    counts[operation] = count;
    const each = (ms: number) => `${((ms * 1_000) / count).toFixed(1)} us`;
    console.log(`${operation}: ${count} in ${seconds.toFixed(0)} s, ${each(server)} and ${each(database)} of CPU`);
    cpu.server += server / 1_000;
    cpu.database += database / 1_000;
  }
  const after = await stateOf(stage.db);
  const intervals = after.checkpoints - before.checkpoints + 1;
  // After a checkpoint in the middle, what was written before it is there, too.
  const stored = intervals === 1 ? before.messages : (before.messages + after.messages) / 2;
  return { predicted: loadOf(counts, stored, intervals), ...cpu };
}

const KEYS = ["rows", "bytes", "log", "server", "database"] as const;

const sumOf = (a: Needed, b: Needed): Needed =>
  Object.fromEntries(KEYS.map((key) => [key, a[key] + b[key]])) as unknown as Needed;
