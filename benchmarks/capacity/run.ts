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
  const peak = ({ mean, peak }: { mean: number; peak: number }, unit: string) => [
    `${mean.toFixed(2)} ${unit}`,
    `${peak.toFixed(2)} ${unit}`,
  ];
  table(
    ["", "mean", `busiest hour (${plan.peak} x)`],
    [
      [
        "deliveries a second",
        ...peak({ mean: plan.deliveriesPerDay / 86_400, peak: (plan.deliveriesPerDay * plan.peak) / 86_400 }, ""),
      ],
      ["cores of the service", ...peak(capacity.serverCores, "")],
      ["cores of PostgreSQL", ...peak(capacity.databaseCores, "")],
      ["write-ahead log", ...peak(capacity.logMbPerSecond, "MB/s")],
    ],
  );
  console.log(`
rows in the tables after ${plan.retentionDays} days: ${(capacity.rows / 1e6).toFixed(1)} million, ${gb(capacity.bytes)} with their indexes
write-ahead log of a day: ${gb(capacity.log)}
processes: ${capacity.processes}; connections to PostgreSQL: ${capacity.connections.own}, or about ${capacity.connections.pooled} behind PgBouncer
partitions: none (docs/decisions/0058-rows-stay-where-they-are.md)
`);
  for (const { title, needed, why } of stepsFor(capacity)) console.log(`${needed ? "[x]" : "[ ]"} ${title}: ${why}`);
}
