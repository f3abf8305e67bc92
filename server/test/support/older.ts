import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * What runs beside the present version before there is a release: the commit that reads entries of the log that are rows of deliveries, and writes none. The next one
 * writes them, which an older one would not see (docs/decisions/0072-entries-that-are-deliveries.md).
 */
const BEFORE_THE_FIRST = "d58ff835363c";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const git = (...args: string[]) =>
  execFileSync("git", ["-C", root, ...args], { stdio: ["ignore", "pipe", "ignore"], maxBuffer: 1 << 28 });

/** The version that runs beside the present one: the last release. */
const OLDER = lastRelease() ?? BEFORE_THE_FIRST;

function lastRelease(): string | undefined {
  try {
    return git("describe", "--tags", "--abbrev=0", "--match", "v[0-9]*").toString().trim() || undefined;
  } catch {
    return undefined;
  }
}

/** Whether this folder's git history has the older version: a shallow clone has not. Without it a test is skipped with a message. */
export const hasOlder = isKnown();
if (!hasOlder) console.warn(`SKIPPED: two versions at once: this folder has no git history with the commit ${OLDER}`);

function isKnown(): boolean {
  try {
    git("cat-file", "-e", `${OLDER}^{commit}`);
    return true;
  } catch {
    return false;
  }
}

/** Writes the older version into a folder, with the packages that are installed here. Returns its command and how to remove it. */
export function unpackOlder(): { bin: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "tidings-older-"));
  execFileSync("tar", ["-x", "-C", folder], { input: git("archive", OLDER, "package.json", "server", "contract") });
  const modules = join(folder, "node_modules");
  mkdirSync(join(modules, "@tidings"), { recursive: true });
  for (const name of readdirSync(join(root, "node_modules")))
    if (name !== "@tidings" && !name.startsWith("."))
      symlinkSync(join(root, "node_modules", name), join(modules, name));
  for (const name of ["contract", "server"]) symlinkSync(join(folder, name), join(modules, "@tidings", name));
  const own = join(root, "server", "node_modules");
  if (existsSync(own)) symlinkSync(own, join(folder, "server", "node_modules"));
  return {
    bin: join(folder, "server", "bin", "tidings.js"),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
