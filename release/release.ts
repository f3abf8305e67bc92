import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { dated } from "./changelog.ts";
import { obstacles } from "./obstacles.ts";
import { tryOutside } from "./outside.ts";
import { type Package, packagesOf } from "./packages.ts";
import { nextVersion, versioned, withVersion } from "./version.ts";

// `npm run release -- major|minor|patch|1.2.3 [--dry-run]`. All packages have one version. The script builds, packs and tests everything
// before it changes a file of the tree; then it makes one commit and its tag. It publishes nothing: it prints the commands.

const USAGE = "npm run release -- major|minor|patch|1.2.3 [--dry-run]";

function release(root: string, wanted: string, dryRun: boolean): void {
  const packages = packagesOf(root);
  const published = packages.filter(({ manifest }) => !manifest.private);
  const version = nextVersion(packages[0]?.manifest.version ?? "", wanted);
  const changelog = readFileSync(join(root, "CHANGELOG.md"), "utf8");
  const manifests = published.map(({ manifest }) => manifest);
  const found = obstacles(root, changelog, version, manifests);
  if (found.length > 0 && !dryRun) throw new Error(found.join("\n"));
  for (const obstacle of found) console.log(`A release would stop here: ${obstacle}`);

  const work = mkdtempSync(join(tmpdir(), "tidings-release-"));
  try {
    execFileSync("npm", ["run", "-s", "build", "--workspaces", "--if-present"], { cwd: root, stdio: "inherit" });
    const own = new Set(packages.map(({ manifest }) => manifest.name));
    const tarballs = published.map((one) => packed(one, { root, work, version, own }));
    tryOutside(root, join(work, "outside"), tarballs, manifests);
    console.log(`${tarballs.length} packages of version ${version} work in a project of their own`);
    if (dryRun) return;
    const kept = join(root, "dist");
    mkdirSync(kept, { recursive: true });
    for (const tarball of tarballs) cpSync(tarball, join(kept, basename(tarball)));
    const day = new Date().toISOString().slice(0, 10);
    const changed = versioned(root, version).set("CHANGELOG.md", dated(changelog, version, day));
    commit(root, version, changed);
    console.log("Publish it with:\n  git push --follow-tags origin main");
    for (const tarball of tarballs) console.log(`  npm publish --access public dist/${basename(tarball)}`);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Packs a package in its new version from a copy, because the tree still has the old version. Returns the tarball. */
function packed(
  { folder, manifest }: Package,
  { root, work, version, own }: { root: string; work: string; version: string; own: Set<string> },
): string {
  const copy = join(work, folder);
  cpSync(join(root, folder), copy, { recursive: true, filter: (path) => basename(path) !== "node_modules" });
  writeFileSync(join(copy, "package.json"), JSON.stringify(withVersion(manifest, version, own), null, 2));
  const printed = execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", work], {
    cwd: copy,
    encoding: "utf8",
  });
  return join(work, (JSON.parse(printed) as [{ filename: string }])[0].filename);
}

function commit(root: string, version: string, changed: Map<string, string>): void {
  for (const [path, text] of changed) writeFileSync(join(root, path), text);
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
  git("add", "--", ...changed.keys());
  git("commit", "-m", `Release ${version}`);
  git("tag", "-a", `v${version}`, "-m", `Release ${version}`);
}

try {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { "dry-run": { type: "boolean" } } });
  const [wanted, ...more] = positionals;
  if (wanted === undefined || more.length > 0) throw new Error(USAGE);
  release(process.cwd(), wanted, values["dry-run"] ?? false);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
