import type { Log } from "../log.ts";
import { isBehind, isPassing } from "./errors.ts";
import { type Db, type Queries, sql } from "./sql.ts";

const LOOK_MS = 1_000;

/** A read replica, and how far it is behind. */
export interface Replica {
  /** How old the state is that it shows for sure, in ms. It grows while the replica does not answer. */
  lagMs(): number;
  /** Whether statements go to it: it answers, and is not too far behind. */
  isUsed(): boolean;
  /** Returns a database whose statements go to `replica` while it is used, and otherwise, or if one fails there, to `primary`. */
  before(primary: Db, replica: Db): Db;
  stop(): void;
}

export interface ReplicaOptions {
  primary: Queries;
  replica: Queries;
  mostLagMs: number;
  log: Log;
  /** Counts a statement by where it was answered. */
  count(from: "replica" | "primary"): void;
}

interface Mark {
  at: number;
  position: number;
}

/**
 * Follows how far a replica is behind. Each second it notes the end of the primary's log, and asks the replica how far it has replayed: so
 * the replica is at most as old as the newest note that it has passed. Its own clock and its last transaction tell less: both look
 * well if the connection between the two is lost.
 */
export function followReplica({ primary, replica, mostLagMs, log, count }: ReplicaOptions): Replica {
  let marks: Mark[] = [];
  let passedAt = performance.now();
  // Not used until a look has found it well.
  let doubted = true;
  let told: boolean | undefined;
  const lagMs = () => performance.now() - passedAt;
  const isUsed = () => !doubted && lagMs() <= mostLagMs;

  async function look(): Promise<void> {
    const at = performance.now();
    const position = await positionsOf(primary, replica, (end) => marks.push({ at, position: end }));
    const passed = marks.findLast((mark) => mark.position <= position);
    if (passed === undefined) return;
    passedAt = passed.at;
    doubted = false;
    marks = marks.filter((mark) => mark.at > passed.at || mark === passed);
  }

  let looking = false;
  async function lookAndTell(): Promise<void> {
    if (looking) return;
    looking = true;
    let why = "it is too far behind";
    let failed = false;
    try {
      await look();
    } catch (error) {
      doubted = failed = true;
      why = (error as Error).message;
    } finally {
      looking = false;
    }
    // While it stands still, only the oldest notes matter.
    if (marks.length > 600) marks = marks.filter((_, i) => i % 2 === 0);
    const used = isUsed();
    // At the start it may need a moment to be known, which is no news; a wrong address is.
    if (used === told || (told === undefined && !used && !failed)) return;
    log[used ? "info" : "warn"]({ lag_ms: Math.round(lagMs()), ...(!used && { err: why }) }, used ? USED : NOT_USED);
    told = used;
  }

  const timer = setInterval(() => void lookAndTell(), LOOK_MS).unref();
  void lookAndTell();
  return {
    lagMs,
    isUsed,
    before: (primary, replica) => before(primary, replica, { isUsed, count, doubt: () => (doubted = true) }),
    stop: () => clearInterval(timer),
  };
}

/** Tells `ended` the end of the primary's log, and returns the position that the replica has replayed. @throws if it is no standby. */
async function positionsOf(primary: Queries, replica: Queries, ended: (position: number) => void): Promise<number> {
  const [end] = await primary.query<{ position: number; system: string }>(sql`
    select pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::int8 as position, system_identifier::text as system
    from pg_control_system()`);
  if (end) ended(end.position);
  const [there] = await replica.query<{ position: number | null; system: string }>(sql`
    select pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::int8 as position, system_identifier::text as system
    from pg_control_system() where pg_is_in_recovery()`);
  const position = there?.system === end?.system ? there?.position : undefined;
  if (position === undefined || position === null) throw new Error("it is no standby of this primary");
  return position;
}

/** Puts a replica before its primary. `doubt` ends its use until the next look. */
function before(
  primary: Db,
  replica: Db,
  { isUsed, count, doubt }: Pick<Replica, "isUsed"> & Pick<ReplicaOptions, "count"> & { doubt: () => void },
): Db {
  async function ask<T>(question: (db: Db) => Promise<T>): Promise<T> {
    if (isUsed()) {
      try {
        const answer = await question(replica);
        count("replica");
        return answer;
      } catch (error) {
        if (isPassing(error)) doubt();
        else if (!isBehind(error)) throw error;
      }
    }
    count("primary");
    return question(primary);
  }
  return {
    ...primary,
    query: (statement) => ask((db) => db.query(statement)),
    execute: (statement) => ask((db) => db.execute(statement)),
    transaction: (work) => ask((db) => db.transaction(work)),
  };
}

const USED = "the read replica answers exports and queries over many rows";
const NOT_USED = "the read replica is not used: the primary answers";
