import { expect, test } from "vitest";
import { transactionalsService } from "../../../test/support/services/transactionals.ts";
import { until } from "../../../test/support/wait.ts";
import { personKey } from "../../workspaces/index.ts";
import { personTables } from "../../workspaces/tenant/held-store.ts";

const { it, send, raw, identify } = await transactionalsService();
const { db } = it.service.ground;
const exported = (id: string, key = it.secretKey) => it.call("GET", `/api/v1/people/${id}/export`, { key });

test("everything that is stored about a person comes in one document, and nothing about another person", async () => {
  await identify("ada", { email: "ada@example.test", plan: "pro" });
  await identify("eve", { email: "eve@example.test" });
  for (const person_id of ["ada", "eve"]) {
    for (let i = 0; i < 45; i++)
      await it.call("POST", "/data-gateway/v1/track", {
        body: { person_id, eventName: "came", properties: { of: person_id, i } },
      });
    await it.call("PUT", "/data-gateway/v1/devices", { body: { person_id, platform: "ios", token: `t-${person_id}` } });
  }
  const sent = await send(raw({ identifiers: { id: "ada" }, subject: "For Ada" }));
  await until(
    async () => (await it.call("GET", `/api/v1/deliveries/${sent.body.delivery_id}`)).body.status === "sent",
    "the message",
  );
  const message = await it.call("POST", "/api/v1/in-app-messages", {
    body: { name: "Shared", render_type: "modal", body: "The same for all" },
  });
  await it.call("POST", `/api/v1/in-app-messages/${message.body.id}/test-sends`, { body: { person_id: "ada" } });
  const suppressed = { channel: "email", address: "ada@example.test" };
  expect((await it.call("POST", "/api/v1/suppressions", { body: suppressed })).status).toBe(201);
  const preference = { email: false };
  await it.call("PATCH", "/api/v1/people/ada/subscriptions", { body: { channels: preference } });

  const { status, headers, body } = await exported("ada");
  expect([status, headers["cache-control"]]).toEqual([200, "no-store"]);
  expect(body.person).toMatchObject({ person_id: "ada", email: "ada@example.test", attributes: { plan: "pro" } });
  expect(body.preferences).toEqual(preference);
  expect(body.devices).toMatchObject([{ platform: "ios", token: "t-ada" }]);
  expect(body.events.map((event: { properties: { i: number } }) => event.properties.i).sort()).toHaveLength(45);
  expect(new Set(body.events.map((event: { id: string }) => event.id)).size).toBe(45);
  expect(body.deliveries).toHaveLength(2);
  expect(JSON.stringify(body.deliveries)).toContain("For Ada");
  expect(JSON.stringify(body.deliveries)).toContain("The same for all");
  expect(body.deliveries.map((row: { id: string }) => row.id)).toContain(sent.body.delivery_id);
  expect(body.activity.map((row: { type: string }) => row.type)).toContain("email.sent");
  expect(body.outbox).toHaveLength(1);
  expect(body.suppressions).toMatchObject([{ channel: "email", address: "ada@example.test" }]);
  expect(JSON.stringify(body)).not.toMatch(/eve@|"eve"|t-eve|person_key|lease_id/);

  const other = await it.another();
  expect(await exported("ada", other.secretKey)).toMatchObject({ status: 404, body: { code: "person_not_found" } });
  expect((await exported("ada", it.publicKey)).status).toBe(403);
});

test("a table that a later migration adds is exported, merged and erased without being named anywhere", async () => {
  for (const [name, key] of [
    ["later_facts", "person_key, id"],
    ["later_log", "id"],
  ])
    await db.execute({
      text: `create table ${name} (person_key uuid not null, id uuid not null, "Secret Note" text, primary key (${key}))`,
      values: [],
    });
  await db.execute({ text: "create table later_marks (person_key uuid primary key)", values: [] });
  for (const id of ["from", "into"]) {
    await identify(id, {});
    await db.execute({ text: "insert into later_marks values ($1)", values: [personKey(it.workspaceId, id)] });
    for (const table of ["later_facts", "later_log"])
      await db.execute({
        text: `insert into ${table} values ($1, gen_random_uuid(), $2)`,
        values: [personKey(it.workspaceId, id), `note-${id}`],
      });
  }
  const names = (await personTables(db)).map((table) => table.name);
  const { body: before } = await exported("from");
  expect(Object.keys(before)).toEqual(expect.arrayContaining(names.filter((name) => name !== "people")));
  expect(before.later_facts).toMatchObject([{ "Secret Note": "note-from" }]);
  expect(before.later_marks).toEqual([{}]);

  expect((await it.call("POST", "/api/v1/people/from/merge", { body: { into: "into" } })).status).toBe(200);
  const { body: merged } = await exported("into");
  for (const table of ["later_facts", "later_log"])
    expect(merged[table].map((row: Record<string, string>) => row["Secret Note"]).sort()).toEqual([
      "note-from",
      "note-into",
    ]);

  expect((await it.call("DELETE", "/api/v1/people/into")).status).toBe(204);
  for (const table of ["later_facts", "later_log"])
    expect(await db.query({ text: `select * from ${table}`, values: [] })).toEqual([]);
  await db.execute({ text: "drop table later_facts, later_log, later_marks", values: [] });
});
