import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test, vi } from "vitest";
import { bundle } from "./support/build.ts";

const run = promisify(execFile);
/** The compiler takes seconds on an idle machine, and half a minute on a loaded one. */
const PATIENCE_MS = 120_000;
vi.setConfig({ testTimeout: PATIENCE_MS });
const code = await bundle();
const root = fileURLToPath(new URL("..", import.meta.url));
const tsc = fileURLToPath(new URL("../../../node_modules/typescript/bin/tsc", import.meta.url));

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "tidings-web-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

test("a page carries at most 8 KB of it, gzipped", () => {
  const bytes = gzipSync(code, { level: 9 }).length;
  expect(bytes).toBeLessThanOrEqual(8 * 1024);
  expect(bytes).toBeGreaterThan(1_000);
});

test("as a script tag it is as small, and gives the page one name", async () => {
  const script = await bundle("iife");
  expect(gzipSync(script, { level: 9 }).length).toBeLessThanOrEqual(8 * 1024);
  const page: { Tidings?: { createTidings(options: object): { messages: unknown[] } } } = {};
  runInNewContext(script, page);
  expect(Object.keys(page)).toEqual(["Tidings"]);
  expect(page.Tidings?.createTidings({ baseUrl: "http://127.0.0.1:1", apiKey: "tid_pub_x" }).messages).toEqual([]);
});

test("it can be required", async () => {
  const at = await folder();
  await writeFile(join(at, "tidings.cjs"), await bundle("cjs"));
  const script = `console.log(Object.keys(require("./tidings.cjs")).sort().join())`;
  const { stdout } = await run(process.execPath, ["-e", script], { cwd: at });
  expect(stdout.trim()).toBe("TidingsError,createTidings");
});

test("a strict Content-Security-Policy has nothing to refuse in it", () => {
  expect(code).not.toMatch(/\beval\(|new Function|\.innerHTML|\.style\b|createElement|setAttribute/);
});

test.each([
  ["Bundler", "ESNext"],
  ["NodeNext", "NodeNext"],
])("its published types are whole and strict, with module resolution %s", async (moduleResolution, module) => {
  const at = await folder();
  const own = join(at, "node_modules/@tidings/web");
  await mkdir(own, { recursive: true });
  await cp(join(root, "package.json"), join(own, "package.json"));
  await run(process.execPath, [tsc, "-p", join(root, "tsconfig.build.json"), "--outDir", join(own, "dist")]);
  await writeFile(join(at, "package.json"), '{ "type": "module" }');
  await writeFile(
    join(at, "page.ts"),
    `import { createTidings, TidingsError, type InboxItem, type Message, type Tidings } from "@tidings/web";
     const tidings: Tidings = createTidings({ baseUrl: "", apiKey: "", onError: (error) => error instanceof TidingsError && error.code });
     const first: Message | undefined = tidings.messages[0];
     const card: InboxItem | undefined = tidings.inbox.items[0];
     const end: () => void = tidings.subscribe((messages) => messages.length);
     // @ts-expect-error a type of message that there is not
     const wrong: boolean = first?.render_type === "popup";
     // @ts-expect-error the key is required
     createTidings({ baseUrl: "" });
     export { card, end, wrong };`,
  );
  const compilerOptions = {
    ...{ strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, noEmit: true, types: [] },
    ...{ target: "es2022", lib: ["es2022", "dom"], module, moduleResolution },
  };
  await writeFile(join(at, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["page.ts"] }));
  const { stdout } = await run(process.execPath, [tsc, "-p", at]).catch((error: { stdout: string }) => error);
  expect(stdout).toBe("");
});

test("imported on a server without any global of a browser it does nothing, and says nothing", async () => {
  const at = await folder();
  await writeFile(join(at, "tidings.mjs"), code);
  const script = `
    for (const name of ["window", "document", "navigator", "fetch", "EventSource", "BroadcastChannel", "localStorage", "crypto"])
      delete globalThis[name];
    const { createTidings } = await import("./tidings.mjs");
    const errors = [];
    const tidings = createTidings({ baseUrl: "http://127.0.0.1:1", apiKey: "tid_pub_x", personId: "ada", onError: (error) => errors.push(String(error)) });
    tidings.subscribe(() => {});
    tidings.setScreen("home");
    tidings.track("seen");
    tidings.identify({ plan: "pro" });
    tidings.impression("dlv_x");
    tidings.inbox.read("dlv_x");
    await Promise.all([tidings.sync(), tidings.inbox.load(), tidings.inbox.more()]);
    const push = await tidings.registerWebPush({ applicationServerKey: "x", serviceWorkerUrl: "/x" });
    tidings.stop();
    await tidings.logout();
    console.log(JSON.stringify({ messages: tidings.messages, items: tidings.inbox.items, push, errors }));
  `;
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", script], {
    cwd: at,
    timeout: PATIENCE_MS,
  });
  expect(JSON.parse(stdout)).toEqual({ messages: [], items: [], push: false, errors: [] });
});
