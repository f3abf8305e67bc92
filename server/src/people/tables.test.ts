import { expect, onTestFinished, test } from "vitest";
import { testService } from "../../test/support/service.ts";
import { personTables } from "../workspaces/tenant/held-store.ts";

const it = await testService();
const { db } = it.service.ground;

/** Of those who use the dashboard: no people of a workspace, and removed with their account. */
const MEMBERS = "data of members";

/** Tables with data of people but without a `person_key`, by which the others are found: code of their own handles them. */
const APART: Record<string, string> = {
  "broadcast_addresses.address": "a hash; goes with the broadcast",
  "broadcast_pages.person_keys": "hashes that name nobody; go with the broadcast",
  "broadcast_pages.people": "a count",
  "idempotency_keys.answer": "subscriptions/suppression/holds.ts",
  "member_sessions.address": MEMBERS,
  "member_sessions.token_hash": MEMBERS,
  "members.email": MEMBERS,
  "members.email_key": MEMBERS,
  "outbox.recipient": "outbound/providers/outbox-store.ts, forgetCaptures",
  "suppressions.address": "subscriptions/suppression/holds.ts",
};

/** Columns that sound like people, in tables that erase, export and merge would not find. */
async function overlooked(): Promise<string[]> {
  const columns = await db.query<{ name: string }>({
    text: `select c.relname || '.' || a.attname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
        and a.attname ~ 'person|people|recipient|address|email|phone|token|payload|answer|attributes'
        and not exists (select from pg_attribute p where p.attrelid = c.oid and p.attname = 'person_key' and not p.attisdropped)
      order by 1`,
    values: [],
  });
  return columns.map(({ name }) => name).filter((name) => !Object.hasOwn(APART, name));
}

test("no table has data of people that erase, export and merge would not find", async () => {
  expect(await overlooked()).toEqual([]);
});

test("each table with a person_key is held by one slice", async () => {
  const tables = (await personTables(db)).map(({ name }) => name);
  const held = it.service.ground.slices.held.map(({ table }) => table);
  expect(held.filter((table) => tables.includes(table)).sort()).toEqual(tables);
});

test("a table without its person_key is reported", async () => {
  onTestFinished(async () => {
    await db.execute({ text: "drop table forgetful", values: [] });
  });
  await db.execute({ text: "create table forgetful (id uuid primary key, contact_email text)", values: [] });
  expect(await overlooked()).toEqual(["forgetful.contact_email"]);
});

test("the answer that an Idempotency-Key keeps loses the address of an erased person", async () => {
  const email = "Gone@example.test";
  await it.call("POST", "/data-gateway/v1/identify", { body: { person_id: "gone", attributes: { email } } });
  const add = () =>
    it.call("POST", "/api/v1/suppressions", {
      body: { channel: "email", address: email },
      headers: { "idempotency-key": "once" },
    });
  expect((await add()).body.address).toBe("gone@example.test");
  expect((await it.call("DELETE", "/api/v1/people/gone")).status).toBe(204);
  expect(await add()).toMatchObject({ status: 201, body: { address: null, reason: "manual" } });
  const tables = await db.query<{ name: string }>({
    text: "select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'",
    values: [],
  });
  for (const { name } of tables) {
    const rows = await db.query({ text: `select * from ${name}`, values: [] });
    expect(JSON.stringify(rows).toLowerCase(), name).not.toContain("gone@example.test");
  }
});
