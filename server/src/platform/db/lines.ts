import type { Socket } from "node:net";
import type pg from "pg";

/** A limit on a database connection passed, or the database as a whole is silent. What was asked may or may not have happened. */
export class Silent extends Error {}

/** One open connection of a pool, as its watch sees it. */
export interface Line {
  client: pg.PoolClient;
  /** The backend behind it, by the number that PostgreSQL has for it. */
  pid: number;
  /** Statements whose answer is outstanding. */
  under: number;
  /** Whether somebody has it now. */
  out: boolean;
  /** Bytes that went and came, when it was last looked at: while they change it is not silent. */
  moved: number;
  /** Turns of the watch in which nothing moved: while an answer is outstanding, and while somebody has it and asks nothing. */
  waits: number;
  rests: number;
  /** At so many turns of waiting PostgreSQL is asked about it. */
  lookAt: number;
}

/** The socket below a client. The driver's types know no more of it than that it is a stream. */
const socketOf = (client: pg.PoolClient) => (client as unknown as { connection: { stream: Socket } }).connection.stream;

export const lineOf = (client: pg.PoolClient, pid: number, lookAt: number): Line => ({
  client,
  pid,
  under: 0,
  out: true,
  moved: 0,
  waits: 0,
  rests: 0,
  lookAt,
});

/** Bytes that came so far. */
export const heardOf = (client: pg.PoolClient): number => socketOf(client).bytesRead;

/** Bytes so far, of those that came and those that have left this process. */
export function movedOf(client: pg.PoolClient): number {
  const { bytesRead, bytesWritten, writableLength } = socketOf(client);
  return bytesRead + bytesWritten - writableLength;
}

/** Throws a connection away. Not by `end`, which waits for an answer of the other side. All that is asked on it ends with this error. */
export const cut = (client: pg.PoolClient, why: string): void => void socketOf(client).destroy(new Silent(why));
