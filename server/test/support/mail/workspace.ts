import { expect } from "vitest";
import { sql } from "../../../src/platform/db/index.ts";
import { decodeId } from "../../../src/platform/ids.ts";
import { testService } from "../service.ts";
import { until } from "../wait.ts";

export const email = (extra: Record<string, unknown> = {}) => ({
  identifiers: { email: "ada@example.test" },
  from: "Acme Ünicode <hello@acme.test>",
  subject: "Grüße",
  body: '<p>Hallo <a href="https://acme.test/x">Welt</a></p>',
  ...extra,
});

/** A service whose workspaces send through SMTP servers of the test, with common steps of its tests. */
export async function mailService() {
  const it = await testService({ roles: "api,worker", env: { ALLOW_PRIVATE_NETWORK: "true" } });
  const { db } = it.service.ground;

  /** Creates a workspace that sends through this server. */
  async function workspaceOn(
    port: number,
    settings: Record<string, unknown> = {},
    extra: Record<string, unknown> = {},
  ) {
    const made = await it.another();
    const provider = await it.call("POST", "/api/v1/providers", {
      key: made.secretKey,
      body: {
        name: "Mail",
        channel: "email",
        kind: "smtp",
        settings: { host: "127.0.0.1", port, ...settings },
        ...extra,
      },
    });
    expect(provider.status, JSON.stringify(provider.body)).toBe(201);
    return { ...made, provider: provider.body };
  }

  async function trigger(key: string, extra: Record<string, unknown> = {}): Promise<string> {
    const answer = await it.call("POST", "/data-gateway/transactionals/email", { key, body: email(extra) });
    expect(answer.status, JSON.stringify(answer.body)).toBe(202);
    return answer.body.delivery_id;
  }

  const logOf = async (key: string, id: string) => (await it.call("GET", `/api/v1/deliveries/${id}`, { key })).body;
  const ended = (key: string, id: string, status: string) =>
    until(async () => {
      const log = await logOf(key, id);
      return log.status === status && log;
    }, `${id} being ${status}`);
  const reasonOf = (key: string, id: string) => until(async () => (await logOf(key, id)).reason, "a reason");
  /** Makes the next attempt due, which is hours ahead. */
  const hurry = (id: string) =>
    db.execute(sql`update deliveries set due_at = now() where id = ${decodeId("dlv", id)} and lease_id is null`);
  return { it, db, workspaceOn, trigger, logOf, ended, reasonOf, hurry };
}
