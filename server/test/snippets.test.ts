import { execFile, spawn } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { errors } from "@tidings/contract/errors/errors";
import { afterAll, describe, expect, test, vi } from "vitest";
import { type Schema, strangeTo } from "./support/docs/documented.ts";
import { makerOf } from "./support/docs/placeholders.ts";
import { testService } from "./support/service.ts";
import { root, type Snippet, snippets } from "./support/docs/snippets.ts";
import { freePort } from "./support/tidings.ts";
import { until } from "./support/wait.ts";

// Runs or compiles every fenced block of README, docs and the packages' pages as it is: newcomers copy them. HTML files are tested in
// sdk/web/test/readme.test.ts.

vi.setConfig({ testTimeout: 120_000 });
const run = promisify(execFile);
const all = snippets();
const encryptionKey = Buffer.alloc(32, 9);
const it = await testService({ roles: "api,worker", encryptionKey });
const address = await it.service.listen();
const document = (await it.call("GET", "/openapi.json", { key: null })).body;
const folder = await mkdtemp(join(tmpdir(), "tidings-snippets-"));
afterAll(() => rm(folder, { recursive: true, force: true }));
await symlink(join(root, "node_modules"), join(folder, "node_modules"));

const skipped = ({ language, info }: Snippet) =>
  language === "text" || language === "mermaid" || info.startsWith("not run: ");
const tried = all.filter((snippet) => !skipped(snippet));
const of = (...languages: string[]) => tried.filter(({ language }) => languages.includes(language));
const isCompiled = ({ language, info }: Snippet) => language !== "js" || info === "in the browser";
/** Replaces the pages' keys (`tid_sec_...`) and addresses by those of a running service. */
const filledIn = (code: string) =>
  code
    .replaceAll("http://localhost:4000", address)
    .replaceAll("tid_sec_...", it.secretKey)
    .replaceAll("tid_pub_...", it.publicKey);

test("each block names its kind, and each that is not run has a reason", () => {
  const known = ["sh", "json", "js", "ts", "tsx", "html", "sql", "text", "mermaid"];
  for (const { at, language, info } of all) {
    if (info.startsWith("not run: ")) expect(info.length, at).toBeGreaterThan(25);
    else expect(known, at).toContain(language);
  }
  // Few blocks are not run.
  expect(all.filter(({ info }) => info.startsWith("not run: ")).length / all.length).toBeLessThan(0.25);
});

describe("commands", async () => {
  const bin = join(folder, "bin");
  await mkdir(bin);
  const script = async (name: string, lines: string) => {
    await writeFile(join(bin, name), `#!/bin/sh\n${lines}\n`);
    await chmod(join(bin, name), 0o755);
  };
  const tidings = `exec "${process.execPath}" "${root}server/bin/tidings.js" "$@"`;
  // A DATA_DIR in the line means the database of that folder.
  await script("npx", `[ "$1" = tidings ] || exit 127\nshift\n[ -z "$DATA_DIR" ] || unset DATABASE_URL\n${tidings}`);
  await script("curl", `exec "${process.execPath}" "${root}server/test/support/docs/curl.mjs" "$@"`);

  test.each(of("sh"))("of $at run", async ({ code }) => {
    const make = makerOf(it, await it.another("Commanded"));
    const env = {
      PATH: `${bin}:${process.env.PATH}`,
      HOME: folder,
      PORT: new URL(address).port,
      DATABASE_URL: it.databaseUrl,
      ENCRYPTION_KEY: encryptionKey.toString("base64"),
      SECRET_KEY: it.secretKey,
      PUBLIC_KEY: it.publicKey,
    };
    await run("sh", ["-e", "-c", filledIn(await make.filled(code))], { cwd: folder, env });
  });
});

