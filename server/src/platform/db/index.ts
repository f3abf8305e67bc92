export { Announcements, announced, type Heard, listen } from "./announcements.ts";
export { POOLED } from "./connections.ts";
export {
  anyOf,
  choosing,
  inShardsOf,
  isDistributed,
  lockOf,
  narrowed,
  once,
  rowLock,
  rowsOfEach,
} from "./distributed.ts";
export {
  hadNoEffect,
  isDeadlock,
  isPassing,
  isReferenced,
  isRefusal,
  tookTooLong,
  violatedUnique,
  waitedForLock,
  withoutDeadlock,
} from "./errors.ts";
export { type Columns, given, jsonbs, preparedOnOne, rowsOf, rowsToCheck, texts, unquoted } from "./given.ts";
export { inTurn, migrate, migrationNames } from "./migrate.ts";
export { type MarkedRow, markedPage } from "./marked-page.ts";
export { currentTransaction, openFrom, transactionId } from "./open-from.ts";
export { openDb } from "./pool.ts";
export { followReplica, type Replica } from "./replica.ts";
export { type Db, empty, join, prepared, type Queries, raw, type Sql, sql, type Statement, type Tx } from "./sql.ts";
