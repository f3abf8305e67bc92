import { expect, test } from "vitest";
import { transactionalsService } from "../../../test/support/services/transactionals.ts";
import { until } from "../../../test/support/wait.ts";
import { personKey } from "../../workspaces/index.ts";

const { it, send, raw, identify } = await transactionalsService();
const { db } = it.service.ground;

test("erasing reaches every table with a person, and of deliveries it leaves only that they existed", async () => {
  const key = personKey(it.workspaceId, "gone");
  await identify("gone", { email: "gone@example.test", plan: "pro" });
  await identify("stays", { email: "stays@example.test" });
  for (const person_id of ["gone", "stays"]) {
    await it.call("POST", "/data-gateway/v1/track", { body: { person_id, eventName: "came" } });
    await it.call("PUT", "/data-gateway/v1/devices", { body: { person_id, platform: "ios", token: `t-${person_id}` } });
  }
  const sent = await send(raw({ identifiers: { id: "gone" } }));
  await until(
    async () => (await it.call("GET", `/api/v1/deliveries/${sent.body.delivery_id}`)).body.status === "sent",
    "the first message",
  );
  const later = new Date(Date.now() + 3_600_000).toISOString();
  const waiting = await send(raw({ identifiers: { id: "gone" }, send_at: later }));
  expect(waiting.status).toBe(202);

  const other = await it.another();
  const erase = (key = it.secretKey) => it.call("DELETE", "/api/v1/people/gone", { key });
  expect(await erase(other.secretKey)).toMatchObject({ status: 404, body: { code: "person_not_found" } });
  expect((await erase(it.publicKey)).status).toBe(403);
  expect((await erase()).status).toBe(204);
  expect(await erase()).toMatchObject({ status: 404, body: { code: "person_not_found" } });

  const tables = await db.query<{ table_name: string }>({
    text: `select c.table_name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
           where c.column_name = 'person_key' and c.table_schema = 'public' and t.table_type = 'BASE TABLE'`,
    values: [],
  });
  const rows: Record<string, number> = {};
  for (const { table_name } of tables) {
    const found = await db.query({ text: `select * from ${table_name} where person_key = $1`, values: [key] });
    if (found.length > 0) rows[table_name] = found.length;
    // The rows that are left name nobody.
    expect(JSON.stringify(found)).not.toMatch(/example\.test|t-gone|pro"/);
  }
  expect(Object.keys(rows).sort()).toEqual(["activity", "deliveries", "erased_people"]);
  const left = await db.query({
    text: "select status from deliveries where person_key = $1 order by queued_at",
    values: [key],
  });
  expect(left).toEqual([{ status: "sent" }, { status: "canceled" }]);
  const outbox = await it.call("GET", "/api/v1/outbox?limit=200");
  expect(JSON.stringify(outbox.body)).not.toContain("gone@example.test");

  expect((await it.call("GET", "/api/v1/people/stays/devices")).body.data).toHaveLength(1);
  expect((await it.call("GET", "/api/v1/people/stays")).body.email).toBe("stays@example.test");
});
