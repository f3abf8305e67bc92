import { expect } from "vitest";
import { sql } from "../../../src/platform/db/index.ts";
import { personKey } from "../../../src/workspaces/index.ts";
import { inAppService } from "./in-app.ts";

/** A service with what the tests of analytics need: deliveries that were sent, and the routes' answers. */
export async function analyticsService() {
  const service = await inAppService();
  const { clock, it } = service;
  const { ground } = it.service;
  const { db } = ground;
  const { workspaceId } = it;

  const call = (url: string) => it.call("GET", `/api/v1${url}`);
  async function get(url: string) {
    const answer = await call(url);
    expect(answer.status, `${url} ${JSON.stringify(answer.body)}`).toBe(200);
    return answer.body;
  }
  const settings = async (body: object) => {
    expect((await it.call("PATCH", "/api/v1/workspace", { body })).status).toBe(200);
  };

  /** Inserts deliveries that were sent now. */
  const sendNow = (
    count: number,
    row: { source?: string; sourceId?: string | null; channel?: string; variant?: string; person?: string } = {},
  ) =>
    db.execute(sql`
      insert into deliveries
        (person_key, id, workspace_id, channel, source, source_id, variant, status, queued_at, sent_at)
      select ${personKey(workspaceId, row.person ?? "ada")}, gen_random_uuid(), ${workspaceId},
        ${row.channel ?? "email"}, ${row.source ?? "transactional"},
        ${row.sourceId ?? null}, ${row.variant ?? null}, 'sent', ${clock.now()}, ${clock.now()}
      from generate_series(1, ${count}::integer)`);

  /** Deletes all deliveries, and sets the clock and the time zone. Call it before each test. */
  async function reset(): Promise<void> {
    await db.execute(sql`truncate deliveries, activity`);
    clock.set("2026-03-10T12:00:00.000Z");
    await settings({ timezone: "UTC" });
  }

  return { ...service, ground, call, get, settings, sendNow, reset };
}
