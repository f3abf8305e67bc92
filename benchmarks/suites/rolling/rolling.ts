import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { providerOn } from "../../load/emails.ts";
import { personId } from "../../load/ids.ts";
import { type ReturningStreams, returningStreams } from "../../load/returning-streams.ts";
import { type NatsServer, startNats } from "../../processes/nats.ts";
import { freePort } from "../../processes/ports.ts";
import { percentile, reached, table, type TargetResult } from "../../report/report.ts";
import { callApi } from "../../stage/api.ts";
import { seedPeople } from "../../stage/seed.ts";
import { type Keys, serve, type Server } from "../../stage/service.ts";
import { onStage, type Stage, type StageOptions } from "../../stage/stage.ts";
import { allSent, countingSink, judge, type Sink } from "./oracle.ts";
import { startTraffic, type Traffic } from "./traffic.ts";

const NODES = 3;
/** A killed process's deliveries are sent by another one after their lease of 60 s. */
const LEASES_MS = 150_000;
const MESSAGE = { name: "Hello", render_type: "modal", body: "There is something new for you." };

/** The restart of one node. */
interface Restart {
  how: string;
  /** From the signal to the end of the process. */
  endedMs: number;
  /** From the start of the next process until it is ready. */
  startedMs: number;
  /** From the signal until all streams are open. */
  backMs: number;
}

/**
 * Three processes over one database, behind clients that try once more at another process: each is restarted as by a deploy, then one is
 * killed, under a mixed load. Counts the requests that failed, and what was lost or made twice.
 */
export async function rolling(smoke: boolean, options: StageOptions): Promise<TargetResult[]> {
  const streams = smoke ? 60 : 3_000;
  // The first process keeps the database and gets no requests.
  return onStage({ ...options, roles: "api" }, async (stage) => {
    await seedPeople(stage, streams);
    const nats = await startNats();
    const sink = await countingSink();
    const cluster = await startCluster(stage, nats?.url);
    const { id: messageId } = await callApi<{ id: string }>(stage, "/api/v1/in-app-messages", MESSAGE);
    await callApi(stage, "/api/v1/providers", providerOn(sink.port));
    const traffic = startTraffic({ ...cluster, keys: stage, people: streams, messageId, pauseMs: smoke ? 20 : 5 });
    const open = openAll(cluster.ports, stage, streams, traffic);
    try {
      await until(() => open.open() === streams, "the opening of all streams");
      const restarts = [];
      for (let node = 0; node < NODES; node++) {
        restarts.push(await restart(cluster, node, "SIGTERM", () => open.open() === streams));
        await sleep(1_000);
      }
      const killed = await restart(cluster, 0, "SIGKILL", () => open.open() === streams);
      await sleep(1_000);
      const without = nats && (await withoutNats(nats, smoke ? 2_000 : 60_000, traffic));
      await traffic.stop();
      // The small run does not wait for the leases of the killed process: nobody else works any more when it ends them.
      if (smoke) await endLeases(stage, sink);
      await allSent(sink, traffic.acknowledged.emails, LEASES_MS);
      return await report({ streams, without, restarts, killed }, { stage, sink, traffic });
    } finally {
      open.close();
      await traffic.stop();
      await cluster.stop();
      sink.close();
      nats?.kill();
    }
  });
}

interface Found {
  streams: number;
  without: WithoutNats | undefined;
  restarts: Restart[];
  killed: Restart;
}

interface Cluster {
  ports: number[];
  nodes: Server[];
  /** Starts a node again, on its port. */
  start(node: number): Promise<void>;
  stop(): Promise<void>;
}

async function startCluster(stage: Stage, natsUrl: string | undefined): Promise<Cluster> {
  const ports = await Promise.all(Array.from({ length: NODES }, freePort));
  const env = {
    DATABASE_URL: stage.url,
    ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    ...(natsUrl !== undefined && { NATS_URL: natsUrl }),
  };
  const nodes = await Promise.all(ports.map((port) => serve(port, env)));
  return {
    ports,
    nodes,
    async start(node) {
      nodes[node] = await serve(ports[node] as number, env);
    },
    async stop() {
      await Promise.all(nodes.map((node) => node.stop()));
    },
  };
}

/** Each stream syncs when it opens and at each event, as an application does; the sync counts as one of the calls. */
function openAll(ports: number[], { publicKey }: Keys, count: number, { client }: Traffic): ReturningStreams {
  const path = "/data-gateway/v1/in-app/messages";
  return returningStreams({
    ports,
    count,
    path: (n) => `${path}/stream?person_id=${personId(n)}&api_key=${publicKey}`,
    hint: (n) =>
      void client.call({ method: "GET", path: `${path}/sync?limit=3&person_id=${personId(n)}`, key: publicKey }),
  });
}

