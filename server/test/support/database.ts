import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, inject } from "vitest";

/** A database of this test file's own, cloned from the migrated template and dropped after the file. Gives its address. */
export async function testDatabase(): Promise<string> {
  const { admin, template } = inject("databases");
  const name = `tidings_test_${randomBytes(6).toString("hex")}`;
  await onAdmin(`create database ${name} template ${template}`);
  afterAll(() => onAdmin(`drop database if exists ${name} with (force)`), 30_000);
  return Object.assign(new URL(admin), { pathname: `/${name}` }).href;
}

/** Clones must take turns: PostgreSQL refuses to copy a template that another session is just copying from. */
export async function onAdmin(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject("databases").admin });
  await client.connect();
  try {
    await client.query("select pg_advisory_lock(20260101)");
    await client.query(statement);
  } finally {
    await client.end();
  }
}
