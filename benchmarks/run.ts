import { cpus, totalmem } from "node:os";
import { parseArgs } from "node:util";
import { audience } from "./suites/audience.ts";
import { beside } from "./suites/beside.ts";
import { dashboard } from "./suites/dashboard/dashboard.ts";
import { bytes } from "./suites/capacity/bytes.ts";
import { capacity } from "./suites/capacity/capacity.ts";
import { crowded } from "./suites/crowded.ts";
import { entry } from "./suites/campaigns/entry.ts";
import { fanout } from "./suites/fanout.ts";
import { interactions } from "./suites/interactions.ts";
import { journeys } from "./suites/campaigns/journeys.ts";
import { latency } from "./suites/latency.ts";
import { lists } from "./suites/lists.ts";
import { mailBroadcast } from "./suites/mail-broadcast.ts";
import { type TargetResult, targetTable } from "./report/report.ts";
import { rolling } from "./suites/rolling/rolling.ts";
import { send } from "./suites/send.ts";
import { sendMemory } from "./suites/send-memory.ts";
import type { StageOptions } from "./stage/stage.ts";
import { stream } from "./suites/stream.ts";
import { streamOut } from "./suites/stream-out.ts";
import { sweep } from "./suites/campaigns/sweep.ts";
import { sync } from "./suites/sync.ts";
import { track } from "./suites/track.ts";
import { trigger } from "./suites/trigger.ts";
import { waiting } from "./suites/campaigns/waiting.ts";

const benchmarks: Record<string, (smoke: boolean, options: StageOptions) => Promise<TargetResult[]>> = {
  sync,
  crowded,
  beside,
  trigger,
  latency,
  stream,
  interactions,
  track,
  send,
  "send-memory": sendMemory,
  "mail-broadcast": mailBroadcast,
  audience,
  lists,
  fanout,
  journeys,
  waiting,
  entry,
  sweep,
  "stream-out": streamOut,
  rolling,
  bytes,
  capacity,
  dashboard,
};

const USAGE = `npm run bench -- NAME [--smoke] [--profile FOLDER] [--within TIMES] [--cluster URL]
  NAME       ${Object.keys(benchmarks).join(", ")} or all
  --smoke    small numbers, seconds: shows that everything works, its figures mean nothing
  --profile  a CPU profile of the service under test, for Chrome's DevTools
  --cluster  measures on a cluster of Citus on this machine, by the address of its coordinator
  --within   fails if a figure is so many times worse than its target`;

const { values, positionals } = given();
const { smoke, profile, cluster } = values;
const within = values.within === undefined ? undefined : Number(values.within);
const [name = ""] = positionals;
// By their names only: these take a quarter of an hour and more, and the dashboard needs Chromium.
const LONG = ["send-memory", "capacity"];
const inAll = Object.keys(benchmarks).filter((one) => one !== "dashboard" && (smoke || !LONG.includes(one)));
const chosen = name === "all" ? inAll : [name];
if (!chosen.every((one) => one in benchmarks)) {
  console.error(USAGE);
  process.exit(2);
}

console.log(
  `${cpus().length} x ${cpus()[0]?.model}, ${(totalmem() / 2 ** 30).toFixed(0)} GiB, Node ${process.versions.node}; server, PostgreSQL and load share them`,
);
for (const one of chosen) {
  console.log(`\n## ${one}${smoke ? ` (smoke: ${within ? "small numbers" : "the figures mean nothing"})` : ""}\n`);
  const results = await (benchmarks[one] as (typeof benchmarks)[string])(smoke, {
    serviceArgv: profile ? ["--cpu-prof", `--cpu-prof-dir=${profile}`] : [],
    cluster,
  });
  targetTable(results);
  for (const { what, worse } of results) {
    if (within === undefined || worse <= within) continue;
    console.error(`${what} is ${worse.toFixed(1)} times worse than its target; ${within} times are allowed`);
    process.exitCode = 1;
  }
}

/** Returns what the command line says, or ends with the usage. */
function given() {
  const options = {
    smoke: { type: "boolean", default: false },
    profile: { type: "string" },
    within: { type: "string" },
    cluster: { type: "string" },
  } as const;
  try {
    return parseArgs({ allowPositionals: true, options });
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    process.exit(2);
  }
}
