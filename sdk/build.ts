import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

// Builds a package of this folder, for `npm run build -w sdk/...` and the tests of what is published: modules in dist, the same as
// CommonJS in dist/cjs, types beside both.

const tsc = fileURLToPath(new URL("../node_modules/typescript/bin/tsc", import.meta.url));
const vite = fileURLToPath(new URL("../node_modules/vite/bin/vite.js", import.meta.url));

/** @param folder the package's own; @param dist where to build to, the package's `dist` where it is left out */
export function buildPackage(folder: string, dist = join(folder, "dist")): void {
  const run = (program: string, ...args: string[]) =>
    execFileSync(process.execPath, [program, ...args], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  const types = ["-p", join(folder, "tsconfig.build.json"), "--outDir"];
  const bundled = existsSync(join(folder, "vite.config.ts"));
  if (bundled) run(vite, "build", "--outDir", dist, "--emptyOutDir", "--logLevel", "warn");
  run(tsc, ...types, dist);
  // Where Vite writes the code, the compiler writes types only, which are the same.
  const commonjs = ["--module", "commonjs", "--moduleResolution", "bundler", "--verbatimModuleSyntax", "false"];
  run(tsc, ...types, join(dist, "cjs"), ...(bundled ? [] : commonjs));
  // The package is one of modules: without this Node and the compiler would take these for modules too.
  writeFileSync(join(dist, "cjs", "package.json"), '{ "type": "commonjs" }\n');
}

if (import.meta.main) buildPackage(resolve("."));
