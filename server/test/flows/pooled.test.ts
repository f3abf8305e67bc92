import { execFile } from "node:child_process";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { assertPooling } from "../../src/cli/connect/pooling.ts";
import { sql } from "../../src/platform/db/index.ts";
import { testDatabase } from "../support/database.ts";
import { havePgBouncer, pgBouncer } from "../support/network/pgbouncer.ts";
import { swallower } from "../support/network/swallower.ts";
import { testService } from "../support/service.ts";
import { TRIGGER } from "../support/services/transactionals.ts";
import { until } from "../support/wait.ts";

// Two processes behind one PgBouncer in transaction mode, which lends their 70 clients six connections.

vi.setConfig({ testTimeout: 120_000 });

const LENT = 6;
const settings = { pool_mode: "transaction", default_pool_size: String(LENT), max_prepared_statements: "500" };
const encryptionKey = Buffer.alloc(32, 3);
const run = promisify(execFile);
const BIN = fileURLToPath(new URL("../../bin/tidings.js", import.meta.url));

type Started = Awaited<ReturnType<typeof start>>;

async function start() {
  const databaseUrl = await testDatabase();
  const pooler = await pgBouncer(databaseUrl, settings);
  const network = await swallower(pooler.over(databaseUrl));
  const env = {
    DATABASE_URL: network.url,
    DATABASE_DIRECT_URL: databaseUrl,
    ENCRYPTION_KEY: encryptionKey.toString("base64"),
  };
  const options = { databaseUrl: network.url, env, encryptionKey };
  const it = await testService({ ...options, roles: "api,worker" });
  return { databaseUrl, pooler, network, env, it, other: await testService(options) };
}

// Not in a beforeAll: what it starts would outlive the file, because vitest ignores an afterAll there.
const started = havePgBouncer ? await start() : undefined;

