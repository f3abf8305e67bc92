import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

// `npm run build -w dashboard`, and `tidings serve` after it listens: builds dist unless it is of these sources already. Takes 2 to 4 s, or
// 0.1 s where nothing changed. Node runs it without a build of its own.

const root = fileURLToPath(new URL(".", import.meta.url));
const DIST = join(root, "dist");
const LOCK = join(root, ".building");
/** A builder that was killed leaves its lock. No build takes as long as this. */
const LEFT_MS = 60_000;
const LOOK_MS = 500;
/** What is loaded before anything shows, as gzip. Each room loads its own part later. */
const FIRST_LOAD_KB = 300;

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

function under(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/**
 * Returns a hash of everything that the build reads, except the packages, whose versions are in package.json. Each start of a service
 * asks for it: 800 files one after the other take 17 ms of CPU, and 87 ms through promises.
 */
function fingerprint(): string {
  const own = ["package.json", "vite.config.ts", "build.ts", "index.html", "../sdk/react/styles.css"].map((name) =>
    join(root, name),
  );
  const files = [...own, ...under(join(root, "src")), ...under(join(root, "../contract"))];
  const hash = createHash("sha256");
  for (const file of files.filter((name) => !name.includes("node_modules")).sort())
    hash.update(file.slice(root.length)).update("\0").update(readFileSync(file));
  return hash.digest("hex");
}

let mine = false;

/** Takes the lock, so that services that start together build once. Returns false if another process builds now. */
async function locked(): Promise<boolean> {
  const lock = await stat(LOCK).catch(() => undefined);
  if (lock && Date.now() - lock.mtimeMs > LEFT_MS) await rm(LOCK, { recursive: true, force: true });
  try {
    // At once, so that no signal comes between the lock and the knowledge of it.
    mkdirSync(LOCK);
    mine = true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return mine;
}

function unlock(): void {
  if (mine) rmSync(LOCK, { recursive: true, force: true });
  mine = false;
}

interface Chunk {
  file: string;
  isEntry?: boolean;
  imports?: string[];
}

/** Prints what a first visit loads. Throws where it is over the budget. */
async function weigh(folder: string): Promise<void> {
  const manifest: Record<string, Chunk> = JSON.parse(await readFile(join(folder, ".vite/manifest.json"), "utf8"));
  const first = new Set<string>();
  const take = (name: string) => {
    if (first.has(name)) return;
    first.add(name);
    for (const next of manifest[name]?.imports ?? []) take(next);
  };
  for (const [name, { isEntry }] of Object.entries(manifest)) if (isEntry) take(name);
  const sizeOf = async (name: string) => (await stat(join(folder, `${manifest[name]?.file}.gz`))).size / 1000;
  const sizes = await Promise.all([...first].map(sizeOf));
  const all = sizes.reduce((sum, size) => sum + size, 0);
  console.log(`dashboard: the first load is ${all.toFixed(0)} KB of JavaScript (gzip), of ${FIRST_LOAD_KB} allowed`);
  if (all > FIRST_LOAD_KB) throw new Error("the first load of the dashboard is too large");
}

async function compress(folder: string): Promise<void> {
  for (const file of under(join(folder, "assets"))) {
    const content = await readFile(file);
    const text = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
    await writeFile(`${file}.br`, await brotli(content, { params: text }));
    await writeFile(`${file}.gz`, await gzipped(content, { level: 9 }));
  }
}

async function build(stamp: string): Promise<void> {
  // Only here, because it takes longer to load than the rest of a start at which nothing changed.
  const vite = await import("vite");
  const outDir = join(LOCK, "dist");
  await vite.build({
    configFile: join(root, "vite.config.ts"),
    logLevel: "error",
    build: { outDir, emptyOutDir: true },
  });
  await compress(outDir);
  await weigh(outDir);
  await writeFile(join(outDir, "stamp"), stamp);
  await rm(DIST, { recursive: true, force: true });
  await rename(outDir, DIST);
}

const buildLocked = async () => build(fingerprint()).finally(unlock);

// A builder leaves no lock, also where the service that started it is stopped meanwhile.
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => {
    unlock();
    process.exit(1);
  });

const isBuilt = async () => (await readFile(join(DIST, "stamp"), "utf8").catch(() => undefined)) === fingerprint();
// Whoever waited for another builder looks again: it may have been killed.
while (!(await isBuilt())) await ((await locked()) ? buildLocked() : setTimeout(LOOK_MS));