async function restart(
  cluster: Cluster,
  node: number,
  how: "SIGTERM" | "SIGKILL",
  allOpen: () => boolean,
): Promise<Restart> {
  const server = cluster.nodes[node] as Server;
  const begun = performance.now();
  await (how === "SIGTERM" ? server.stop() : server.kill());
  const endedMs = performance.now() - begun;
  const back = until(allOpen, "the return of all streams").then(() => performance.now() - begun);
  const starting = performance.now();
  await cluster.start(node);
  const startedMs = performance.now() - starting;
  return { how: `node ${node}, ${how}`, endedMs, startedMs, backMs: await back };
}

/** What was answered 2xx while no NATS server ran, and for how long that was. */
interface WithoutNats {
  seconds: number;
  /** Recipients of emails with the time of their answer. */
  emails: Map<string, number>;
  failures: number;
}

async function withoutNats(nats: NatsServer, ms: number, { acknowledged, client }: Traffic): Promise<WithoutNats> {
  const failures = client.counts.failures.size;
  const [begun, before] = [performance.now(), new Set(acknowledged.emails.keys())];
  nats.kill();
  await sleep(ms);
  await nats.again();
  const seconds = (performance.now() - begun) / 1_000;
  const emails = new Map([...acknowledged.emails].filter(([to]) => !before.has(to)));
  await sleep(1_000);
  return { seconds, emails, failures: client.counts.failures.size - failures };
}

function withoutText({ seconds, emails, failures }: WithoutNats, taken: Sink["taken"]): string {
  const late = [...emails].flatMap(([to, at]) => (taken.get(to) ?? []).slice(0, 1).map((sent) => sent - at));
  const [typical, most] = [percentile(late, 0.5), Math.max(...late)].map((ms) => Math.max(0, ms).toFixed(0));
  return `\nWithout NATS for ${seconds.toFixed(0)} s: ${emails.size} emails, sent ${typical} ms after their 202 (median; ${most} at most), ${failures} kinds of failures`;
}

/** Ends the leases of the killed process, once the living ones have nothing left to send. */
async function endLeases({ db }: Stage, { times }: Pick<Sink, "times">): Promise<void> {
  while (performance.now() - times.last < 1_000) await sleep(100);
  await db.query("update deliveries set due_at = now() where lease_id is not null");
}

async function report(
  { streams, without, restarts, killed }: Found,
  { stage, sink, traffic }: { stage: Stage; sink: Sink; traffic: Traffic },
): Promise<TargetResult[]> {
  const { calls, retries, failures } = traffic.client.counts;
  const sum = (counts: Map<string, number>) => [...counts.values()].reduce((all, one) => all + one, 0);
  const all = [...restarts, killed];
  const seconds = (ms: number) => (ms / 1_000).toFixed(1);
  console.log(
    `${NODES} processes, ${streams} streams, signals over ${without ? "NATS" : "LISTEN/NOTIFY"}: each is restarted, then one is killed\n`,
  );
  table(
    ["", "ended, s", "ready again, s", "all streams back, s"],
    all.map(({ how, endedMs, startedMs, backMs }) => [how, seconds(endedMs), seconds(startedMs), seconds(backMs)]),
  );
  if (without) console.log(withoutText(without, sink.taken));
  const judged = await judge(stage, sink.taken, traffic.acknowledged);
  console.log(`\n${calls} calls, ${sum(retries)} of them repeated at another process, ${sum(failures)} failed\n`);
  table(
    ["", "answered 2xx", "lost", "made twice"],
    judged.map(({ kind, acknowledged, lost, doubled }) => [kind, ...[acknowledged, lost, doubled].map(String)]),
  );
  for (const [why, times] of [...retries, ...failures]) console.log(`\n${times} x ${why}`);
  const lost = judged.reduce((found, { lost }) => found + lost, 0);
  // One killed process has at most 8 hand-offs over SMTP, and each may be made once more (docs/operations.md, "At most once").
  const doubled = judged.reduce(
    (found, { kind, doubled }) => found + Math.max(0, doubled - (kind === "emails" ? 8 : 0)),
    0,
  );
  if (lost + doubled + sum(failures) > 0)
    throw new Error(`${sum(failures)} calls failed, ${lost} were lost and ${doubled} made twice beyond the promise`);
  return [
    reached(
      "all streams back, worst of the restarts",
      Math.max(...restarts.map((one) => one.backMs)) / 1_000,
      ["<=", 10],
      "s",
    ),
    reached("all streams back, one killed", killed.backMs / 1_000, ["<=", 10], "s"),
  ];
}

async function until(done: () => boolean, what: string): Promise<void> {
  for (const end = performance.now() + 120_000; !done(); await sleep(10))
    if (performance.now() > end) throw new Error(`waited in vain for ${what}`);
}
