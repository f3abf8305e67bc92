import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { freePort } from "../tidings.ts";
import { atEnd, until } from "../wait.ts";

/** The first version that keeps named statements in transaction mode. */
const OLDEST = [1, 21];

/**
 * Whether a PgBouncer is in PATH that keeps named statements. Without it a test is skipped with a message, also in CI: that of Debian 12 is 1.18.
 */
export const havePgBouncer: boolean = looked();

function looked(): boolean {
  const said = spawnSync("pgbouncer", ["--version"], { encoding: "utf8" }).stdout ?? "";
  const [, major, minor] = /^PgBouncer (\d+)\.(\d+)/.exec(said) ?? [];
  const [oldMajor, oldMinor] = OLDEST as [number, number];
  if (Number(major) > oldMajor || (Number(major) === oldMajor && Number(minor) >= oldMinor)) return true;
  const why = major === undefined ? "no pgbouncer is in PATH" : `PgBouncer ${major}.${minor} keeps no named statements`;
  console.warn(`SKIPPED: ${why}, so nothing is tested behind a pooler (it needs PgBouncer 1.21 or later)`);
  return false;
}

export interface PgBouncer {
  /** The process itself: a test stops and continues it with signals. */
  child: ChildProcess;
  /** Returns the address of a database over this PgBouncer. */
  over(databaseUrl: string): string;
}

/** Starts PgBouncer in front of the PostgreSQL of this address. It ends with the test or file that calls this. */
export async function pgBouncer(databaseUrl: string, settings: Record<string, string>): Promise<PgBouncer> {
  const { hostname, port, username, password } = new URL(databaseUrl);
  const own = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "tidings-pgbouncer-"));
  const lines = {
    listen_addr: "127.0.0.1",
    listen_port: String(own),
    unix_socket_dir: "",
    auth_type: "any",
    ...settings,
  };
  const login = [`user=${username || "postgres"}`, ...(password && [`password='${decodeURIComponent(password)}'`])];
  const databases = `* = host=${hostname} port=${port || 5432} ${login.join(" ")}`;
  const ini = [
    "[databases]",
    databases,
    "[pgbouncer]",
    ...Object.entries(lines).map(([name, value]) => `${name} = ${value}`),
  ];
  writeFileSync(join(folder, "pgbouncer.ini"), `${ini.join("\n")}\n`);
  // It refuses to run as root, and reads the file before it becomes the other user.
  const asRoot = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
  const child = spawn("pgbouncer", ["-q", ...asRoot, join(folder, "pgbouncer.ini")], { stdio: "ignore" });
  atEnd(() => {
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });
  const over = (url: string) =>
    Object.assign(new URL(url), { host: `127.0.0.1:${own}`, username: "tidings", password: "" }).href;
  await until(() => answers(over(databaseUrl)), "the start of PgBouncer");
  return { child, over };
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query("select 1");
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
