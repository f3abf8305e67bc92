import { setTimeout as sleep } from "node:timers/promises";
import { typeId } from "../../load/ids.ts";
import { startSmtpSink } from "../../sinks/smtp-sink.ts";
import type { Stage } from "../../stage/stage.ts";
import { type Acknowledged, EVENT } from "./traffic.ts";

export type Sink = Awaited<ReturnType<typeof countingSink>>;

/** A mail server that keeps when each recipient got a message, and when the last one came. */
export async function countingSink() {
  const taken = new Map<string, number[]>();
  const times = { last: performance.now() };
  const sink = await startSmtpSink((to, at) => {
    taken.set(to, [...(taken.get(to) ?? []), at]);
    times.last = at;
  });
  return { port: sink.port, taken, times, close: () => sink.close() };
}

/** How many of a kind were answered 2xx, how many of them are missing, and how many were made twice. */
export interface Judged {
  kind: string;
  acknowledged: number;
  lost: number;
  doubled: number;
}

/** Waits until every acknowledged email has arrived, at most `patienceMs`, and none has come for a second. */
export async function allSent(
  sink: Pick<Sink, "taken" | "times">,
  emails: Acknowledged["emails"],
  patienceMs: number,
): Promise<void> {
  const end = performance.now() + patienceMs;
  const missing = () => [...emails.keys()].some((email) => !sink.taken.has(email));
  while (missing() && performance.now() < end) await sleep(100);
  while (performance.now() - sink.times.last < 1_000) await sleep(100);
}

/** Compares what was answered 2xx with what the mail server and the database have. */
export async function judge(
  { db }: Pick<Stage, "db">,
  taken: Sink["taken"],
  { emails, inApp, events }: Acknowledged,
): Promise<Judged[]> {
  const queued = await db.query<{ id: string }>("select id from deliveries where channel = 'in_app'");
  const ids = new Set(queued.rows.map(({ id }) => typeId("dlv", id)));
  const recorded = await db.query<{ event_id: string }>(
    "select properties ->> 'event_id' as event_id from events where name = $1",
    [EVENT],
  );
  const eventIds = new Set(recorded.rows.map((row) => row.event_id));
  const missing = (wanted: { keys(): Iterable<string> }, found: { has(id: string): boolean }) =>
    [...wanted.keys()].filter((id) => !found.has(id)).length;
  return [
    {
      kind: "emails",
      acknowledged: emails.size,
      lost: missing(emails, taken),
      doubled: [...taken.values()].reduce((sum, times) => sum + times.length - 1, 0),
    },
    // Each call has a key of its own: more rows than answers are repeats that were made anew.
    { kind: "in-app messages", acknowledged: inApp.size, lost: missing(inApp, ids), doubled: missing(ids, inApp) },
    {
      kind: "events",
      acknowledged: events.size,
      lost: missing(events, eventIds),
      doubled: recorded.rows.length - eventIds.size,
    },
  ];
}