describe.runIf(started !== undefined)("behind a pooler in transaction mode", () => {
  // The body is read for its names also where it is skipped.
  const { databaseUrl, pooler, network, env, it, other } = started ?? ({} as Started);

  const made = async (path: string, body: object, status = 201) => {
    const answer = await it.call("POST", path, { body });
    expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBe(status);
    return answer.body;
  };
  const outbox = async () =>
    (await it.call("GET", "/api/v1/outbox?limit=200")).body.data as {
      delivery_id: string;
      message: { subject: string };
    }[];
  const trigger = (n: string) =>
    it.call("POST", TRIGGER, {
      body: { identifiers: { email: `${n}@example.test` }, from: "a@acme.test", subject: n, body: "B" },
    });
  const sync = (person: string, service = it) =>
    service.call("GET", `/data-gateway/v1/in-app/messages/sync?person_id=${person}`, { key: it.publicKey });

  test("what is triggered at once is sent once, over as many connections as the pooler lends", async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, (_, i) => trigger(`many-${i}`)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    const ids = answers.map(({ body }) => body.delivery_id as string).sort();
    await until(async () => (await outbox()).length >= ids.length, "all of it being sent");
    expect((await outbox()).map(({ delivery_id: id }) => id).sort()).toEqual(ids);
    const [{ n }] = (await it.service.ground.db.query<{ n: number }>(
      sql`select count(*) as n from pg_stat_activity where datname = current_database()`,
    )) as [{ n: number }];
    // Beside those: two for signals and up to three for jobs, and what looks at a slow statement.
    expect(n).toBeLessThanOrEqual(LENT + 2 + 3 + 2);
  });

  test("each pool has its own limits in each transaction, and leaves none on the connection", async () => {
    const { db, workDb, interactiveDb } = it.service.ground;
    const limit = sql`select current_setting('statement_timeout') as time, current_setting('plan_cache_mode') as plans,
      current_setting('jit') as jit`;
    for (let round = 0; round < 10; round++) {
      const [a, b, c, d] = await Promise.all([
        db.query(limit),
        workDb.query(limit),
        interactiveDb.query(limit),
        workDb.transaction((tx) => tx.query(limit)),
      ]);
      expect([a, b, c, d]).toEqual([
        [{ time: "15s", plans: "auto", jit: "off" }],
        [{ time: "1min", plans: "force_custom_plan", jit: "off" }],
        [{ time: "5s", plans: "auto", jit: "off" }],
        [{ time: "1min", plans: "force_custom_plan", jit: "off" }],
      ]);
    }
  });

  test("a message that one process queues is announced on a stream of the other, and a broadcast and a campaign reach people", async () => {
    for (const person of ["ada", "joe"])
      await made(
        "/data-gateway/v1/identify",
        { person_id: person, attributes: { crew: true, email: `${person}@example.test` } },
        200,
      );
    const message = await made("/api/v1/in-app-messages", { name: "Hello", render_type: "modal", body: "Hello" });
    const address = await other.service.listen();
    const ended = new AbortController();
    onTestFinished(() => ended.abort());
    const stream = `${address}/data-gateway/v1/in-app/messages/stream?person_id=ada&api_key=${it.publicKey}`;
    const { body: chunks } = await fetch(stream, { signal: ended.signal });
    const heard = { text: "" };
    void (async () => {
      const decoder = new TextDecoder();
      for await (const chunk of chunks ?? []) heard.text += decoder.decode(chunk, { stream: true });
    })().catch(() => {});
    await until(() => heard.text.startsWith(": connected"), "the stream");
    const sent = await made(`/api/v1/in-app-messages/${message.id}/test-sends`, { person_id: "ada" }, 202);
    await until(() => heard.text.includes(sent.delivery_id), "the event");
    expect((await sync("ada", other)).body).toMatchObject([{ delivery_id: sent.delivery_id }]);

    const filter = { attribute: "crew", op: "exists" };
    const everyone = await made("/api/v1/audiences", { name: "Everyone", filter });
    expect((await it.call("GET", `/api/v1/audiences/${everyone.id}/export`)).body).toContain("joe");
    const broadcast = await made("/api/v1/broadcasts", {
      name: "News",
      channel: "email",
      audience: filter,
      content: { from: "a@acme.test", subject: "News", body: "<p>News</p>" },
    });
    await made(`/api/v1/broadcasts/${broadcast.id}/send`, {}, 200);
    const campaign = await made("/api/v1/campaigns", {
      name: "Left",
      trigger: { type: "event", name: "left" },
      steps: [
        { id: "mail", type: "message", channel: "email", content: { from: "a@acme.test", subject: "Left", body: "B" } },
      ],
    });
    await made(`/api/v1/campaigns/${campaign.id}/activate`, {}, 200);
    await made("/data-gateway/v1/track", { person_id: "joe", eventName: "left" }, 202);
    const subjects = async () => (await outbox()).map(({ message }) => message.subject);
    await until(async () => {
      const all = await subjects();
      return all.filter((one) => one === "News").length === 2 && all.includes("Left");
    }, "the broadcast and the campaign");
  });

  test("a backup is made beside the service, over the connection of its own", async () => {
    const folder = await mkdtemp(join(tmpdir(), "tidings-pooled-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, "it.backup");
    await run(process.execPath, [BIN, "backup", file], { env: { ...process.env, ...env } });
    expect((await stat(file)).size).toBeGreaterThan(1_000);
  });

  test("while all connections are lent, requests get 503 after 2 s, and none is lost for it", async () => {
    const { workDb } = it.service.ground;
    let free = () => {};
    const held = new Promise<void>((resolve) => {
      free = resolve;
    });
    const holders = Array.from({ length: LENT }, () =>
      workDb.transaction(async (tx) => {
        await tx.query(sql`select 1`);
        await held;
      }),
    );
    await until(async () => (await sync("ada")).status === 503, "the refusal");
    const { status, headers } = await trigger("refused");
    expect([status, headers["retry-after"]]).toEqual([503, "1"]);
    free();
    await Promise.all(holders);
    await until(async () => (await trigger("taken")).status === 202, "the return");
  });

  test("connections to the pooler that go silent are replaced, and a pooler that stands still is waited for", async () => {
    await Promise.all(Array.from({ length: 16 }, () => sync("ada")));
    network.swallowOpen();
    // A statement that the new connection of the watch overtakes is on a silent one: reads are repeated over another.
    expect((await sync("ada")).status).toBe(200);
    await until(async () => (await trigger("after")).status === 202, "the first write");
    pooler.child.kill("SIGSTOP");
    await until(async () => (await sync("ada")).status === 503, "the refusal");
    pooler.child.kill("SIGCONT");
    await until(async () => (await sync("ada")).status === 200, "the return");
  });

  test("the start refuses addresses that do not fit together, and says what to set", async () => {
    await assertPooling(pooler.over(databaseUrl), databaseUrl);
    await assertPooling(databaseUrl, undefined);
    await expect(assertPooling(pooler.over(databaseUrl), undefined)).rejects.toThrow(/set DATABASE_DIRECT_URL/);
    await expect(assertPooling(databaseUrl, pooler.over(databaseUrl))).rejects.toThrow(/DIRECT_URL is a pooler/);
    await expect(assertPooling(pooler.over(await testDatabase()), databaseUrl)).rejects.toThrow(/different databases/);
    const forgetful = await pgBouncer(databaseUrl, { ...settings, max_prepared_statements: "0" });
    await expect(assertPooling(forgetful.over(databaseUrl), databaseUrl)).rejects.toThrow(/max_prepared_statements/);
    const session = await pgBouncer(databaseUrl, { ...settings, pool_mode: "session" });
    await assertPooling(session.over(databaseUrl), undefined);
  });
});
