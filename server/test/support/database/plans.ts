import { expect } from "vitest";
import { type Db, type Queries, type Statement, sql } from "../../../src/platform/db/index.ts";

/** Runs the statements of `q`, and adds each to `seen`. */
export const noted = <Q extends Queries>(q: Q, seen: Statement[]): Q => ({
  ...q,
  query<R>(statement: Statement) {
    seen.push(statement);
    return q.query<R>(statement);
  },
  execute(statement: Statement) {
    seen.push(statement);
    return q.execute(statement);
  },
});

/** Returns the plan of each of these statements. */
export async function plansOf(q: Queries, seen: Statement[]): Promise<string[]> {
  const plans: string[] = [];
  for (const { text, values } of seen) {
    const rows = await q.query<{ "QUERY PLAN": string }>({ text: `explain ${text}`, values });
    plans.push(rows.map((row) => row["QUERY PLAN"]).join("\n"));
  }
  return plans;
}

/** Returns the plan that PostgreSQL caches for the one prepared statement of `run`, for all parameters. */
export async function keptPlan(db: Db, run: (spy: Queries) => Promise<unknown>): Promise<string> {
  const seen: Statement[] = [];
  const nothing: Queries = { distributed: false, query: async () => [], execute: async () => 0 };
  await run(noted(nothing, seen));
  expect(seen).toHaveLength(1);
  return db.transaction(async (tx) => {
    await tx.execute(sql`set local plan_cache_mode = force_generic_plan`);
    return (await plansOf(tx, seen)).join();
  });
}
