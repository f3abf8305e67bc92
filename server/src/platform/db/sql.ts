import sqlTemplate, { type Sql } from "sql-template-tag";
import type { Announced, Written } from "./announcements.ts";

export { empty, join, raw, Sql } from "sql-template-tag";

/** Builds a statement and keeps its parameters separate: sql`select * from people where person_key = ${key}`. */
export const sql = sqlTemplate;

export interface Statement {
  text: string;
  values: unknown[];
  name?: string;
}

/** Names a statement, so that PostgreSQL parses and plans it once a connection: for hot paths, whose text never varies. */
export function prepared(name: string, statement: Sql): Statement {
  return { name, text: statement.text, values: statement.values };
}

/** The queries of a pool or a transaction. `query` returns the rows, `execute` the number of affected rows. */
export interface Queries {
  /** Whether the tables of people are in shards on several PostgreSQLs: some statements have another form there. See distributed.ts. */
  readonly distributed: boolean;
  query<R>(statement: Statement): Promise<R[]>;
  execute(statement: Statement): Promise<number>;
}

/** One open transaction. */
export interface Tx extends Queries {
  /** Signals subscribers of `topic`, in this process and the others, only after the commit. */
  signal(topic: string, items: string[]): void;
  /**
   * Tells those who listen what this transaction did, and the workspaces it did it in. Call it in the same turn as the statement where a
   * commit may be sent behind it. Resolves when those who take part in the transaction are done; undefined where nobody does.
   * @param written which of the batch were written, where only the answer to the statement says it
   */
  announce<T>(
    to: Announced<T>,
    workspaceIds: string[],
    batch: () => T[],
    written?: Written<T>,
  ): Promise<void> | undefined;
  /** Runs `work` in this process, only after the commit: for work that is handed over in memory. */
  afterCommit(work: () => void): void;
  /** Runs `work` in this process if the commit was sent and never answered: it may have happened or not. */
  ifUnknown(work: () => void): void;
  /**
   * Sends the commit directly behind the statements under way, for work whose last statements need not wait for each other's
   * answers: this saves a round trip. If one of them fails, the commit becomes a rollback. No statement of the caller may follow. While
   * listeners take part in the transaction, the commit waits until each of them has called this too, or is done.
   */
  commitBehind(): void;
}

export interface Db extends Queries {
  /**
   * Whether a listener takes part in transactions that announce this kind, and cares about one of the batch: then a single statement needs a
   * transaction too. The batch is made only if a listener takes part.
   */
  isTaken<T>(to: Announced<T>, batch: () => T[]): boolean;
  /** Wakes those who listen to this by a queued row, after a single statement that was its own transaction. */
  wake(to: Announced<unknown>, workspaceIds: string[]): void;
  /** Whether the database can write, as far as is known. A small write tests it, but only after another write has failed. */
  writes(): Promise<boolean>;
  /** Commits when `work` resolves and rolls back when it throws. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
