import { mkdtemp, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import pg from "pg";
import { afterAll, expect, test, vi } from "vitest";
import { testDatabase } from "../../../test/support/database.ts";
import { fillEveryTable } from "../../../test/support/database/filled.ts";
import { testService } from "../../../test/support/service.ts";
import { inAppService } from "../../../test/support/services/in-app.ts";
import { dataDir, serve, tidings } from "../../../test/support/tidings.ts";
import { entriesWhere } from "../../activity/index.ts";
import { expire } from "../../inapp/jobs.ts";
import { sql } from "../../platform/db/index.ts";
import { tablesOf } from "../connect/tables.ts";

vi.setConfig({ testTimeout: 120_000 });

const folder = await mkdtemp(join(tmpdir(), "tidings-backup-"));
afterAll(() => rm(folder, { recursive: true, force: true }));
const key = Buffer.alloc(32, 7).toString("base64");

async function run(env: Record<string, string>, ...args: string[]): Promise<string> {
  const command = tidings(args, { env });
  if ((await command.exit) !== 0) throw new Error(command.output());
  return command.stdout();
}

async function query<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return work(client).finally(() => client.end());
}

const FITTING = {
  audiences: { kind: "list", filter: null },
  broadcasts: { audience_id: null },
};

/** Positions of readers begin anew, too. */
const RENEWED: Record<string, string[]> = {
  webhooks: ["event_id"],
  export_cursors: ["place", "planned", "gap_from", "gap_until", "sent_until"],
};

/** Returns every row of every table as text, without the transaction numbers, which differ in each PostgreSQL. */
const contents = (url: string): Promise<Record<string, string[]>> =>
  query(url, async (client) => {
    const found: Record<string, string[]> = {};
    for (const { name, numbered } of await tablesOf(client)) {
      const left = [...numbered, ...(RENEWED[name] ?? [])].map((column) => ` - '${column}'`).join("");
      const { rows } = await client.query(`select (to_jsonb(t)${left})::text as row from ${name} t order by 1`);
      found[name] = rows.map(({ row }) => row);
    }
    return found;
  });

test("a backup is restored into another database: every row of every table", async () => {
  const it = await testService();
  await it.call("POST", "/data-gateway/transactionals/email", {
    key: it.secretKey,
    body: { identifiers: { id: "ada" }, to: "ada@example.com", from: "a@example.com", subject: "s", body: "b" },
  });
  await it.service.stop();
  const tables = (await query(it.databaseUrl, tablesOf)).map(({ name }) => name);
  await fillEveryTable(it.databaseUrl, tables, FITTING);
  const before = await contents(it.databaseUrl);
  for (const [name, rows] of Object.entries(before)) expect(rows.length, `rows of ${name}`).toBeGreaterThan(0);

  const file = join(folder, "whole.backup");
  const from = { DATABASE_URL: it.databaseUrl, ENCRYPTION_KEY: key };
  const said = JSON.parse(await run(from, "backup", file, "--json"));
  expect(said).toMatchObject({ file, key_file: null, tables: Object.keys(before).length });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(gunzipSync(await readFile(file)).toString()).not.toContain(key);

  const to = { DATABASE_URL: await testDatabase(), ENCRYPTION_KEY: key };
  await run(to, "restore", file);
  expect(await contents(to.DATABASE_URL)).toEqual(before);
  const webhooks = await query(to.DATABASE_URL, (client) => client.query("select txid::text from webhooks"));
  expect(webhooks.rows.every(({ txid }) => txid === "500")).toBe(true);
  const streams = await query(to.DATABASE_URL, (client) => client.query("select place from export_cursors"));
  expect(streams.rows.every(({ place }) => place.log.txid === "500")).toBe(true);
  // The triggers are enabled again, and new rows can be written.
  await run(to, "workspaces", "create", "After");

  await expect(run(to, "restore", file)).rejects.toThrow(/not empty/);
  await expect(run({ ...to, ENCRYPTION_KEY: Buffer.alloc(32).toString("base64") }, "restore", file)).rejects.toThrow(
    /ENCRYPTION_KEY is not the key of this backup/,
  );
  await truncate(file, (await stat(file)).size - 40);
  await expect(run(to, "restore", file, "--overwrite")).rejects.toThrow(/not a whole backup/);
  expect((await contents(to.DATABASE_URL)).workspaces).toHaveLength((before.workspaces?.length ?? 0) + 1);
});

