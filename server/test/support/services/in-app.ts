import { expect } from "vitest";
import { sql } from "../../../src/platform/db/index.ts";
import { decodeId } from "../../../src/platform/ids.ts";
import { testClock, testService } from "../service.ts";

export const MESSAGES = "/data-gateway/v1/in-app/messages";

/** A service at noon of a fixed day, with common steps of the tests of in-app messages. */
export async function inAppService(env: Record<string, string> = {}) {
  const clock = testClock("2026-03-10T12:00:00.000Z");
  const it = await testService({ clock, env });

  async function identify(personId: string, attributes: object = {}): Promise<void> {
    const answer = await it.call("POST", "/data-gateway/v1/identify", { body: { person_id: personId, attributes } });
    expect(answer.status).toBe(200);
  }

  async function define(definition: object = {}): Promise<string> {
    const body = { name: "Test", render_type: "modal", body: "Hello", ...definition };
    const answer = await it.call("POST", "/api/v1/in-app-messages", { body });
    expect(answer.body).toMatchObject({ version: 1 });
    return answer.body.id;
  }

  /** Removes an in-app message that something uses, as an earlier version of the service allowed. */
  const removeUsed = (messageId: string) =>
    it.service.ground.db.execute(
      sql`update in_app_messages set deleted_at = ${clock.now()} where id = ${decodeId("msg", messageId)}`,
    );

  async function send(messageId: string, personId: string): Promise<string> {
    const answer = await it.call("POST", `/api/v1/in-app-messages/${messageId}/test-sends`, {
      body: { person_id: personId },
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(202);
    return answer.body.delivery_id;
  }

  async function sync(personId: string, query = ""): Promise<{ delivery_id: string; [name: string]: unknown }[]> {
    const answer = await it.call("GET", `${MESSAGES}/sync?person_id=${personId}${query}`, { key: it.publicKey });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body;
  }

  const report = (deliveryId: string, type: string, body: object, headers: Record<string, string> = {}) =>
    it.call("POST", `${MESSAGES}/${deliveryId}/${type}`, { key: it.publicKey, body, headers });

  return { clock, it, identify, define, removeUsed, send, sync, report };
}