describe("JSON", () => {
  test.each(of("json"))("of $at is what the service accepts or answers", async ({ info, code, at }) => {
    const problem = "problem";
    if (info === problem) {
      expect(Object.keys(errors)).toContain(JSON.parse(code).code);
      return;
    }
    const told = /^(answer|item of) (GET) (\S+)$/.exec(info);
    if (told) {
      const [, what, , path = ""] = told;
      const { schema } = document.paths[path].get.responses["200"].content["application/json"];
      expect(strangeTo(JSON.parse(code), what === "answer" ? schema : itemOf(schema))).toEqual([]);
      return;
    }
    const step = info === "step of a campaign";
    const [, method, path] = /^(POST|PUT|PATCH) (\/\S+)$/.exec(step ? "POST /api/v1/campaigns" : info) ?? [];
    if (!path)
      throw new Error(
        `${at}: after json stands \`POST /path\`, \`answer GET /path\`, \`step of a campaign\` or \`not run: \` and why`,
      );
    const own = await it.another("Of a snippet");
    const make = makerOf(it, own);
    for (const person_id of ["ada", "bob"])
      await it.call("POST", "/data-gateway/v1/identify", { key: own.secretKey, body: { person_id } });
    const given = JSON.parse(await make.filled(code));
    const body = step ? { name: "Of a step", trigger: { type: "api" }, steps: [given] } : given;
    const answer = await it.call(method as "POST", await make.filled(path), { key: own.secretKey, body });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    for (const result of answer.body.results ?? []) expect(result.status).toBeLessThan(300);
  });

  test("has an example for each resource that can be created", () => {
    // The examples are sent with a key, which opens no route of a person who uses the dashboard.
    interface Creating {
      responses: object;
      security?: object[];
      requestBody?: { content: object };
    }
    const made = Object.entries<Record<string, Creating>>(document.paths)
      .filter(
        ([path, { post }]) =>
          post && "201" in post.responses && !path.includes("{") && post.security?.[0] && "bearer" in post.security[0],
      )
      // A file is shown as a command.
      .filter(([, { post }]) => post?.requestBody && "application/json" in post.requestBody.content)
      .map(([path]) => path);
    const shown = new Set(all.map(({ info }) => info.replace("POST ", "")));
    expect(made.filter((path) => !shown.has(path))).toEqual([]);
  });
});

const itemOf = (schema: Schema): Schema => schema.properties?.data?.items ?? {};

describe("programs", async () => {
  const programs = of("js", "ts", "tsx");
  const env = {
    PATH: process.env.PATH,
    TIDINGS_URL: address,
    TIDINGS_SECRET_KEY: it.secretKey,
    TIDINGS_WEBHOOK_SECRET: `whsec_${"A".repeat(44)}`,
  };
  const written = async ({ code, language }: Snippet, name: string): Promise<string> => {
    const ending = language !== "js" ? language : code.includes("require(") ? "cjs" : "mjs";
    await writeFile(join(folder, `${name}.${ending}`), filledIn(code));
    return `${name}.${ending}`;
  };

  test.each(programs.filter((one) => !isCompiled(one)))("of $at run", async (snippet) => {
    const file = await written(snippet, `run-${snippet.at.replaceAll(/\W/g, "-")}`);
    const args = ["--conditions=tidings-source", file];
    if (snippet.info !== "server") {
      await run(process.execPath, args, { cwd: folder, env, timeout: 60_000 });
      return;
    }
    const port = await freePort();
    const server = spawn(process.execPath, args, { cwd: folder, env: { ...env, PORT: String(port) }, stdio: "ignore" });
    try {
      // It answers, and refuses calls that are not signed.
      await until(
        () =>
          fetch(`http://127.0.0.1:${port}`, { method: "POST" }).then(
            ({ status }) => status === 400,
            () => false,
          ),
        "the server",
      );
    } finally {
      server.kill();
    }
  });

  test("of other kinds are compiled, with the types of the packages", async () => {
    const files: string[] = [];
    for (const snippet of programs.filter(isCompiled))
      files.push(await written(snippet, `compiled-${snippet.at.replaceAll(/\W/g, "-")}`));
    const compilerOptions = {
      ...{ strict: true, noEmit: true, allowJs: true, checkJs: true, skipLibCheck: true, types: [], jsx: "react-jsx" },
      ...{ target: "es2022", lib: ["es2022", "dom"], module: "esnext", moduleResolution: "bundler" },
      ...{ customConditions: ["tidings-source"], allowImportingTsExtensions: true },
    };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const { stdout } = await run(process.execPath, [tsc, "-p", folder]).catch((error: { stdout: string }) => error);
    expect(stdout).toBe("");
  });
});

test.each(of("sql"))("SQL of $at runs", async ({ code }) => {
  const { default: pg } = await import("pg");
  const client = new pg.Client({ connectionString: it.databaseUrl });
  await client.connect();
  await client.query(code).finally(() => client.end());
});
