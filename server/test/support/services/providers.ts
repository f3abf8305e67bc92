import { expect } from "vitest";
import { open } from "../../../src/outbound/providers/index.ts";
import type { Provider } from "../../../src/outbound/providers/protocol/provider.ts";
import type { Outcome } from "../../../src/outbound/queue/retry.ts";
import { giveUp } from "../../../src/outbound/sending/give-up.ts";
import type { Ground } from "../../../src/platform/ground.ts";
import { encodeId, newId } from "../../../src/platform/ids.ts";
import type { Setup } from "../providers/kinds.ts";
import { type TestServiceOptions, testService } from "../service.ts";
import { until } from "../wait.ts";

type Channel = "email" | "push" | "sms";

/** A service that may call this machine, with common steps of the tests of providers. */
export async function providerService(options: Pick<TestServiceOptions, "logTo"> = {}) {
  const it = await testService({
    ...options,
    roles: "api,worker",
    env: { ALLOW_PRIVATE_NETWORK: "true", PUBLIC_URL: "https://tidings.example.test" },
  });

  /** Creates a workspace that sends one channel through these providers, in this order. */
  const workspaceWith = async (channel: Channel, providers: { setup: Setup<unknown>; url: string }[]) => {
    const made = await it.another();
    const ids: string[] = [];
    for (const [priority, { setup, url }] of providers.entries()) {
      const body = {
        name: setup.kind,
        channel,
        kind: setup.kind,
        priority,
        settings: setup.settings(url),
        credentials: setup.credentials,
      };
      const answer = await it.call("POST", "/api/v1/providers", { key: made.secretKey, body });
      expect(answer.status, JSON.stringify(answer.body)).toBe(201);
      ids.push(answer.body.id);
    }
    return { key: made.secretKey, ids };
  };
  const trigger = async (key: string, channel: Channel, body: Record<string, unknown>): Promise<string> => {
    const answer = await it.call("POST", `/data-gateway/transactionals/${channel}`, { key, body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(202);
    return answer.body.delivery_id;
  };
  const logOf = async (key: string, id: string) => (await it.call("GET", `/api/v1/deliveries/${id}`, { key })).body;
  const ended = (key: string, id: string, status: string) =>
    until(
      async () => {
        const log = await logOf(key, id);
        return log.status === status && log;
      },
      `${id} being ${status}`,
      30_000,
    );

  /** Gives up what waits, until this delivery has failed: the sender may hold it for a moment, before it sees that the provider rests. */
  const givenUp = (key: string, id: string) =>
    until(async () => {
      await giveUp(it.service.ground);
      const log = await logOf(key, id);
      return log.status === "failed" && log;
    }, `${id} being given up`);

  /** Opens a provider directly, to test the outcomes of its answers. */
  const opened = (
    setup: Setup<unknown>,
    url: string,
    credentials = setup.credentials,
    ground: Ground = it.service.ground,
  ) =>
    open(ground, setup.kind as never, {
      id: newId(),
      workspaceId: newId(),
      settings: setup.settings(url) as never,
      credentials: credentials as never,
    });

  return { it, workspaceWith, trigger, logOf, ended, givenUp, opened };
}

/** Hands one email or text message over, as `handOver` does; `extra` may be the whole of another message. */
export function hand(provider: Provider, extra: Record<string, unknown> = {}, uuid = newId()): Promise<Outcome> {
  const email = !["twilio", "vonage", "http"].includes(provider.kind);
  const deliveryId = encodeId("dlv", uuid);
  const message = email
    ? {
        messageId: `<${deliveryId}@acme.test>`,
        from: { name: "Acme", address: "hello@acme.test" },
        to: { address: "ada@example.test" },
        cc: [],
        bcc: [],
        subject: "Hello",
        html: "<p>Hello</p>",
        text: "Hello",
        headers: {},
        attachments: [],
      }
    : { to: "+4915112345678", body: "Hello" };
  const job = { deliveryId: uuid, recipient: "ada@example.test" };
  return provider.hand({
    job: job as never,
    deliveryId,
    reference: deliveryId,
    message: { ...message, ...extra } as never,
  });
}
