import { finished } from "node:stream/promises";
import pg from "pg";
import { from as copyFrom, to as copyTo } from "pg-copy-streams";
import { type Load, startLoad } from "../load/load.ts";
import { median, reached, table, type TargetResult } from "../report/report.ts";
import { CONNECTIONS, EVENTS, type Measured, sendEvents } from "../stage/events.ts";
import { seedPeople } from "../stage/seed.ts";
import { onStage, type Stage, type StageOptions } from "../stage/stage.ts";

const COLUMNS = "person_key, id, workspace_id, name, properties, ts, received_at";

type Who = "floor" | "ours" | "withIds";

/**
 * Measures events a second through POST /data-gateway/v1/batch with 100 events each, of known people, against one COPY of the
 * same rows into the same table with its indexes. COPY gets finished rows, and uses neither HTTP, JSON nor people:
 * the service checks each event, creates its id, and looks up its person and erased people. An event with an `event_id`, as our packages
 * send all, is looked up too, so that a repeat counts once.
 */
export async function track(smoke: boolean, options: StageOptions): Promise<TargetResult[]> {
  const people = smoke ? 1_000 : 50_000;
  return onStage({ ...options, roles: "api" }, async (stage) => {
    await seedPeople(stage, people);
    const load = await startLoad();
    const copier = await copying(stage.url);
    try {
      const found: Record<Who, Measured>[] = [];
      for (let round = -1; round < (smoke ? 1 : 6); round++) {
        const seconds = smoke ? 0.5 : round < 0 ? 3 : 5;
        const measured = await oneRound(stage, load, copier, { people, seconds, seed: 100 + round });
        if (round >= 0) found.push(measured);
      }
      console.log(`${people} known people, ${EVENTS} events a request, ${CONNECTIONS} connections\n`);
      const middle = (who: Who, key: keyof Measured) => median(found.map((round) => round[who][key]));
      const row = (name: string, who: Who) => [
        name,
        middle(who, "perSecond").toFixed(0),
        who === "floor" ? "" : middle(who, "p99").toFixed(1),
        middle(who, "cpu").toFixed(1),
        middle(who, "databaseCpu").toFixed(1),
      ];
      table(
        ["", "events/s", "p99 ms of a request", "server us", "database us"],
        [
          row("COPY of the same rows", "floor"),
          row("Tidings, POST .../batch", "ours"),
          row("with an event_id each", "withIds"),
        ],
      );
      const ratio = (who: Who) => median(found.map((round) => round[who].perSecond / round.floor.perSecond));
      return [
        reached("events/s, ours / COPY", ratio("ours"), [">=", 0.3], "x"),
        reached("events/s, ours with an event_id each / COPY", ratio("withIds"), [">=", 0.3], "x"),
      ];
    } finally {
      await copier.end();
      await load.stop();
    }
  });
}

interface Round {
  people: number;
  seconds: number;
  seed: number;
}

/** Measures the service for some seconds, and then a COPY of the rows that it wrote, with other ids. */
async function oneRound(stage: Stage, load: Load, copier: pg.Client, round: Round): Promise<Record<Who, Measured>> {
  const withIds = await send(stage, load, { ...round, eventIds: true });
  const ours = await send(stage, load, { ...round, eventIds: false });
  const copied = await copyIn(stage, copier, await rowsSince(copier, ours.since));
  const each = (ms: number) => (ms * 1_000) / ours.events;
  const floor = {
    perSecond: ours.events / copied.seconds,
    p99: Number.NaN,
    cpu: each(copied.cpu),
    databaseCpu: each(copied.databaseCpu),
  };
  return { floor, ours: ours.measured, withIds: withIds.measured };
}

/** Sends events for some seconds and checks that all are stored. Returns since when, too. */
async function send(stage: Stage, load: Load, sending: Round & { eventIds: boolean }) {
  const start = await recorded(stage);
  const { events, measured } = await sendEvents(stage, load, sending);
  // A batch is always answered 200: only the table shows what became of its items.
  const stored = (await recorded(stage)).known - start.known;
  if (stored !== events) throw new Error(`${stored} events in the table of ${events} sent`);
  return { since: start.now, events, measured };
}

async function recorded({ db }: Stage): Promise<{ now: Date; known: number }> {
  const { rows } = await db.query("select clock_timestamp() as now, (select count(*)::int from events) as known");
  return rows[0];
}

async function copying(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

/** Returns the rows of a round as COPY reads them, with new ids. */
async function rowsSince(client: pg.Client, since: Date): Promise<Buffer[]> {
  const others = COLUMNS.replace(" id,", " gen_random_uuid(),");
  const stream = client.query(
    copyTo(`copy (select ${others} from events where received_at >= '${since.toISOString()}') to stdout`),
  );
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return chunks;
}

/** Runs one COPY and commits it. */
async function copyIn(stage: Stage, client: pg.Client, rows: Buffer[]) {
  const [cpuBefore, databaseBefore] = [process.cpuUsage(), stage.databaseCpu()];
  const since = performance.now();
  const stream = client.query(copyFrom(`copy events (${COLUMNS}) from stdin`));
  for (const chunk of rows) {
    if (!stream.write(chunk)) await new Promise<void>((resolve) => stream.once("drain", () => resolve()));
  }
  stream.end();
  await finished(stream);
  const seconds = (performance.now() - since) / 1_000;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { seconds, cpu: (user + system) / 1_000, databaseCpu: stage.databaseCpu() - databaseBefore };
}
