import { expect } from "vitest";
import { type Db, type Queries, type Statement, sql } from "../../../src/platform/db/index.ts";

/** Returns the plan that PostgreSQL caches for the one prepared statement of `run`, for all parameters. */
export async function keptPlan(db: Db, run: (spy: Queries) => Promise<unknown>): Promise<string> {
  const seen: Statement[] = [];
  const query = async (one: Statement) => {
    seen.push(one);
    return [];
  };
  const spy = { query, execute: async () => 0 } as Queries;
  await run(spy);
  expect(seen).toHaveLength(1);
  return db.transaction(async (tx) => {
    await tx.execute(sql`set local plan_cache_mode = force_generic_plan`);
    const { text, values } = seen[0] as Statement;
    const rows = await tx.query<{ "QUERY PLAN": string }>({ text: `explain ${text}`, values });
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  });
}
