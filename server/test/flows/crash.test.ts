import { expect, test } from "vitest";
import { testDatabase } from "../support/database.ts";
import { testSmtp } from "../support/mail/smtp.ts";
import { serve } from "../support/tidings.ts";
import { until } from "../support/wait.ts";
import pg from "pg";

// kill -9 between the 202 and the send: the email is still sent, once.

const databaseUrl = await testDatabase();
const secretKey = "tid_sec_crash-test-key";
const env = {
  DATABASE_URL: databaseUrl,
  ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
  BOOTSTRAP_SECRET_KEY: secretKey,
  BOOTSTRAP_PUBLIC_KEY: "tid_pub_crash-test-key",
  LOG_FORMAT: "json",
  ALLOW_PRIVATE_NETWORK: "true",
};

test("a process killed between the 202 and the send loses nothing and sends nothing twice", async () => {
  const smtp = await testSmtp();
  const first = await serve({ ...env, ROLES: "api,worker" });
  const call = async (address: string, method: string, path: string, body?: unknown) => {
    const response = await fetch(address + path, {
      method,
      headers: { authorization: `Bearer ${secretKey}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, string> };
  };
  await call(first.address, "POST", "/api/v1/providers", {
    name: "S",
    channel: "email",
    kind: "smtp",
    settings: { host: "127.0.0.1", port: smtp.port },
  });
  // Its eight connections get no answer, so emails that are triggered now are answered 202 and not sent.
  smtp.next.push(...Array.from({ length: 8 }, () => "stall" as const));
  const ids = new Set<string>();
  for (let i = 0; i < 20; i++) {
    const answer = await call(first.address, "POST", "/data-gateway/transactionals/email", {
      identifiers: { email: `p${i}@example.test` },
      from: "a@acme.test",
      subject: `S${i}`,
      body: "B",
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(202);
    ids.add(answer.body.delivery_id as string);
  }
  await until(() => smtp.attempts.length === 8, "the hand-offs that hang");
  first.kill("SIGKILL");
  await first.exit;
  expect(smtp.received).toEqual([]);

  // The dead process's leases end within 60 s; the test ends them at once.
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("update deliveries set due_at = now() where lease_id is not null");
  const second = await serve({ ...env, ROLES: "worker" });
  await until(() => smtp.received.length >= 20, "all of them being sent");
  await until(async () => {
    const { rows } = await client.query("select count(*)::int as n from deliveries where status = 'sent'");
    return rows[0].n === 20;
  });
  await client.end();
  second.kill("SIGTERM");
  expect(await second.exit).toBe(0);
  const sent = smtp.received.map(({ email }) => email.messageId);
  expect(sent).toHaveLength(20);
  expect(new Set(sent)).toEqual(new Set([...ids].map((id) => `<${id}@acme.test>`)));
}, 180_000);
