import { expect, inject, test, vi } from "vitest";
import { databaseAt, inShards, join } from "../../../test/support/database/citus.ts";
import { fillEveryTable } from "../../../test/support/database/filled.ts";
import { tablesOfPeople } from "../../../test/support/database/tables.ts";
import { createdDatabase, testDatabase } from "../../../test/support/database.ts";
import { testService } from "../../../test/support/service.ts";
import { tidings } from "../../../test/support/tidings.ts";
import { until } from "../../../test/support/wait.ts";
import { migrate } from "../../platform/db/index.ts";
import { connected } from "../connect/services.ts";
import { tablesOf } from "../connect/tables.ts";
import { refusal } from "./distribute.ts";

vi.setConfig({ testTimeout: 180_000 });

const key = Buffer.alloc(32, 7).toString("base64");
const run = (url: string, ...args: string[]) =>
  tidings(["distribute", ...args], { env: { DATABASE_URL: url, ENCRYPTION_KEY: key } });

/** Returns every row of every table as text. */
const contents = (url: string): Promise<Record<string, string[]>> =>
  connected(url, async (client) => {
    const found: Record<string, string[]> = {};
    for (const { name } of await tablesOf(client)) {
      const { rows } = await client.query(`select to_jsonb(t)::text as row from ${name} t`);
      found[name] = rows.map(({ row }) => row).sort();
    }
    return found;
  });

/** A database of the cluster that is not distributed yet. */
async function wholeDatabase(): Promise<string> {
  const { nodes } = inject("databases");
  const name = await createdDatabase();
  await join(nodes, name);
  const url = databaseAt(nodes[0], name);
  await migrate(url);
  return url;
}

const GOOD = { version: "13.2-1", coordinates: true, takers: 2, shards: null, endsDeadlocks: true };

test.each([
  [{ version: null }, undefined, /no Citus: create the extension/],
  [{ version: "12.1-1" }, undefined, /needs 13\.1 or newer/],
  [{ version: "13.0-4" }, undefined, /needs 13\.1 or newer/],
  [{ coordinates: false }, undefined, /must lead to the coordinator/],
  [{ takers: 0 }, undefined, /no node takes shards/],
  [{ endsDeadlocks: false }, undefined, /distributed_deadlock_detection_factor is off/],
  [{ shards: 32 }, 64, /in 32 shards already/],
] as const)("a cluster with %j is refused with what to do", (wrong, shards, why) => {
  expect(refusal({ ...GOOD, ...wrong }, shards)).toMatch(why);
});

test("a cluster that is ready is not refused, nor is a run that goes on", () => {
  for (const cluster of [GOOD, { ...GOOD, version: "13.1-1" }, { ...GOOD, version: "14.0-1", shards: 32 }])
    expect(refusal(cluster, undefined)).toBeUndefined();
  expect(refusal({ ...GOOD, shards: 32 }, 32)).toBeUndefined();
});

test.skipIf(inShards)("a database without Citus is refused, and has its triggers still", async () => {
  const url = await testDatabase();
  const command = run(url);
  expect(await command.exit).toBe(1);
  expect(command.output()).toMatch(/this database has no Citus/);
  const triggers = await connected(url, (client) =>
    client.query("select from pg_trigger where tgname like 'deliveries_count_%'"),
  );
  expect(triggers.rowCount).toBeGreaterThan(0);
});

test.each(["0", "x", "2000", "1.5"])("--shards %s is refused", async (number) => {
  const command = run("postgres://127.0.0.1:1/none", "--shards", number);
  expect(await command.exit).toBe(1);
  expect(command.output()).toContain("--shards is a whole number from 1 to 1024");
});

