import { expect } from "vitest";
import { type Call, type Receiver, receiver } from "../network/receiver.ts";
import { testService } from "../service.ts";

export const HOOKS = "/api/v1/webhooks";

/** A service that calls webhooks of this machine, with common steps of its tests. */
export async function webhookService() {
  const it = await testService({ roles: "api,worker", env: { ALLOW_PRIVATE_NETWORK: "true" } });
  const { db } = it.service.ground;

  async function hooked(extra: Record<string, unknown> = {}, key = it.secretKey) {
    const far = await receiver();
    const made = await it.call("POST", HOOKS, { key, body: { url: far.url, ...extra } });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    return { far, id: made.body.id as string, secret: made.body.secret as string };
  }

  const identify = (person_id: string, key = it.secretKey, at = it) =>
    at.call("POST", "/data-gateway/v1/identify", {
      key,
      body: { person_id, attributes: { email: `${person_id}@example.test` } },
    });

  const send = async (key = it.secretKey) => {
    const answer = await it.call("POST", "/data-gateway/transactionals/email", {
      key,
      body: { identifiers: { email: "ada@example.test" }, subject: "Hello", body: "<p>World</p>" },
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(202);
    return answer.body.delivery_id as string;
  };

  /** Returns the calls of one kind, once there are any. */
  const heard = (far: Receiver, type: string): [Call, ...Call[]] | undefined => {
    const [first, ...more] = far.of(type);
    return first && [first, ...more];
  };

  const log = async (id: string, key = it.secretKey) =>
    (await it.call("GET", `${HOOKS}/${id}/deliveries`, { key })).body.data;
  /** Ends every wait that is stored in the database. */
  const hurry = () =>
    db.execute({
      text: "update webhook_deliveries set due_at = now() where lease_id is null and due_at > now()",
      values: [],
    });
  const set = (text: string, ...values: unknown[]) => db.execute({ text, values });

  return { it, db, hooked, identify, send, heard, log, hurry, set };
}
