import { expect } from "vitest";
import { type TestService, type TestServiceOptions, testService } from "../service.ts";
import { until } from "../wait.ts";

export const TRIGGER = "/data-gateway/transactionals/email";

/** A service that sends, with common steps of the tests of transactionals. */
export async function transactionalsService(options: TestServiceOptions = {}) {
  const it: TestService = await testService({ roles: "api,worker", ...options });
  let made = 0;

  const make = async (body: Record<string, unknown> = {}, key = it.secretKey) => {
    const answer = await it.call("POST", "/api/v1/transactionals", {
      key,
      body: {
        name: "Order confirmation",
        trigger_name: `order_${++made}`,
        subscription_preference: "subscribed",
        channel: "email",
        content: { subject: "Order {{trigger.order}}", body: "<p>Hi {{person.first_name}}, {{trigger.order}}</p>" },
        ...body,
      },
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body;
  };

  const send = (body: unknown, headers: Record<string, string> = {}) => it.call("POST", TRIGGER, { body, headers });
  const raw = (extra: Record<string, unknown> = {}) => ({
    identifiers: { email: "ada@example.test" },
    subject: "Hello",
    body: "<p>World</p>",
    ...extra,
  });
  const identify = (person_id: string, attributes: Record<string, unknown>) =>
    it.call("POST", "/data-gateway/v1/identify", { body: { person_id, attributes } });
  const captured = async (deliveryId: string) =>
    until(async () => {
      const list = await it.call("GET", "/api/v1/outbox?limit=200");
      return list.body.data.find((entry: { delivery_id: string }) => entry.delivery_id === deliveryId);
    }, `the capture of ${deliveryId}`);
  const deliveries = async () => {
    const rows = await it.service.ground.db.query<{ n: number }>({
      text: "select count(*) as n from deliveries",
      values: [],
    });
    return rows[0]?.n;
  };

  return { it, make, send, raw, identify, captured, deliveries };
}
