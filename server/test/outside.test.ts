import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

/**
 * The folders outside of the service: each imports its own files, packages from npm, and the parts of the project that are named here. They
 * use the service by its routes and its command. Published packages can't import the contract, which is not published: their types are
 * written from it.
 */
const OUTSIDE: Record<string, string[]> = {
  benchmarks: ["@tidings/contract", "@tidings/node"],
  "sdk/node/src": [],
  "sdk/web/src": [],
  "sdk/react/src": ["@tidings/web"],
  "dashboard/src": ["@tidings/contract", "@tidings/react/styles.css"],
  "examples/shop/server": ["@tidings/node"],
  "examples/shop/src": ["@tidings/web", "@tidings/react"],
};

function outsideFaults(root: string, file: string, text: string): string[] {
  const found: string[] = [];
  for (const [, from = ""] of text.matchAll(/^(?:import|export)\s+(?:[^;"']*?\s+from\s+)?["']([^"']+)["']/gm)) {
    const target = from.startsWith(".") ? normalize(join(root, dirname(file), from)) : "";
    if (target !== "" && !target.startsWith(`${root}/`)) found.push(`leaves ${root} for ${target}`);
    const allowed = OUTSIDE[root]?.some((name) => from === name || from.startsWith(`${name}/`));
    if (from.startsWith("@tidings/") && !allowed) found.push(`imports ${from}, which ${root} may not`);
  }
  if (text.includes("server/src/")) found.push("names the service's source");
  return found;
}

const project = new URL("../../", import.meta.url);

test.each(Object.keys(OUTSIDE))("%s knows the service by its routes and its command", (root) => {
  const folder = fileURLToPath(new URL(root, project));
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const sources = names.filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name));
  expect(sources).not.toEqual([]);
  for (const file of sources)
    expect(outsideFaults(root, file, readFileSync(join(folder, file), "utf8")), file).toEqual([]);
});

test.each([
  [
    "benchmarks",
    "stage/seed.ts",
    'import { personKey } from "../../server/src/workspaces/index.ts";',
    "leaves benchmarks",
  ],
  [
    "benchmarks",
    "stage/serve.ts",
    'new URL("../../server/src/process/index.ts", import.meta.url)',
    "the service's source",
  ],
  ["sdk/web/src", "api.ts", 'import { RenderType } from "@tidings/contract/inapp/definition";', "may not"],
  ["sdk/react/src", "bell.tsx", 'import { Tidings } from "@tidings/node";', "may not"],
])("in %s, %s, %j is found", (root, file, text, fault) => {
  expect(outsideFaults(root, file, text).join()).toContain(fault);
});
