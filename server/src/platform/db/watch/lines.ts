import type { Socket } from "node:net";
import type pg from "pg";

/** A connection exceeded a time limit, or the whole database is silent. The statement may or may not have been carried out. */
export class Silent extends Error {}

/** All connections of the pooler were lent to others for as long as a request may wait. Nothing of the transaction was carried out. */
export class NoneFree extends Error {}

/** The state of one open connection of a pool, for its watch. */
export interface Line {
  client: pg.PoolClient;
  /** The process id of its PostgreSQL backend. Undefined while a pooler has not lent one. */
  pid: number | undefined;
  /** How many statements wait for their answer. */
  under: number;
  /** Whether it is checked out of the pool. */
  out: boolean;
  /** Bytes sent and received at the last look: while they change, the connection is not silent. */
  moved: number;
  /** Turns of the watch without a byte, while an answer is outstanding. */
  waits: number;
  /** Turns of the watch without a byte, while it is checked out and no statement runs. */
  rests: number;
  /** After this many waiting turns, PostgreSQL is asked about the statement. */
  lookAt: number;
}

/** The socket of a client. The driver's types only know it as a stream. */
const socketOf = (client: pg.PoolClient) => (client as unknown as { connection: { stream: Socket } }).connection.stream;

export const lineOf = (client: pg.PoolClient, pid: number | undefined, lookAt: number): Line => ({
  client,
  pid,
  under: 0,
  out: true,
  moved: 0,
  waits: 0,
  rests: 0,
  lookAt,
});

/** Returns the bytes received so far. */
export const heardOf = (client: pg.PoolClient): number => socketOf(client).bytesRead;

/** Returns the bytes that were received and that have left this process so far. */
export function movedOf(client: pg.PoolClient): number {
  const { bytesRead, bytesWritten, writableLength } = socketOf(client);
  return bytesRead + bytesWritten - writableLength;
}

/** Destroys a connection, because `end` would wait for the other side. All statements on it fail with this error. */
export const cut = (client: pg.PoolClient, why: string, Why = Silent): void =>
  void socketOf(client).destroy(new Why(why));
