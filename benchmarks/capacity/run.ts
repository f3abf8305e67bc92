import { table } from "../report/report.ts";
import { capacityOf } from "./model.ts";
import { planFrom, USAGE } from "./plan.ts";
import { gb, stepsFor } from "./steps.ts";

if (process.argv.includes("--help")) {
  console.log(USAGE);
  process.exit(0);
}
try {
  print(process.argv.slice(2));
} catch (error) {
  console.error(`${(error as Error).message}\n\n${USAGE}`);
  process.exitCode = 2;
}

function print(args: string[]): void {
  const plan = planFrom(args);
  const capacity = capacityOf(plan);
  const cells = ({ mean, peak }: { mean: number; peak: number }, unit: string) => [
    `${mean.toFixed(2)} ${unit}`,
    `${peak.toFixed(2)} ${unit}`,
  ];
  table(
    ["", "mean", `busiest hour (${plan.peak} x)`],
    [
      ["deliveries a second", ...cells(capacity.deliveriesPerSecond, "")],
      ["cores of the service", ...cells(capacity.serverCores, "")],
      ["cores of PostgreSQL", ...cells(capacity.databaseCores, "")],
      ["write-ahead log", ...cells(capacity.logMbPerSecond, "MB/s")],
    ],
  );
  console.log(`
rows in the tables after ${plan.retentionDays} days: ${(capacity.rows / 1e6).toFixed(1)} million, ${gb(capacity.bytes)} with their indexes
write-ahead log of a day: ${gb(capacity.log)}
installations: ${capacity.installations}, each with ${capacity.processes} process${capacity.processes > 1 ? "es" : ""} and ${capacity.connections.own} connections to its PostgreSQL, or about ${capacity.connections.pooled} behind PgBouncer
partitions: none (docs/decisions/0058-rows-stay-where-they-are.md)
shards: ${capacity.installations === 1 ? "none" : `none for several installations; one on a cluster of Citus takes ${capacity.cluster.shards}, and about ${Math.ceil(capacity.cluster.cores)} cores for its nodes in the busiest hour (docs/citus.md)`}
`);
  for (const { title, needed, why } of stepsFor(capacity)) console.log(`${needed ? "[x]" : "[ ]"} ${title}: ${why}`);
}
