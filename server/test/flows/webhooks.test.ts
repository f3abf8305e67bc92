import pg from "pg";
import { expect, test } from "vitest";
import { testDatabase } from "../support/database.ts";
import { receiver, verifies } from "../support/network/receiver.ts";
import { serve } from "../support/tidings.ts";
import { until } from "../support/wait.ts";

// kill -9 while events are collected and while calls are under way: each event still arrives, with its first id.

const databaseUrl = await testDatabase();
const far = await receiver();
const secretKey = "tid_sec_webhook-crash-key";
const env = {
  DATABASE_URL: databaseUrl,
  ENCRYPTION_KEY: Buffer.alloc(32, 9).toString("base64"),
  BOOTSTRAP_SECRET_KEY: secretKey,
  BOOTSTRAP_PUBLIC_KEY: "tid_pub_webhook-crash-key",
  ALLOW_PRIVATE_NETWORK: "true",
  LOG_FORMAT: "json",
};

const post = async (address: string, path: string, body: unknown) => {
  const response = await fetch(address + path, {
    method: "POST",
    headers: { authorization: `Bearer ${secretKey}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(response.status).toBeLessThan(300);
  return (await response.json()) as Record<string, string>;
};

test("a process killed while it collects, and one killed while its calls hang, lose no event", async () => {
  const people: string[] = [];
  const identify = async (address: string, name: string) => {
    people.push(name);
    await post(address, "/data-gateway/v1/identify", { person_id: name, attributes: {} });
  };

  // Its calls get no answer.
  far.answer = () => {};
  const first = await serve({ ...env, ROLES: "api,worker" });
  const hook = await post(first.address, "/api/v1/webhooks", { url: far.url, types: ["person.identified"] });
  for (let i = 0; i < 20; i++) await identify(first.address, `hangs-${i}`);
  await until(() => far.calls.length >= 8, "the calls that hang");
  first.kill("SIGKILL");
  await first.exit;

  // Killed right after the last answer: some of its events are rows by now, the others are not.
  const second = await serve({ ...env, ROLES: "api,worker" });
  for (let i = 0; i < 20; i++) await identify(second.address, `cut-${i}`);
  second.kill("SIGKILL");
  await second.exit;

  far.answer = (response) => void response.writeHead(204).end();
  // The dead process's leases end within 60 s, and retries wait; the test ends both at once.
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("update webhook_deliveries set due_at = now() where due_at is not null");
  const third = await serve({ ...env, ROLES: "worker" });
  await until(async () => {
    const { rows } = await client.query("select count(*)::int as n from webhook_deliveries where status = 'delivered'");
    return rows[0].n === people.length;
  }, "every event to be delivered");
  await client.end();
  third.kill("SIGTERM");
  expect(await third.exit).toBe(0);

  const ids = new Map<unknown, Set<string>>();
  for (const call of far.calls) {
    expect(verifies(hook.secret as string, call)).toBe(true);
    const person = call.event.data.person_id;
    ids.set(person, (ids.get(person) ?? new Set()).add(String(call.headers["webhook-id"])));
  }
  expect([...ids.keys()].toSorted()).toEqual(people.toSorted());
  for (const [person, its] of ids) expect(its.size, String(person)).toBe(1);
}, 240_000);
