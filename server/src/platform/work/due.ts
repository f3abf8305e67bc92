import { type Db, join, prepared, raw, type Sql, sql } from "../db/index.ts";
import type { Log } from "../log.ts";
import type { Clock } from "../time/clock.ts";

/** The pause between two polls: work of dead processes, and work whose signal was lost, starts this late. */
const POLL_MS = 1_000;

/** A loop may rest this long where it is woken once its work is due; see DueWork. */
export const UNTIL_DUE = 60_000;

/** Asks PostgreSQL whether work waits in a table. */
export interface DueQuestion {
  /** Returns an expression that is true if work is due at this time. */
  isDue(now: Date, q: Pick<Db, "distributed">): Sql;
  /** Called at each poll that finds due work. */
  wake(): void;
}

/** Finds due work by polls. */
export interface DueWork {
  /** Begins to ask this question. Returns the function that ends it. */
  ask(question: DueQuestion): () => void;
}

/**
 * Asks all questions of this process in one statement each second. With one for each of four loops, an idle service sent eight statements a second.
 * It asks nothing while there is no question.
 */
export function dueWork({ db, clock, log }: { db: Db; clock: Clock; log: Log }): DueWork {
  let questions: DueQuestion[] = [];
  /** Names the statement. It changes with the questions. */
  let version = 0;
  let timer: NodeJS.Timeout | undefined;
  let failing = false;

  async function poll(): Promise<void> {
    const asked = questions;
    const now = clock.now();
    const columns = asked.map(({ isDue }, i) => sql`(${isDue(now, db)}) as ${raw(`"${i}"`)}`);
    try {
      const [row] = await db.query<Record<string, boolean>>(
        prepared(`due.${version}`, sql`select ${join(columns, ", ")}`),
      );
      failing = false;
      for (const [i, question] of asked.entries()) if (row?.[i] && questions.includes(question)) question.wake();
    } catch (error) {
      // Once, and not each second: it may fail for as long as the database is away.
      if (!failing) log.warn({ err: String(error) }, "due work could not be looked for");
      failing = true;
    }
    timer = undefined;
    schedule();
  }

  function schedule(): void {
    if (questions.length > 0) timer ??= setTimeout(poll, POLL_MS).unref();
    else {
      clearTimeout(timer);
      timer = undefined;
    }
  }

  function change(to: DueQuestion[]): void {
    questions = to;
    version++;
    schedule();
  }

  return {
    ask(question) {
      change([...questions, question]);
      return () => change(questions.filter((one) => one !== question));
    },
  };
}