test.skipIf(!inShards)(
  "a filled database is put on the cluster, though the command is cut off, and has every row",
  async () => {
    const url = await wholeDatabase();
    const before = await testService({ databaseUrl: url, encryptionKey: Buffer.alloc(32, 7), roles: "api,worker" });
    expect(before.service.ground.db.distributed).toBe(false);
    const { secretKey: secret, publicKey } = before;
    await before.call("POST", "/data-gateway/v1/identify", { body: { person_id: "ada", attributes: { plan: "pro" } } });
    const mail = { identifiers: { id: "ada" }, to: "ada@example.com", from: "a@example.com", subject: "s", body: "b" };
    const sent = await before.call("POST", "/data-gateway/transactionals/email", { body: mail });
    expect(sent.status).toBe(202);
    const refused = run(url);
    expect(await refused.exit).toBe(1);
    expect(refused.output()).toMatch(/stop all its processes first/);
    await before.service.stop();
    const tables = (await connected(url, tablesOf)).map(({ name }) => name);
    await fillEveryTable(url, tables, { audiences: { kind: "list", filter: null }, broadcasts: { audience_id: null } });
    const rows = await contents(url);

    const dry = run(url, "--dry-run", "--json");
    expect(await dry.exit, dry.output()).toBe(0);
    const planned = JSON.parse(dry.stdout()).steps as { what: string; table: string }[];
    const spread = (steps: typeof planned) => steps.filter(({ what }) => what === "spread").map(({ table }) => table);
    expect(spread(planned).toSorted()).toEqual(tablesOfPeople().toSorted());
    expect(await contents(url)).toEqual(rows);

    const cut = run(url, "--shards", "4");
    await until(() => cut.output().includes("spread people"), "people being spread");
    cut.kill("SIGKILL");
    await cut.exit;
    const rest = run(url, "--shards", "4", "--json");
    expect(await rest.exit, rest.output()).toBe(0);
    expect(spread(JSON.parse(rest.stdout()).steps).length).toBeLessThanOrEqual(spread(planned).length);
    expect(await contents(url)).toEqual(rows);
    const again = run(url);
    expect(await again.exit, again.output()).toBe(0);
    expect(again.output()).toContain("nothing is left to do");
    const other = run(url, "--shards", "8");
    expect(await other.exit).toBe(1);
    expect(other.output()).toContain("people are in 4 shards already");

    const doctor = (): Promise<{ check: string; state: string; detail: string }[]> => {
      const command = tidings(["doctor", "--json"], { env: { DATABASE_URL: url, ENCRYPTION_KEY: key } });
      return command.exit.then(() => JSON.parse(command.stdout()));
    };
    const shards = async () => (await doctor()).find(({ check }) => check === "shards");
    expect(await shards()).toMatchObject({ state: "ok", detail: expect.stringContaining("in 4 shards on 2 nodes") });
    await connected(url, (client) =>
      client.query("create table next_of_people (person_key uuid, id uuid, primary key (person_key, id))"),
    );
    expect(await shards()).toMatchObject({ state: "fail", detail: expect.stringMatching(/^next_of_people left/) });
    const later = run(url, "--json");
    expect(await later.exit, later.output()).toBe(0);
    expect(JSON.parse(later.stdout()).steps).toMatchObject([
      { what: "spread", table: "next_of_people" },
      { what: "clear" },
    ]);

    const after = await testService({ databaseUrl: url, encryptionKey: Buffer.alloc(32, 7), roles: "api,worker" });
    expect(after.service.ground.db.distributed).toBe(true);
    const ada = await after.call("GET", "/api/v1/people/ada", { key: secret });
    expect(ada.body).toMatchObject({ attributes: { plan: "pro" } });
    const delivery = await after.call("GET", `/api/v1/deliveries/${sent.body.delivery_id}`, { key: secret });
    expect(delivery.status).toBe(200);
    const event = await after.call("POST", "/data-gateway/v1/track", {
      key: publicKey,
      body: { person_id: "ada", eventName: "x" },
    });
    expect(event.status).toBe(202);
    expect((await after.call("POST", "/data-gateway/transactionals/email", { key: secret, body: mail })).status).toBe(
      202,
    );
  },
);

test.skipIf(!inShards)("a dry run tells the steps in words, also while a service runs", async () => {
  const it = await testService({ databaseUrl: await wholeDatabase() });
  const dry = run(it.databaseUrl, "--dry-run");
  expect(await dry.exit, dry.output()).toBe(0);
  expect(dry.output()).toMatch(/^remove the triggers that count deliveries/m);
  expect(dry.output()).toMatch(/^give each node a copy of topics \(\d+\.\d MB\)$/m);
  expect(dry.output()).toMatch(/^spread deliveries into shards \(\d+\.\d MB\)$/m);
  expect(dry.output()).toMatch(/steps to do\. Nothing was changed\.$/m);
});
