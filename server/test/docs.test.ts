import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { errors } from "@tidings/contract/errors/errors";
import { describe, expect, test } from "vitest";
import { variables } from "../src/platform/config.ts";
import { diagram, picture, storeys } from "./storeys.ts";
import { testService } from "./support/service.ts";

// Checks the documents against the code, and the code against the documents.

const root = fileURLToPath(new URL("../../", import.meta.url));
const read = (path: string): string => readFileSync(root + path, "utf8");
/** Returns the names in backticks in the first column of a document's tables. */
const firstColumn = (path: string): string[] =>
  [...read(path).matchAll(/^\| (`[^|]+`) +\|/gm)].flatMap(([, cell = ""]) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word),
  );

test("docs/errors.md lists the codes of contract/errors, with their status and meaning", () => {
  const rows = [...read("docs/errors.md").matchAll(/^\| `(\w+)` +\| (\d{3}) +\| (.+?) +\|$/gm)].map(
    ([, code, status, means]) => [code, Number(status), means],
  );
  expect(rows.toSorted()).toEqual(
    Object.entries(errors)
      .map(([code, { status, means }]) => [code, status, means])
      .toSorted(),
  );
});

test("every error code is answered somewhere in the code, and none that is not in the list", () => {
  const sources = readdirSync(`${root}server/src`, { recursive: true, encoding: "utf8" }).filter((file) =>
    /(?<!\.test)\.ts$/.test(file),
  );
  const text = sources.map((file) => read(`server/src/${file}`)).join("\n");
  expect(Object.keys(errors).filter((code) => !text.includes(`"${code}"`))).toEqual([]);
});

test("docs/config.md lists the variables of platform/config.ts", () => {
  expect(firstColumn("docs/config.md").toSorted()).toEqual(variables.toSorted());
});

test("docs/glossary.md has at most 25 terms, and defines each word once", () => {
  const rows = read("docs/glossary.md")
    .split("\n")
    .filter((line) => /^\| (?!term|---)/.test(line));
  expect(rows.length).toBeLessThanOrEqual(25);
  const words = rows.flatMap((row) => [
    row.split("|")[1]?.trim(),
    ...[...row.matchAll(/\*\*(.+?)\*\*/g)].map(([, word]) => word),
  ]);
  expect(words.filter((word, i) => words.indexOf(word) !== i)).toEqual([]);
});

describe("docs/api.md", async () => {
  const { service } = await testService();
  const routesOf = async (address: string): Promise<string[]> => {
    const { paths } = (await service.app.inject(address)).json() as { paths: Record<string, object> };
    return Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map(
        (method) => `${method.toUpperCase()} ${path.replace("{rest}", "*").replaceAll(/\{(\w+)\}/g, ":$1")}`,
      ),
    );
  };
  const documents = ["/openapi.json", "/compat/openapi.json"];
  const routes = (await Promise.all(documents.map(routesOf))).flat();
  // The pages of the API reference are files of a library.
  const pages = ["/", "/setup", "/sign-in", "/reset", "/invitation", "/w/*", "/assets/*"];
  const operations = ["/docs", "/healthz", "/metrics", "/readyz", ...documents];
  const hidden = ["POST /frame", ...[...pages, ...operations].map((path) => `GET ${path}`)];

  test("lists every route of the service and no other", () => {
    expect(firstColumn("docs/api.md").toSorted()).toEqual([...routes, ...hidden].toSorted());
  });

  test("every route it lists is there", () => {
    for (const line of firstColumn("docs/api.md")) {
      const [method = "", url = ""] = line.split(" ");
      expect(service.app.hasRoute({ method: method as "GET", url }) || url === "/docs", line).toBe(true);
    }
  });
});

describe("prose", () => {
  test("docs/architecture.md has at most 100 lines and shows each storey as server/test/storeys.ts lists it", () => {
    const text = read("docs/architecture.md");
    expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(100);
    expect(text).toContain(picture());
  });

  test("README.md shows each storey as server/test/storeys.ts lists it", () => {
    expect(read("README.md")).toContain(diagram());
  });

  test.each(storeys.slice(1).flatMap(({ name, slices }) => slices.map((slice) => [slice, name])))(
    "server/src/%s/index.ts begins with a sentence that says what the slice is, after its storey's name %s",
    (slice, name) => {
      expect(read(`server/src/${slice}/index.ts`).split("\n")[0]).toMatch(new RegExp(`^// ${name}: .+`));
    },
  );

  const pages = [
    "README.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    ...readdirSync(`${root}docs`, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".md"))
      .map((file) => `docs/${file}`),
  ];

  test.each(pages)("the files that %s names exist", (page) => {
    const text = read(page);
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)].map(([, target = ""]) =>
      fileURLToPath(new URL(target, `file://${root}${page}`)),
    );
    // In a flow `people/profile/find.ts` means server/src/people/profile/find.ts; other documents write the whole path.
    const named = [...text.matchAll(/`((?:[\w-]+\/)+[\w.-]+\.(?:ts|sql|md|js|json))`/g)].map(([, path = ""]) => path);
    for (const file of links) expect(existsSync(file), file).toBe(true);
    for (const file of named)
      expect(existsSync(root + file) || existsSync(`${root}server/src/${file}`), file).toBe(true);
  });

  test("the tests that docs/in-app.md names exist", () => {
    const named = [...read("docs/in-app.md").matchAll(/`([\w./-]+\.test\.ts)`: "([^"]+)"/g)];
    for (const [, file = "", name = ""] of named) expect(read(`server/src/${file}`), file).toContain(`"${name}"`);
    // Every row of a table except its head has one.
    const rows = read("docs/in-app.md").match(/^\| (?!rule |---).*$/gm);
    expect(named.length).toBe(rows?.length);
  });

  test.each(["trigger", "sync", "stream", "impression", "fan-out", "journey"])(
    "docs/flows/%s.md tells the flow by its files",
    (flow) => {
      expect(read(`docs/flows/${flow}.md`).match(/`[\w/-]+\.ts`/g)?.length).toBeGreaterThanOrEqual(4);
    },
  );

  test.each(["node", "web", "react"])("sdk/%s carries the licence and says where it comes from", (name) => {
    expect(read(`sdk/${name}/LICENSE`)).toBe(read("LICENSE"));
    const { license, repository } = JSON.parse(read(`sdk/${name}/package.json`));
    expect(license).toBe("Apache-2.0");
    expect(repository).toEqual({ ...JSON.parse(read("package.json")).repository, directory: `sdk/${name}` });
  });

  test("the forge's workflow runs .ci/run and nothing else, with actions pinned to a commit and no more rights than it needs", () => {
    const workflow = read(".github/workflows/ci.yml");
    expect([...workflow.matchAll(/\brun: (.*)/g)].map(([, command]) => command)).toEqual([".ci/run"]);
    for (const [, action] of workflow.matchAll(/\buses: (.*)/g))
      expect(action).toMatch(/^[\w/-]+@[0-9a-f]{40} # v[\d.]+$/);
    expect(workflow).toContain("\npermissions:\n  contents: read\n\n");
  });

  test("the commands that README and CONTRIBUTING name are scripts of package.json, or npm's own", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    const named = ["README.md", "CONTRIBUTING.md"].flatMap((page) =>
      [...read(page).matchAll(/\bnpm (?:run )?([a-z][\w:-]*)/g)].map(([, name = ""]) => name),
    );
    expect(named).toEqual(expect.arrayContaining(["start", "test", "ci"]));
    for (const name of named) expect(["ci", ...Object.keys(scripts)]).toContain(name);
  });
});
