import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "vite";
import { beforeAll, expect, test, vi } from "vitest";

// Tests the package as it is published and as an application installs it.

const run = promisify(execFile);
const root = fileURLToPath(new URL("..", import.meta.url));
const modules = fileURLToPath(new URL("../../../node_modules/", import.meta.url));
const tsc = join(modules, "typescript/bin/tsc");
/** Compiler and bundler take seconds on an idle machine, and half a minute on a loaded one. */
const PATIENCE_MS = 120_000;
vi.setConfig({ testTimeout: PATIENCE_MS });
let app = "";

beforeAll(async () => {
  app = await mkdtemp(join(tmpdir(), "tidings-react-"));
  const scope = join(app, "node_modules/@tidings");
  for (const name of ["web", "react"]) {
    const source = join(root, "..", name);
    await mkdir(join(scope, name), { recursive: true });
    await cp(join(source, "package.json"), join(scope, name, "package.json"));
    const outDir = join(scope, name, "dist");
    await build({
      configFile: join(source, "vite.config.ts"),
      logLevel: "silent",
      build: { outDir, emptyOutDir: true },
    });
    // Uses the types of the other package as they were just built, not older ones in its folder.
    const paths = { "@tidings/web": [join(scope, "web/dist/index.d.ts")] };
    const compilerOptions = { paths, outDir, rootDir: join(source, "src") };
    const config = join(app, `${name}.json`);
    const include = [join(source, "src/index.ts")];
    await writeFile(config, JSON.stringify({ extends: join(source, "tsconfig.build.json"), compilerOptions, include }));
    await run(process.execPath, [tsc, "-p", config]);
  }
  for (const file of ["styles.css", "styles.d.ts"]) await cp(join(root, file), join(scope, "react", file));
  await mkdir(join(app, "node_modules/@types"));
  for (const name of ["react", "react-dom", "@types/react", "@types/react-dom", "csstype"])
    await symlink(join(modules, name), join(app, "node_modules", name));
  await writeFile(join(app, "package.json"), '{ "type": "module" }');
  return () => rm(app, { recursive: true, force: true });
}, PATIENCE_MS);

test.each([
  ["Bundler", "ESNext"],
  ["NodeNext", "NodeNext"],
])("its types are whole and strict, with module resolution %s", async (moduleResolution, module) => {
  await writeFile(
    join(app, "page.tsx"),
    `import { InboxBell, TidingsOutlet, TidingsProvider, useMessages, useScreen, type Message } from "@tidings/react";
     import "@tidings/react/styles.css";
     export function Page() {
       useScreen("home");
       const messages: readonly Message[] = useMessages("inline");
       // @ts-expect-error a render type that there is not
       useMessages("popup");
       return <p>{messages.length}</p>;
     }
     export const app = (
       <TidingsProvider onDeepLink={(link) => link.startsWith("/")} options={{ baseUrl: "", apiKey: "", personId: "ada" }}>
         <InboxBell />
         <TidingsOutlet banner="bottom" />
       </TidingsProvider>
     );
     // @ts-expect-error neither a client nor options
     export const wrong = <TidingsProvider />;`,
  );
  const compilerOptions = {
    ...{
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      noEmit: true,
      types: [],
      jsx: "react-jsx",
    },
    ...{ target: "es2022", lib: ["es2022", "dom"], module, moduleResolution },
  };
  await writeFile(join(app, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["page.tsx"] }));
  const { stdout } = await run(process.execPath, [tsc, "-p", app]).catch((error: { stdout: string }) => error);
  expect(stdout).toBe("");
});

test("on a server it renders the page without messages, and says nothing", async () => {
  const script = `
    import { createElement as e } from "react";
    import { renderToString } from "react-dom/server";
    import { InAppInline, InboxBell, InboxList, TidingsOutlet, TidingsProvider, useScreen } from "@tidings/react";
    function Page() {
      useScreen("home");
      return [e(InboxBell, { key: 1 }), e(InboxList, { key: 2 }), e(InAppInline, { key: 3 }), e(TidingsOutlet, { key: 4 })];
    }
    const options = { baseUrl: "http://127.0.0.1:1", apiKey: "tid_pub_x", personId: "ada", onError: console.error };
    console.log(renderToString(e(TidingsProvider, { options }, e(Page))));
  `;
  await writeFile(join(app, "server.mjs"), script);
  const { stdout, stderr } = await run(process.execPath, ["server.mjs"], { cwd: app, timeout: PATIENCE_MS });
  expect(stdout).toContain('aria-label="Inbox"');
  expect(stdout).toContain("Nothing here yet.");
  expect(stdout).not.toMatch(/<dialog|style=/);
  expect(stderr).toBe("");
});

test("it can be required, and finds the same of @tidings/web", async () => {
  const script =
    'console.log(typeof require("@tidings/react").TidingsProvider, typeof require("@tidings/web").createTidings)';
  // The package's own build checks the CommonJS types; here the code is enough.
  for (const name of ["web", "react"])
    await writeFile(join(app, "node_modules/@tidings", name, "dist/cjs/package.json"), '{ "type": "commonjs" }');
  const { stdout } = await run(process.execPath, ["--input-type=commonjs", "-e", script], { cwd: app });
  expect(stdout.trim()).toBe("function function");
});

test("a strict Content-Security-Policy has nothing to refuse in it", async () => {
  const code = await readFile(join(app, "node_modules/@tidings/react/dist/index.js"), "utf8");
  expect(code).toMatch(/^"use client";/);
  expect(code).not.toMatch(/\beval\(|new Function|nnerHTML|\.style\b|style:/);
  const css = await readFile(join(root, "styles.css"), "utf8");
  expect(css).not.toMatch(/@import|url\(/);
});

test("every class in the style sheet begins with tidings-, and each is one that a component gives", async () => {
  const css = (await readFile(join(root, "styles.css"), "utf8")).replaceAll(/\/\*.*?\*\//gs, "");
  const code = await readFile(join(app, "node_modules/@tidings/react/dist/index.js"), "utf8");
  const names = new Set([...css.matchAll(/\.([a-z][\w-]*)/g)].map(([, name = ""]) => name));
  expect(names.size).toBeGreaterThan(20);
  for (const name of names) {
    expect(name).toMatch(/^tidings-/);
    expect(code).toContain(name.replace(/--(top|bottom)$/, "--"));
  }
});
