import { execFileSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { callApi } from "../stage/api.ts";
import { AT_ONCE, type PublishTimes, publish } from "../load/publish.ts";
import { median, percentile, reached, table, type TargetResult } from "../report/report.ts";
import { personId, typeId } from "../load/ids.ts";
import { post } from "../load/requests.ts";
import { seedPeople } from "../stage/seed.ts";
import type { Server } from "../stage/service.ts";
import { onStage, type Stage, type StageOptions } from "../stage/stage.ts";
import { openStreams, type Streams } from "../load/streams.ts";

/** Measures the memory of open event streams against a bare SSE server, and the time from a publishing request to its event. */
export async function stream(smoke: boolean, options: StageOptions): Promise<TargetResult[]> {
  const count = smoke ? 200 : 10_000;
  const sends = smoke ? { alone: 20, atOnce: 50 } : { alone: 300, atOnce: 1_000 };
  allowFiles(count);
  return onStage({ ...options, roles: "api", settings: { track_commit_timestamp: "on" } }, async (stage) => {
    await seedPeople(stage, count);
    const floor = await stage.floor("stream");
    const bare = await memory(floor, (n, from) => openPlain(floor.port, n, from), count);
    const ofBare = await publish(floor.port, bare.streams, plainRequest, sends);
    bare.streams.close();
    await floor.stop();
    const ofNchan = await nchan(stage, count, sends);

    const { service } = stage;
    const path = (n: number) => `/data-gateway/v1/in-app/messages/stream?person_id=${personId(n)}`;
    const ours = await memory(
      service,
      (n, from) => openStreams(service.port, n, (i) => path(i + from), stage.publicKey),
      count,
    );
    const { id } = await callApi<{ id: string }>(stage, "/api/v1/in-app-messages", MESSAGE);
    const ofOurs = await publish(
      service.port,
      ours.streams,
      (n) =>
        post(`/api/v1/in-app-messages/${id}/test-sends`, stage.secretKey, JSON.stringify({ person_id: personId(n) })),
      sends,
    );
    const fromCommit = await sinceCommit(stage, ofOurs);
    ours.streams.close();

    const kib = (bytes: number) => (bytes / 1024).toFixed(1);
    console.log(`${count} open streams in one process, each of another person\n`);
    table(
      ["", "memory a stream, KiB", "RSS before, MiB", "RSS with all, MiB"],
      [
        ["bare Node, SSE", kib(bare.each), kib(bare.before / 1024), kib(bare.after / 1024)],
        ["Tidings", kib(ours.each), kib(ours.before / 1024), kib(ours.after / 1024)],
      ],
    );
    console.log(`\nFrom a publishing request's first byte to the event, ms, while ${count} streams are open:`);
    console.log(`${sends.alone} requests one at a time, then ${sends.atOnce}, ${AT_ONCE} at once\n`);
    const columns = (values: number[]) => [median(values).toFixed(2), percentile(values, 0.99).toFixed(2)];
    const row = (name: string, heard: PublishTimes) => [name, ...columns(heard.alone), ...columns(heard.atOnce)];
    table(
      ["", "one p50", "one p99", `${AT_ONCE} p50`, `${AT_ONCE} p99`],
      [
        row("bare Node, nothing stored", ofBare),
        ofNchan ? row("nginx with nchan, nothing stored", ofNchan) : ["nginx with nchan", ...Array(4).fill(MISSING)],
        row("Tidings, committed to PostgreSQL", ofOurs),
        ["of it: commit to event", "", "", ...columns(fromCommit)],
        ["of it: 202 to event (0: the event was first)", "", "", ...columns(since202(ofOurs))],
      ],
    );
    return [
      reached("memory a stream, ours / bare", ours.each / bare.each, ["<=", 1.5], "x"),
      reached("p99, commit to event", percentile(fromCommit, 0.99), ["<", 100], "ms"),
    ];
  });
}

const MISSING = "not installed";

const openPlain = (port: number, count: number, from = 0) =>
  openStreams(port, count, (n) => `/stream?person_id=${personId(from + n)}`, "");

const plainRequest = (n: number): string =>
  post(
    `/publish?person_id=${personId(n)}`,
    "none",
    JSON.stringify({ delivery_id: String(n), ts: new Date().toISOString() }),
  );

async function nchan(
  stage: Stage,
  count: number,
  sends: Parameters<typeof publish>[3],
): Promise<PublishTimes | undefined> {
  const nginx = await stage.nchan(count);
  if (!nginx) {
    console.log(
      "NOT INSTALLED: nginx with nchan, so its row is missing (apt-get install nginx-light libnginx-mod-nchan)\n",
    );
    return undefined;
  }
  const streams = await openPlain(nginx.port, count);
  const heard = await publish(nginx.port, streams, plainRequest, sends);
  streams.close();
  await nginx.stop();
  return heard;
}

const MESSAGE = {
  name: "Hello",
  render_type: "modal",
  title: "Hi {{person.first_name}}",
  body: "There is something new for you.",
  image_url: null,
  cta: { label: "Open", action: "deep_link", value: "app://news" },
  priority: 50,
  expiry: null,
  screens: { include: [], exclude: [] },
  quiet_hours: null,
  persistence: { mode: "one_time" },
};

/** Each stream is a file descriptor on both sides. @throws Error that says what to do if the limit is too low */
function allowFiles(count: number): void {
  if (process.platform === "win32") return;
  const limit = execFileSync("sh", ["-c", "ulimit -n"], { encoding: "utf8" }).trim();
  if (limit !== "unlimited" && Number(limit) < count + 200)
    throw new Error(
      `${count} streams need as many open files, the limit is ${limit}: run "ulimit -n ${count + 1000}" first`,
    );
}

/** A first hundred streams warm the server up: the code that they compile is not memory of the measured streams. */
async function memory(server: Server, open: (n: number, from: number) => Promise<Streams>, count: number) {
  const warm = await open(100, count);
  warm.close();
  await sleep(500);
  const before = (await server.ask<{ rss: number }>("memory")).rss;
  const streams = await open(count, 0);
  await sleep(500);
  const after = (await server.ask<{ rss: number }>("memory")).rss;
  return { streams, before, after, each: (after - before) / count };
}

/** A delivery is queued when its transaction commits, before its 202. Only PostgreSQL knows this moment exactly. */
async function sinceCommit({ db }: Stage, { events }: PublishTimes): Promise<number[]> {
  const wall = Date.now() - performance.now();
  const { rows } = await db.query<{ id: string; ms: number }>(
    "select id, (extract(epoch from pg_xact_commit_timestamp(xmin)) * 1000)::float8 as ms from deliveries",
  );
  const committed = new Map(rows.map((row) => [typeId("dlv", row.id), row.ms]));
  return events.map(({ at, deliveryId }) => wall + at - (committed.get(deliveryId) ?? Number.NaN));
}

const since202 = ({ events }: PublishTimes): number[] => events.map(({ at, answered }) => Math.max(0, at - answered));
