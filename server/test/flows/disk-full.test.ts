import { expect, test } from "vitest";
import { sql } from "../../src/platform/db/index.ts";
import { inShards } from "../support/database/citus.ts";
import { testService } from "../support/service.ts";
import { TRIGGER } from "../support/services/transactionals.ts";
import { until } from "../support/wait.ts";

// Simulates a full disk inside the database: every write is refused with PostgreSQL's code for it.

const it = await testService();
const { db } = it.service.ground;

test.skipIf(inShards)(
  "a full disk is answered 503 with Retry-After, readiness reports it, and reads still work",
  async () => {
    await db.execute(sql`
    create function full_disk() returns trigger language plpgsql as $$ begin raise 'could not extend file: No space left on device' using errcode = '53100'; end $$`);
    await db.execute(sql`
    create function full_disk_too() returns event_trigger language plpgsql as $$ begin raise 'No space left on device' using errcode = '53100'; end $$`);
    for (const table of ["people", "activity", "deliveries"])
      await db.execute({
        text: `create trigger full_disk before insert on ${table} execute function full_disk()`,
        values: [],
      });
    const ready = () => it.call("GET", "/readyz", { key: null });
    expect((await ready()).status).toBe(200);
    await db.execute(
      sql`create event trigger full_disk on ddl_command_start when tag in ('CREATE TABLE AS') execute function full_disk_too()`,
    );

    const answers = [
      await it.call("POST", "/data-gateway/v1/identify", { body: { person_id: "ada", attributes: { plan: "pro" } } }),
      await it.call("POST", TRIGGER, {
        body: { identifiers: { email: "ada@example.test" }, from: "a@acme.test", subject: "S", body: "B" },
      }),
    ];
    for (const answer of answers) {
      expect(answer.status, JSON.stringify(answer.body)).toBe(503);
      expect(answer.body).toMatchObject({ code: "unavailable", detail: expect.stringContaining("can't write") });
      expect(answer.headers["retry-after"]).toBe("5");
    }
    expect((await it.call("GET", "/api/v1/people")).status).toBe(200);
    expect(await ready()).toMatchObject({ status: 503, body: { parts: { database: "can't write" } } });

    await db.execute(sql`drop event trigger full_disk`);
    await until(async () => (await ready()).status === 200, "readiness");
  },
);
