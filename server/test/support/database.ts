import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import { databaseAt } from "./database/citus.ts";
import { atEnd, until } from "./wait.ts";

/** Clones a database from the migrated template and returns its address. It is dropped when the calling test or file ends. */
export async function testDatabase(): Promise<string> {
  const { nodes, template } = inject("databases");
  // Half the CPU of the other strategy, which writes each of the 1,200 pages to PostgreSQL's log too.
  return databaseAt(nodes[0], await createdDatabase(`strategy file_copy template ${template}`));
}

/** Creates a database on each node and returns its name. It is dropped when the calling test or file ends. @param how the options of `create database` */
export async function createdDatabase(how = ""): Promise<string> {
  const name = `tidings_test_${randomBytes(6).toString("hex")}`;
  await onAdmin(`create database ${name} ${how}`);
  atEnd(() => dropped(name));
  return name;
}

/** Runs a statement on each node. Clones run one after the other: PostgreSQL refuses to copy a template while another session copies it. */
export async function onAdmin(statement: string): Promise<void> {
  await Promise.all(inject("databases").nodes.map((node) => onNode(node, statement)));
}

/** Drops a database. Citus's maintenance daemon may have connected to it again while it was dropped: then once more. */
const dropped = (name: string) =>
  until(async () => {
    const drop = onAdmin(`drop database if exists ${name} with (force)`);
    return drop.then(() => true).catch((error) => (error.code === IN_USE ? false : Promise.reject(error)));
  }, `the end of ${name}`);

const IN_USE = "55006";

async function onNode(node: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: node });
  await client.connect();
  try {
    await client.query("select pg_advisory_lock(20260101)");
    await client.query(statement);
  } finally {
    await client.end();
  }
}
