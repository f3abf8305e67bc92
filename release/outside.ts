import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Manifest, manifestOf } from "./packages.ts";

const tsc = fileURLToPath(new URL("../node_modules/typescript/bin/tsc", import.meta.url));

/** An entry point that code imports: `@tidings/web`, and not the package.json or a style sheet beside it. */
interface Entry {
  name: string;
  kinds: ("import" | "require")[];
}

/**
 * Tests packed packages as an application gets them: installs the tarballs into an empty project, checks that each file exists that
 * their package.json names, imports and requires each entry point, checks their types strictly, and starts each command.
 * Their dependencies are copied from the repository, so that nothing is downloaded.
 * @param at an empty folder outside of the repository @throws Error naming what does not work
 */
export function tryOutside(root: string, at: string, tarballs: string[], published: Manifest[]): void {
  const run = (program: string, ...args: string[]) => execFileSync(program, args, { cwd: at, stdio: "inherit" });
  mkdirSync(at);
  writeFileSync(join(at, "package.json"), '{ "private": true, "type": "module" }\n');
  const quietly = ["--offline", "--install-links", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
  run("npm", "install", ...quietly, ...tarballs, ...neededFolders(root, published));

  const missing = published.flatMap((manifest) =>
    [...filesNamedBy(manifest)]
      .filter((file) => !existsSync(join(at, "node_modules", manifest.name, file)))
      .map((file) => `${manifest.name} has no ${file}, which its package.json names`),
  );
  if (missing.length > 0) throw new Error(missing.join("\n"));

  const entries = published.flatMap(entriesOf);
  writeFileSync(join(at, "load.js"), loading(entries));
  run(process.execPath, "load.js");
  writeFileSync(join(at, "use.ts"), entries.map(({ name }, i) => `export * as entry${i} from "${name}";\n`).join(""));
  for (const resolution of [
    { module: "nodenext", moduleResolution: "nodenext" },
    { module: "esnext", moduleResolution: "bundler" },
  ]) {
    const compilerOptions = { ...STRICT, ...resolution };
    writeFileSync(join(at, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["use.ts"] }));
    run(process.execPath, tsc, "-p", at);
  }
  for (const manifest of published)
    for (const command of Object.keys(manifest.bin ?? {})) run(join(at, "node_modules/.bin", command), "--version");
}

/** Compiles without `skipLibCheck`, because the types of the packages are under test. */
const STRICT = {
  ...{ strict: true, exactOptionalPropertyTypes: true, noEmit: true },
  ...{ target: "es2022", lib: ["es2022", "dom"], types: [] },
};

/** Returns a program that loads each entry point in each way that it offers. */
function loading(entries: Entry[]): string {
  const ways = {
    import: (name: string) => `await import("${name}");`,
    require: (name: string) => `createRequire(import.meta.url)("${name}");`,
  };
  const loads = entries.flatMap(({ name, kinds }) => kinds.map((kind) => ways[kind](name)));
  return ['import { createRequire } from "node:module";', ...loads, ""].join("\n");
}

/** Returns every file that a manifest names: entry points of all kinds, their types, the script for pages. */
function filesNamedBy(manifest: Manifest): Set<string> {
  const { main, module, types, unpkg, jsdelivr, bin, exports } = manifest;
  const found = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value === "string") found.add(value);
    else if (typeof value === "object" && value !== null)
      // Sources are for the repository's own tests, and are not published.
      for (const [condition, part] of Object.entries(value)) if (condition !== "tidings-source") collect(part);
  };
  collect({ main, module, types, unpkg, jsdelivr, bin, exports });
  return found;
}

const entriesOf = ({ name, exports = {} }: Manifest): Entry[] =>
  Object.entries(exports).flatMap(([path, conditions]) => {
    if (typeof conditions !== "object" || conditions === null) return [];
    const kinds = (["import", "require"] as const).filter((kind) => kind in conditions);
    return kinds.length === 0 ? [] : [{ name: join(name, path), kinds }];
  });

/** Returns the folders of the packages' dependencies, and of the types of those that have none of their own. */
function neededFolders(root: string, published: Manifest[]): string[] {
  const own = new Set(published.map(({ name }) => name));
  const found = new Map<string, string>();
  const add = (name: string): void => {
    const folder = join(root, "node_modules", name);
    if (own.has(name) || found.has(name) || !existsSync(folder)) return;
    found.set(name, folder);
    add(`@types/${name}`);
    for (const needed of Object.keys(manifestOf(folder).dependencies ?? {})) add(needed);
  };
  for (const { dependencies, peerDependencies } of published)
    for (const name of Object.keys({ ...dependencies, ...peerDependencies })) add(name);
  return [...found.values()];
}
