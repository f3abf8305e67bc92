/** What PostgreSQL enforces for the statements of one pool. */
export interface Limits {
  statementTimeoutMs: number;
  plansAnew: boolean;
}

/** The locks of a transaction with a silent client are released after this: a client that lives and runs no statement tells so (watch.ts). */
const RESTING = "5s";

/** Limits of a connection, whatever happens to this process. An answer that can't be delivered ends the connection. */
const CONNECTION = {
  idle_session_timeout: "10min",
  tcp_user_timeout: "10s",
  tcp_keepalives_idle: "5s",
  tcp_keepalives_interval: "2s",
  tcp_keepalives_count: "3",
};

/**
 * The settings under which statements run. Without `jit: off` PostgreSQL compiles a statement that it expects to be dear. That took longer than to run
 * it for counts of audiences; and on a coordinator of Citus, which knows little about its shards, some tests took 7 times as long.
 */
const ofStatements = ({ statementTimeoutMs, plansAnew }: Limits) => ({
  jit: "off",
  idle_in_transaction_session_timeout: RESTING,
  statement_timeout: String(statementTimeoutMs),
  ...(plansAnew && { plan_cache_mode: "force_custom_plan" }),
});

const setting = (settings: Record<string, string>, forTransaction: boolean) =>
  `select pg_backend_pid() as pid, ${Object.entries(settings)
    .map(([name, value]) => `set_config('${name}', '${value}', ${forTransaction})`)
    .join(", ")}`;

/**
 * Returns the first statement of a connection of our own, which sets its limits. PgBouncer refuses or ignores such connection parameters,
 * and then there would be no limits.
 */
export const greeting = (limits: Limits): string => setting({ ...CONNECTION, ...ofStatements(limits) }, false);

/**
 * Returns the beginning of a transaction on a connection that a pooler lends for that long: what a connection is told lasts until the
 * commit only. It also asks which backend has it now.
 */
export const lentBegin = (limits: Limits): string => `begin; ${setting(ofStatements(limits), true)}`;
