import { createReadStream, existsSync } from "node:fs";
import { readFile, rename } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import { createGunzip } from "node:zlib";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { type Config, readConfig } from "../../platform/config.ts";
import { migrate, migrationNames } from "../../platform/db/index.ts";
import { keptSecret } from "../../platform/embedded/index.ts";
import { withOwnDatabase } from "../connect/database.ts";
import { keyFile } from "../connect/encryption-key.ts";
import { connected, servicesOn } from "../connect/services.ts";
import type { Table } from "../connect/tables.ts";
import { printJson } from "../terminal/columns.ts";
import { Refused } from "../terminal/refused.ts";
import { type Ending, type Header, headerOf, isEnding, keyCheck, Reader } from "./file.ts";
import { clear, copyIn, filledTable, setSequence, streamsFromNow, triggers, webhooksFromNow } from "./store.ts";

/** `tidings restore FILE`: loads a backup into an empty database, and migrates it to this version. */
export async function restore(args: string[]): Promise<void> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      "key-file": { type: "string" },
      "without-key": { type: "boolean" },
      overwrite: { type: "boolean" },
      json: { type: "boolean" },
    },
  });
  const [given, ...more] = positionals;
  if (!given || more.length > 0) throw new Refused("restore takes one file: npx tidings restore FILE");
  const file = resolve(given);
  const config = readConfig();
  // The file is read to its end before anything is removed.
  const header = await readBackup(file, checkComplete);
  await knownHere(header);
  const key = values["without-key"] ? undefined : await keyFor(config, file, values["key-file"], header);
  const done = await withOwnDatabase(config, async (url) => {
    await emptyDatabase(url, values.overwrite === true);
    if (key && !config.encryptionKey) await storeKey(config, key);
    return load(url, file, header);
  });
  if (values.json) return printJson({ made_at: header.made_at, ...done });
  console.log(`Restored ${done.rows} rows of ${done.tables} tables, as they were at ${header.made_at}.`);
}

async function readBackup<T>(file: string, read: (reader: Reader) => Promise<T>): Promise<T> {
  const source = createReadStream(file);
  const text = createGunzip();
  // A broken source ends the reading of its text.
  source.on("error", (error) => text.destroy(error));
  try {
    return await read(new Reader(source.pipe(text)));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code?.startsWith("Z_"))
      throw new Refused(`${file} is not a whole backup of Tidings: ${(error as Error).message}`);
    throw error;
  } finally {
    source.destroy();
    text.destroy();
  }
}

async function checkComplete(reader: Reader): Promise<Header> {
  const header = headerOf(await reader.line());
  let tables = 0;
  for (;;) {
    const next = (await reader.line()) as Table | Ending;
    if (isEnding(next)) {
      if (next.tables === tables) return header;
      throw new Refused("the file does not hold all its tables: it is not a whole backup");
    }
    for await (const _ of reader.rows());
    tables++;
  }
}

async function knownHere({ migrations, tidings }: Header): Promise<void> {
  const known = await migrationNames();
  const strange = migrations.filter((name) => !known.includes(name));
  if (strange.length > 0)
    throw new Refused(
      `the backup was made by Tidings ${tidings}, which is newer: update first (${strange.join(", ")})`,
    );
}

/** Finds the key of the backup. @throws Refused if there is none, or the backup's credentials were sealed with another one */
async function keyFor(config: Config, file: string, given: string | undefined, header: Header): Promise<Buffer> {
  const without = "use --key-file FILE, or --without-key and enter the providers' credentials again afterwards";
  const beside = [`${file}.key`, join(config.dataDir, keyFile)].find((name) => existsSync(name));
  const kept = given ?? (config.encryptionKey ? undefined : beside);
  const key = kept === undefined ? config.encryptionKey : Buffer.from((await readFile(kept, "utf8")).trim(), "base64");
  if (!key) throw new Refused(`the backup's key is missing: ${without}`);
  if (keyCheck(key) !== header.key_check)
    throw new Refused(`${kept ?? "ENCRYPTION_KEY"} is not the key of this backup: ${without}`);
  if (config.encryptionKey && !config.encryptionKey.equals(key))
    throw new Refused("ENCRYPTION_KEY is not the backup's key, and the service would start with it: set the backup's");
  return key;
}

/** Stores the key in DATA_DIR, where the service reads it. Another key there belonged to the removed database; it is renamed. */
async function storeKey({ dataDir }: Config, key: Buffer): Promise<void> {
  const text = key.toString("base64");
  const make = () => text;
  if ((await keptSecret(dataDir, keyFile, make)) === text) return;
  await rename(join(dataDir, keyFile), join(dataDir, `${keyFile}.before-restore`));
  await keptSecret(dataDir, keyFile, make);
}

/** Empties the database. @throws Refused if a service uses it, or it has rows and `overwrite` is not set */
async function emptyDatabase(url: string, overwrite: boolean): Promise<void> {
  await connected(url, async (client) => {
    if ((await servicesOn(client)) > 0)
      throw new Refused("a Tidings is connected to this database: stop all its processes first");
    const filled = await filledTable(client);
    if (filled && !overwrite)
      throw new Refused(
        `the database is not empty (${filled} has rows): restore into another one, or remove its rows with --overwrite`,
      );
    await client.query("begin");
    await clear(client);
    await client.query("commit");
  });
}

async function load(url: string, file: string, header: Header): Promise<{ tables: number; rows: number }> {
  await migrate(url, header.migrations);
  const done = await connected(url, (client) =>
    readBackup(file, async (reader) => {
      await reader.line();
      await client.query("begin");
      const counted = await loadTables(client, reader);
      for (const [name, last] of Object.entries(header.sequences)) await setSequence(client, name, last);
      await webhooksFromNow(client);
      await streamsFromNow(client);
      await client.query("commit");
      // Without statistics, queries would read whole tables until the first autovacuum.
      await client.query("analyze");
      return counted;
    }),
  );
  await migrate(url);
  return done;
}

async function loadTables(client: pg.Client, reader: Reader): Promise<{ tables: number; rows: number }> {
  const counted = { tables: 0, rows: 0 };
  for (;;) {
    const next = (await reader.line()) as Table | Ending;
    if (isEnding(next)) return counted;
    await client.query(triggers(next, false));
    const rows = client.query(copyFrom(copyIn(next)));
    await pipeline(reader.rows(), rows);
    await client.query(triggers(next, true));
    counted.tables++;
    counted.rows += rows.rowCount;
  }
}
