import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Package, packagesOf } from "./packages.ts";

const PLAIN = /^(\d+)\.(\d+)\.(\d+)$/;

/**
 * Returns the next `major`, `minor` or `patch` version, or the given version.
 * @throws Error where it is neither, or lower than the current one
 */
export function nextVersion(current: string, wanted: string): string {
  const [major, minor, patch] = partsOf(current);
  if (wanted === "major") return `${major + 1}.0.0`;
  if (wanted === "minor") return `${major}.${minor + 1}.0`;
  if (wanted === "patch") return `${major}.${minor}.${patch + 1}`;
  const given = partsOf(wanted);
  const differing = [major, minor, patch].findIndex((part, i) => part !== given[i]);
  if (differing !== -1 && (given[differing] as number) < ([major, minor, patch][differing] as number))
    throw new Error(`${wanted} is lower than ${current}`);
  return wanted;
}

function partsOf(version: string): [number, number, number] {
  const match = PLAIN.exec(version);
  if (!match) throw new Error(`${version} is no version: give major, minor, patch or three numbers such as 1.2.3`);
  return [Number(match[1]), Number(match[2]), Number(match[3])];
}

/** Returns the files that contain the version, with the new one: each package.json, and package-lock.json, which repeats them. */
export function versioned(root: string, version: string): Map<string, string> {
  const packages = packagesOf(root);
  const own = new Set(packages.map(({ manifest }) => manifest.name));
  const changed = new Map<string, string>();
  for (const { folder, manifest } of packages)
    changed.set(join(folder, "package.json"), json(withVersion(manifest, version, own)));
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  lock.version = version;
  for (const { folder } of packages) lock.packages[folder] = withVersion(lock.packages[folder], version, own);
  changed.set("package-lock.json", json(lock));
  return changed;
}

/** Returns the manifest with a new version, also for its dependencies on packages of the repository ("*" stays). */
export function withVersion<T extends Partial<Package["manifest"]>>(manifest: T, version: string, own: Set<string>): T {
  const result = { ...manifest, version };
  for (const kind of ["dependencies", "devDependencies", "peerDependencies"] as const) {
    const needed = manifest[kind];
    if (!needed) continue;
    result[kind] = Object.fromEntries(
      Object.entries(needed).map(([name, range]) => [name, own.has(name) && range !== "*" ? version : range]),
    );
  }
  return result;
}

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;
