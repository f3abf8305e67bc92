import { createWriteStream, existsSync } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import { createGzip } from "node:zlib";
import pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { type Config, readConfig } from "../../platform/config.ts";
import { version } from "../../platform/version.ts";
import { withAddress } from "../connect/database.ts";
import { encryptionKeyOf } from "../connect/encryption-key.ts";
import { tablesOf } from "../connect/tables.ts";
import { printJson } from "../terminal/columns.ts";
import { Refused } from "../terminal/refused.ts";
import { END_OF_ROWS, type Ending, type Header, keyCheck } from "./file.ts";
import { copyOut, migrationsOf, sequencesOf } from "./store.ts";

/** `tidings backup FILE`: writes everything that is in the database at one moment. The service may run. */
export async function backup(args: string[]): Promise<void> {
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options: { json: { type: "boolean" } } });
  const [given, ...more] = positionals;
  if (!given || more.length > 0) throw new Refused("backup takes one file: npx tidings backup FILE");
  const file = resolve(given);
  const config = readConfig();
  const { tables, rows } = await withAddress(config, (url) => writeBackup(config, url, file));
  const key = await keyBeside(config, file);
  const images = config.media.s3 ? undefined : join(config.dataDir, "media");
  if (values.json) return printJson({ file, key_file: key ?? null, tables, rows });
  console.log(`${rows} rows of ${tables} tables: ${file}`);
  if (images && existsSync(images))
    console.log(`The images of the media library are not in it: they are in ${images}.`);
  console.log(
    key
      ? `The key that opens the providers' credentials: ${key}. Keep it apart from the backup.`
      : "ENCRYPTION_KEY is not in the backup, and the providers' credentials can't be read without it. Keep it apart from the backup.",
  );
}

/** Writes the file completely or not at all: an earlier file of this name stays until the new one is complete. */
async function writeBackup(config: Config, url: string, file: string): Promise<{ tables: number; rows: number }> {
  const key = await encryptionKeyOf(config);
  const unfinished = `${file}.unfinished`;
  const client = new pg.Client({ connectionString: url, application_name: "backup of tidings" });
  await client.connect();
  try {
    // One snapshot of all tables, so that their references are consistent. The service goes on writing.
    await client.query("begin isolation level repeatable read read only");
    const counted = { tables: 0, rows: 0 };
    await pipeline(
      lines(client, key, counted),
      createGzip(),
      createWriteStream(unfinished, { mode: 0o600, flush: true }),
    );
    await rename(unfinished, file);
    return counted;
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  } finally {
    await client.end();
  }
}

async function* lines(client: pg.Client, key: Buffer, counted: { tables: number; rows: number }) {
  const header: Header = {
    format: "tidings-backup",
    version: 1,
    tidings: version,
    made_at: new Date().toISOString(),
    migrations: await migrationsOf(client),
    sequences: await sequencesOf(client),
    key_check: keyCheck(key),
  };
  yield `${JSON.stringify(header)}\n`;
  for (const table of await tablesOf(client)) {
    yield `${JSON.stringify({ name: table.name, columns: table.columns })}\n`;
    const rows = client.query(copyTo(copyOut(table)));
    yield* rows as AsyncIterable<Buffer>;
    yield END_OF_ROWS;
    counted.tables++;
    counted.rows += rows.rowCount;
  }
  const ending: Ending = { end: true, tables: counted.tables };
  yield `${JSON.stringify(ending)}\n`;
}

/** Writes the key of an embedded database beside the backup. It is only in DATA_DIR, so a backup without it would lose the credentials. */
async function keyBeside(config: Config, file: string): Promise<string | undefined> {
  if (config.encryptionKey) return undefined;
  const beside = `${file}.key`;
  await rm(beside, { force: true });
  await writeFile(beside, `${(await encryptionKeyOf(config)).toString("base64")}\n`, { mode: 0o600, flush: true });
  return beside;
}