/** The statements that docs/operations.md gives for a database that pg_restore put into a new PostgreSQL. */
async function forPgRestore(): Promise<string> {
  const text = await readFile(new URL("../../../../docs/operations.md", import.meta.url), "utf8");
  const blocks = [...text.matchAll(/```sql\n(.*?)```/gs)].map(([, block = ""]) => block);
  return blocks.find((block) => block.includes("update activity")) ?? "";
}

test("the log keeps its order, though its entries are in two tables, also by the statements for pg_restore", async () => {
  const { clock, it, identify, define, send, report } = await inAppService();
  await identify("ada");
  const message = await define({
    expiry: { amount: 1, unit: "hours" },
    persistence: { mode: "persistent_until_dismissed" },
  });
  for (let n = 0; n < 40; n++) {
    const delivery = await send(message, "ada");
    if (n % 3 === 0) await report(delivery, "impression", { person_id: "ada" });
    if (n % 5 === 0) await identify("ada", { n });
    if (n % 10 === 0) {
      clock.forward(2 * 3_600_000);
      await expire(it.service.ground);
    }
  }
  await it.service.stop();
  const log = (url: string) =>
    query(url, async (client) => {
      const { text, values } = sql`
        select id, type, txid::text from (${entriesWhere(() => sql`true`)}) log order by log.txid, id`;
      return (await client.query<{ id: string; type: string; txid: string }>(text, values as unknown[])).rows;
    });
  const before = await log(it.databaseUrl);
  const isInOrder = async (url: string) => {
    const after = await log(url);
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    const numbers = new Set(after.map(({ txid }) => Number(txid)));
    expect(numbers.size).toBe(new Set(before.map(({ txid }) => txid)).size);
    expect([Math.min(...numbers) >= 1, Math.max(...numbers) <= 499]).toEqual([true, true]);
  };
  const types = new Set(before.map(({ type }) => type));
  for (const type of ["in_app.queued", "in_app.impression", "in_app.expired"]) expect([...types]).toContain(type);

  const file = join(folder, "log.backup");
  await run({ DATABASE_URL: it.databaseUrl, ENCRYPTION_KEY: key }, "backup", file);
  const to = { DATABASE_URL: await testDatabase(), ENCRYPTION_KEY: key };
  await run(to, "restore", file);
  await isInOrder(to.DATABASE_URL);
  const statements = await forPgRestore();
  await query(it.databaseUrl, (client) => client.query(statements));
  await isInOrder(it.databaseUrl);
});

test("a backup of a running service on the embedded PostgreSQL starts elsewhere with its keys", async () => {
  const [here, there] = [await dataDir(), await dataDir()];
  const first = await serve({ DATA_DIR: here });
  const identify = async (address: string) =>
    (await fetch(`${address}/data-gateway/v1/identify`, {
      method: "POST",
      headers: { authorization: `Bearer ${first.publicKey}`, "content-type": "application/json" },
      body: JSON.stringify({ person_id: "ada", attributes: {} }),
    }).then((answer) => answer.json())) as { created: boolean };
  expect((await identify(first.address)).created).toBe(true);

  const file = join(folder, "embedded.backup");
  await run({ DATA_DIR: here }, "backup", file);
  const encryptionKey = await readFile(join(here, "encryption-key"), "utf8");
  expect(await readFile(`${file}.key`, "utf8")).toBe(encryptionKey);
  await expect(run({ DATA_DIR: here }, "restore", file)).rejects.toThrow(/another Tidings/);
  first.kill("SIGTERM");
  await first.exit;

  await run({ DATA_DIR: there }, "restore", file);
  expect(await readFile(join(there, "encryption-key"), "utf8")).toBe(encryptionKey);
  const second = await serve({ DATA_DIR: there });
  expect((await identify(second.address)).created).toBe(false);
  second.kill("SIGTERM");
  await second.exit;
});

test("a file that is no backup is refused with a sentence", async () => {
  const file = join(folder, "letter.txt");
  await writeFile(file, "Dear Ada");
  await expect(run({ DATA_DIR: folder }, "restore", file)).rejects.toThrow(/not a whole backup of Tidings/);
  await expect(run({ DATA_DIR: folder }, "restore", join(folder, "nothing"))).rejects.toThrow(/no such file/);
});
