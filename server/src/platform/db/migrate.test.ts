import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { inShards } from "../../../test/support/database/citus.ts";
import { testDatabase } from "../../../test/support/database.ts";
import { until } from "../../../test/support/wait.ts";
import { migrate, statementsOf } from "./migrate.ts";

const url = await testDatabase();

async function connected(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

const queue = `insert into deliveries (person_key, id, workspace_id, channel, source, status, queued_at)
  values (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'in_app', 'test', 'queued', now())`;

test("a migration that waits for a lock lets those who want the table go first, and tries again", async () => {
  const name = "0045-held-pages.sql";
  const [holder, other] = [await connected(), await connected()];
  await other.query("delete from migrations where name = $1", [name]);
  await other.query("alter table broadcast_pages drop column held");
  await holder.query("begin; select from broadcast_pages limit 1");
  const migrating = migrate(url, [name]);
  const waiting = `select from pg_stat_activity
    where datname = current_database() and query ilike '%add column held%' and wait_event_type = 'Lock'`;
  await until(async () => (await other.query(waiting)).rows.length > 0);
  // It waits behind the migration until that gives way; if it did not, this would fail.
  await other.query("set lock_timeout = 20000");
  await other.query("select from broadcast_pages limit 1");
  await holder.query("commit");
  expect(await migrating).toEqual([name]);
});

test.skipIf(inShards)(
  "two processes that start at once build indexes once, beside a process that queues, and also after a start that was cut off",
  async () => {
    const name = "0054-smaller-indexes.sql";
    const [writer, other] = [await connected(), await connected()];
    const indexes = () =>
      other.query("select indexname, indexdef from pg_indexes where tablename = 'deliveries' order by 1");
    const before = (await indexes()).rows;
    await other.query("delete from migrations where name = $1", [name]);
    // What a start leaves that was cut off between two statements.
    await other.query("create index deliveries_newest_next on deliveries (id); drop index deliveries_message");
    await writer.query("begin");
    await writer.query(queue);

    const starts = Promise.all([migrate(url, [name]), migrate(url, [name])]);
    // The process that builds waits for the transaction of the writer.
    const building = `select from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and query ilike '% index concurrently %' and wait_event_type = 'Lock'`;
    await until(async () => (await other.query(building)).rows.length > 0);
    // It would wait for an index that is built in a transaction.
    await other.query(`set lock_timeout = 5000; ${queue}`);
    await writer.query("commit");

    expect((await starts).flat()).toEqual([name]);
    expect((await indexes()).rows).toEqual(before);
    expect((await other.query("select from pg_index where not indisvalid")).rows).toEqual([]);
  },
);

test("a file is run statement by statement, whatever semicolons its comments, texts and functions have", () => {
  const text = `-- One; two.
create table a (b text default 'it''s; c');
create function f() returns void language plpgsql as $$ begin perform 1; end $$;
do $do$ begin execute $$ select 1; $$; end $do$;
-- After it;
select 1`;
  expect(statementsOf(text).map((statement) => statement.trim())).toEqual([
    "-- One; two.\ncreate table a (b text default 'it''s; c');",
    "create function f() returns void language plpgsql as $$ begin perform 1; end $$;",
    "do $do$ begin execute $$ select 1; $$; end $do$;",
    "-- After it;\nselect 1",
  ]);
  expect(statementsOf("select 1;\n-- The end;\n")).toEqual(["select 1;"]);
});
