import type { Load } from "../load/load.ts";
import { cpuOf } from "../processes/cpu.ts";
import type { Stage } from "./stage.ts";

/** Events of a request. */
export const EVENTS = 100;
export const CONNECTIONS = 16;

export interface Measured {
  perSecond: number;
  /** Milliseconds of a request. */
  p99: number;
  /** Microseconds of CPU for each event, of the server and of PostgreSQL. */
  cpu: number;
  databaseCpu: number;
}

interface Sending {
  people: number;
  seconds: number;
  seed: number;
  /** Whether each event has an `event_id`. */
  eventIds?: boolean;
}

/** Sends events through POST /data-gateway/v1/batch for some seconds. Returns how many were sent, and what they took. */
export async function sendEvents(
  { service, secretKey, databaseCpu }: Stage,
  load: Load,
  { people, seconds, seed, eventIds = false }: Sending,
): Promise<{ events: number; measured: Measured }> {
  const requests = { kind: "batch" as const, key: secretKey, people, events: EVENTS, eventIds };
  const before = [cpuOf(service.pid), databaseCpu()] as const;
  const done = await load.run({ port: service.port, expect: 200, requests, connections: CONNECTIONS, seconds, seed });
  const events = done.requests * EVENTS;
  const each = (ms: number) => (ms * 1_000) / events;
  const measured = {
    perSecond: done.perSecond * EVENTS,
    p99: done.p99,
    cpu: each(cpuOf(service.pid) - before[0]),
    databaseCpu: each(databaseCpu() - before[1]),
  };
  return { events, measured };
}
