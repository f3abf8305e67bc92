import pg from "pg";
import { expect, test, vi } from "vitest";
import { testService } from "../../../test/support/service.ts";
import { tidings } from "../../../test/support/tidings.ts";
import { tablesOf } from "../connect/tables.ts";

vi.setConfig({ testTimeout: 60_000 });

const it = await testService({ roles: "api,worker" });
const address = await it.service.listen();
const env = { DATABASE_URL: it.databaseUrl, ENCRYPTION_KEY: Buffer.alloc(32).toString("base64") };

async function demo(...args: string[]): Promise<string> {
  const command = tidings(["demo", "--url", address, ...args], { env });
  if ((await command.exit) !== 0) throw new Error(command.output());
  return command.stdout();
}

/** How many rows each table has. */
async function rows(): Promise<Record<string, number>> {
  const client = new pg.Client({ connectionString: it.databaseUrl });
  await client.connect();
  const counts: Record<string, number> = {};
  for (const { name } of await tablesOf(client)) {
    const found = await client.query<{ n: number }>(`select count(*)::int as n from ${name}`);
    counts[name] = found.rows[0]?.n ?? 0;
  }
  await client.end();
  return counts;
}

test("the demo plays in a workspace of its own and leaves no row behind", async () => {
  const before = await rows();
  const said = await demo();
  expect(said).toContain("Everything is as it should be.");
  expect(said).toMatch(/the captured email: captured/);
  for (const happened of [
    /after \d+\.\d s, hello: the email "Welcome, Ada" is captured\.\n/,
    /after \d+\.\d s, settle: Ada has waited for a second\.\n/,
    /after \d+\.\d s, plan: the plan is pro, so the run takes "then"\.\n/,
    /after \d+\.\d s, tour: the email "A tour of pro" is captured\.\n/,
  ])
    expect(said).toMatch(happened);
  expect(await rows()).toEqual(before);
});

test("with the keys of a workspace that has a real provider it mails nobody and takes away what it made", async () => {
  const settings = { host: "127.0.0.1", port: 9 };
  const body = { channel: "email", kind: "smtp", name: "Real", settings, credentials: {} };
  expect((await it.call("POST", "/api/v1/providers", { key: it.secretKey, body })).status).toBe(201);
  const said = JSON.parse(await demo("--secret-key", it.secretKey, "--public-key", it.publicKey, "--json"));
  expect(said.ok).toBe(true);
  expect(said.steps.map(({ status }: { status: string }) => status)).toContain("canceled, sent to nobody");
  for (const path of ["people", "transactionals", "in-app-messages", "campaigns"])
    expect((await it.call("GET", `/api/v1/${path}`, { key: it.secretKey })).body.data, path).toEqual([]);
  const [email] = (await it.call("GET", "/api/v1/deliveries?channel=email", { key: it.secretKey })).body.data;
  expect(email).toMatchObject({ status: "canceled", sent_at: null });
  expect((await it.call("GET", "/api/v1/deliveries?source=campaign")).body.data).toMatchObject([
    { channel: "in_app" },
    { channel: "in_app" },
  ]);
});
