import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

// Builds a package of this folder, for `npm run build -w sdk/...` and for the tests of the published packages. It writes ES modules
// to dist and CommonJS to dist/cjs, with types beside both.

const tsc = fileURLToPath(new URL("../node_modules/typescript/bin/tsc", import.meta.url));
const vite = fileURLToPath(new URL("../node_modules/vite/bin/vite.js", import.meta.url));

/**
 * Builds one package.
 * @param folder the folder of the package
 * @param dist the folder to write to; by default the package's `dist`
 */
export function buildPackage(folder: string, dist = join(folder, "dist")): void {
  const run = (program: string, ...args: string[]) =>
    execFileSync(process.execPath, [program, ...args], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  const types = ["-p", join(folder, "tsconfig.build.json"), "--outDir"];
  const bundled = existsSync(join(folder, "vite.config.ts"));
  if (bundled) run(vite, "build", "--outDir", dist, "--emptyOutDir", "--logLevel", "warn");
  run(tsc, ...types, dist);
  // Where Vite writes the code, the compiler writes only types: these are the same for both module systems.
  const commonjs = ["--module", "commonjs", "--moduleResolution", "bundler", "--verbatimModuleSyntax", "false"];
  run(tsc, ...types, join(dist, "cjs"), ...(bundled ? [] : commonjs));
  // The package has "type": "module". Without this file Node and the compiler would read the CommonJS files as ES modules.
  writeFileSync(join(dist, "cjs", "package.json"), '{ "type": "commonjs" }\n');
}

if (import.meta.main) buildPackage(resolve("."));
