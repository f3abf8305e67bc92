import pg from "pg";
import { Problem } from "../http/problem.ts";
import { NoneFree, Silent } from "./watch/lines.ts";

const code = (error: unknown): string | undefined => {
  const value = (error as { code?: unknown } | null)?.code;
  return typeof value === "string" ? value : undefined;
};

/**
 * Returns the name of the unique constraint that this error is about, or undefined. Citus puts the number of the shard behind it, and of a
 * shard on another node tells it in the message alone.
 */
export function violatedUnique(error: unknown): string | undefined {
  if (code(error) !== "23505") return undefined;
  const { constraint, message } = error as { constraint?: string; message?: string };
  return (constraint ?? /"([^"]+)"/.exec(message ?? "")?.[1])?.replace(/_\d{6,}$/, "");
}

/** Whether a row could not be deleted because another row refers to it, or refers to a row that does not exist. */
export const isReferenced = (error: unknown): boolean => code(error) === "23503";

/** Whether PostgreSQL ended the transaction because it and another one waited for each other. It had no effect: repeat it. */
export const isDeadlock = (error: unknown): boolean => code(error) === "40P01";

const DEADLOCKS = 5;

/**
 * Repeats a transaction that ends in a deadlock: of two that wait for each other, because they lock rows in another order or the shards of a
 * cluster, the database ends one without an effect.
 */
export async function withoutDeadlock<T>(transaction: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction();
    } catch (error) {
      if (!isDeadlock(error) || attempt === DEADLOCKS) throw error;
    }
  }
}

/** Whether PostgreSQL does not know a table, a column or a function, or must not write: a replica, before it has replayed a migration. */
export const isBehind = (error: unknown): boolean =>
  ["42P01", "42703", "42883", "25006"].includes(code(error) ?? "") ||
  (error instanceof Problem && code(error.cause) === "25006");

/** Whether a statement waited for a lock as long as it may. */
export const waitedForLock = (error: unknown): boolean => code(error) === "55P03";

/**
 * Whether the database failed and not the work: it ended one of two transactions that waited for each other, it is unreachable, or its disk is
 * full. The same work may succeed later. A statement that took too long is not such a fault, because it may take as long again.
 */
export const isPassing = (error: unknown): boolean =>
  isDeadlock(error) ||
  waitedForLock(error) ||
  code(error) === "40001" ||
  (error instanceof Problem && error.code === "unavailable" && !tookTooLong(error));

/**
 * Whether PostgreSQL refused the statement itself (bad data, a constraint, a deadlock), so that its transaction surely had no effect.
 * A lost connection is not one: its commit may have happened.
 */
export function isRefusal(error: unknown): boolean {
  const state = code(error);
  return state !== undefined && /^(22|23|40|42)/.test(state);
}

/** A node of a cluster refused a statement, and the transaction was not committed before: it had no effect. */
export class NodeAway extends Problem {}

/** Whether the transaction of this error surely had no effect, so that its parts may be tried one by one. */
export const hadNoEffect = (error: unknown): boolean => isRefusal(error) || error instanceof NodeAway;

/** A node that takes longer to fail is silent. The parts of a transaction are not tried one by one there, because each would take as long. */
const AT_ONCE_MS = 1_000;

/** Whether the coordinator of a cluster answers that another node refused or did not answer. Its own connection is as good as before. */
export const isOfNode = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.severity === "ERROR" && /^08/.test(error.code ?? "");

/**
 * Turns what the coordinator answers where another node refuses into `NodeAway`; returns any other error unchanged.
 * @param since when the work began, by `performance.now()`
 */
export const fromNode = (error: unknown, since: number): unknown =>
  isOfNode(error) && performance.now() - since < AT_ONCE_MS
    ? new NodeAway("unavailable", NOT_NOW, { ...SOON, cause: error })
    : error;

/** Whether PostgreSQL ended a statement because of its time limit. */
export const tookTooLong = (error: unknown): boolean => error instanceof Problem && code(error.cause) === "57014";

const NOT_NOW = "The database does not answer just now. Repeat the request after a second.";
const SOON = { headers: { "retry-after": "1" } };

const GONE = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "ENOENT",
  "25P03",
  "57P01",
  "57P02",
  "57P03",
  "57P05",
  "57014",
]);

/** Whether PostgreSQL can't write: its disk is full or broken, or it is a standby that took over the name of a dead primary. */
export const lacksRoom = (error: unknown): boolean => ["53100", "58030", "25006"].includes(code(error) ?? "");

/** Turns an error of an unreachable or overloaded database into a 503 with Retry-After; returns any other error unchanged. */
export function translated(error: unknown): unknown {
  const state = code(error);
  const message = error instanceof Error ? error.message : "";
  const lost =
    error instanceof Silent ||
    error instanceof NoneFree ||
    // The last one is of a process that stops: a request whose client went away is not waited for, and may still run.
    /Connection terminated|timeout exceeded when trying to connect|not queryable|Client has encountered a connection error|Query read timeout|calling end on the pool/.test(
      message,
    );
  if (lacksRoom(error)) {
    return new Problem(
      "unavailable",
      "The database can't write just now. Nothing was stored; repeat the request later.",
      {
        headers: { "retry-after": "5" },
        cause: error,
      },
    );
  }
  // Class 08: connection errors. Class 53: too few resources, such as memory or connections.
  if (lost || (state !== undefined && (GONE.has(state) || /^(08|53)/.test(state)))) {
    return new Problem("unavailable", NOT_NOW, { ...SOON, cause: error });
  }
  return error;
}
