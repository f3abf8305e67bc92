import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, expect, test, vi } from "vitest";
import { buildPackage } from "../../build.ts";
import { testService } from "../../../server/test/support/service.ts";

// Tests the package as it is published: builds it, checks its types and runs the example of its README.

const run = promisify(execFile);
const root = fileURLToPath(new URL("..", import.meta.url));
const modules = fileURLToPath(new URL("../../../node_modules", import.meta.url));
const tsc = join(modules, "typescript/bin/tsc");

/** The compiler takes seconds on an idle machine, and half a minute on a loaded one. */
vi.setConfig({ testTimeout: 120_000 });
const at = await mkdtemp(join(tmpdir(), "tidings-node-"));
afterAll(() => rm(at, { recursive: true, force: true }));
const own = join(at, "node_modules/@tidings/node");
await mkdir(own, { recursive: true });
await cp(join(root, "package.json"), join(own, "package.json"));
buildPackage(root, join(own, "dist"));
await writeFile(join(at, "package.json"), '{ "type": "module" }');

test("its published types are whole and strict, and refuse what the service would", async () => {
  await writeFile(
    join(at, "use.ts"),
    `import { signPersonToken, Tidings, TidingsError, type BatchItem, type EmailTrigger, type Triggered } from "@tidings/node";
     const tidings = new Tidings({ baseUrl: "http://localhost:4000", secretKey: "tid_sec_x", timeoutMs: 1_000 });
     const email: EmailTrigger = { identifiers: { email: "ada@example.com" }, subject: "s", body: "b", attachments: { a: new Uint8Array() } };
     const sent: Promise<Triggered> = tidings.trigger.email(email, { idempotencyKey: "k", signal: new AbortController().signal });
     const status: "queued" | "suppressed" | "failed" = (await sent).status;
     const items: BatchItem[] = [{ type: "identify", person_id: "a" }, { type: "track", person_id: "a", eventName: "b" }];
     const first: number | undefined = (await tidings.batch(items))[0]?.status;
     const token: string = signPersonToken({ kid: "k", secret: "s", personId: "ada" });
     const code = (error: unknown): string | undefined => (error instanceof TidingsError ? error.code : undefined);
     const named: Promise<Triggered> = tidings.trigger("any_name", { identifiers: { id: "ada" }, message_data: { a: 1 } });
     const batch: Promise<{ status: number; delivery_id?: string }[]> = tidings.trigger.batch([{ channel: "sms", identifiers: { id: "a" }, body: "b" }]);
     // @ts-expect-error two identifiers are one too many
     tidings.trigger.email({ identifiers: { id: "a", email: "b" } });
     // @ts-expect-error an unknown field would be refused
     tidings.trigger.email({ identifiers: { id: "a" }, colour: "red" });
     // @ts-expect-error an event has a name
     tidings.track({ person_id: "a" });
     const count: Promise<number> = tidings.audiences.list({ limit: 1 }).then(({ data }) => data.length);
     // @ts-expect-error a route takes no field that the contract does not have
     tidings.topics.create({ name: "News", default: "subscribed", colour: "red" });
     // @ts-expect-error nor another word than its own
     tidings.broadcasts.list({ status: "sleeping" });
     export { batch, code, count, first, named, status, token };`,
  );
  expect(await compiled("use.ts")).toBe("");
});

/** Returns the compiler's errors for these files, compiled as an application would. */
async function compiled(...files: string[]): Promise<string> {
  const compilerOptions = {
    ...{ strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, noEmit: true, types: ["node"] },
    ...{ target: "es2022", lib: ["es2022"], module: "nodenext", typeRoots: [join(modules, "@types")] },
  };
  await writeFile(join(at, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
  const { stdout } = await run(process.execPath, [tsc, "-p", at]).catch((error: { stdout: string }) => error);
  return stdout;
}

test("names and data of the workspace's own transactionals are checked by the compiler", async () => {
  const it = await testService();
  const make = async (body: object) => {
    const answer = await it.call("POST", "/api/v1/transactionals", {
      body: { name: "T", subscription_preference: "all", ...body },
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  };
  await make({
    trigger_name: "order_confirmation",
    channel: "email",
    content: { subject: "Order {{trigger.order.id}}", body: "{{trigger.note | default: ''}} {{trigger['my field']}}" },
  });
  await make({ trigger_name: "sms.code", channel: "sms", content: { body: "Hello" } });
  const url = await it.service.listen();
  const cli = fileURLToPath(new URL("../../../server/bin/tidings.js", import.meta.url));
  const args = [cli, "types", "--url", url, "--secret-key", it.secretKey, "--out", join(at, "transactionals.ts")];
  expect((await run(process.execPath, args)).stdout).toContain("2 transactionals");
  await writeFile(
    join(at, "typed.ts"),
    `import "./transactionals.js";
     import { Tidings } from "@tidings/node";
     const { trigger } = new Tidings({ baseUrl: "", secretKey: "" });
     const identifiers = { id: "ada" };
     const message_data = { order: { id: 7 }, "my field": true };
     trigger("order_confirmation", { identifiers, message_data: { ...message_data, note: null, more: 1 } }, { idempotencyKey: "k" });
     trigger("sms.code", { identifiers });
     trigger("sms.code", { identifiers, message_data: { anything: 1 }, send_at: new Date() });
     // @ts-expect-error there is no such transactional
     trigger("order_confirmed", { identifiers });
     // @ts-expect-error the data is missing
     trigger("order_confirmation", { identifiers });
     // @ts-expect-error a required field below another is missing
     trigger("order_confirmation", { identifiers, message_data: { order: {}, "my field": 1 } });
     // @ts-expect-error null counts as missing
     trigger("order_confirmation", { identifiers, message_data: { ...message_data, order: { id: null } } });`,
  );
  expect(await compiled("typed.ts", "transactionals.ts")).toBe("");
});

test("is a CommonJS package too, with types of its own", async () => {
  await mkdir(join(at, "old"), { recursive: true });
  await writeFile(join(at, "old/package.json"), '{ "type": "commonjs" }');
  const code = `const { Tidings, verifyWebhook } = require("@tidings/node"); console.log(typeof Tidings, typeof verifyWebhook);`;
  await writeFile(join(at, "old/run.js"), code);
  expect((await run(process.execPath, ["old/run.js"], { cwd: at })).stdout).toBe("function function\n");
  await writeFile(
    join(at, "old/typed.ts"),
    `import tidings = require("@tidings/node"); export = new tidings.Tidings();`,
  );
  expect(await compiled("old/typed.ts")).toBe("");
});

test("the example of the README runs against a service", async () => {
  const it = await testService();
  const [, code = ""] = /```js\n([\s\S]*?)```/.exec(await readFile(join(root, "README.md"), "utf8")) ?? [];
  await writeFile(join(at, "receipt.mjs"), code);
  const env = { TIDINGS_URL: await it.service.listen(), TIDINGS_SECRET_KEY: it.secretKey };
  const { stdout } = await run(process.execPath, ["receipt.mjs"], { cwd: at, env });
  expect(stdout).toMatch(/^queued dlv_\w+\n$/);
  const { data } = (await it.call("GET", "/api/v1/deliveries?person_id=ada")).body;
  expect(data).toHaveLength(1);
});
