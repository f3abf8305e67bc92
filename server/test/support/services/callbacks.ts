import { expect } from "vitest";
import { sql } from "../../../src/platform/db/index.ts";
import { decodeId } from "../../../src/platform/ids.ts";
import type { Call, Kind } from "../callbacks/call.ts";
import { testClock, testService } from "../service.ts";

export const PUBLIC = "https://tidings.example.test";

/** A service that providers call back, with common steps of its tests. */
export async function callbackService() {
  const clock = testClock("2026-05-01T12:00:00Z");
  const it = await testService({ clock, env: { PUBLIC_URL: PUBLIC } });
  const { db } = it.service.ground;

  /** Creates a workspace with one provider and a delivery that the provider accepted. */
  async function setUp(kind: Kind, credentials: Record<string, string> = kind.credentials) {
    const made = await it.another();
    const { settings, channel } = kind;
    const body = { name: "P", channel, kind: kind.kind, settings, credentials };
    const provider = await it.call("POST", "/api/v1/providers", { key: made.secretKey, body });
    expect(provider.status, JSON.stringify(provider.body)).toBe(201);
    const url = `${PUBLIC}/callbacks/${kind.kind}/${provider.body.id}`;
    const sent = (extra: object = {}) => send(made.secretKey, channel, extra);
    return { ...made, url, sent, delivery: await sent(), key: made.secretKey };
  }

  /** Creates a delivery that a provider accepted; no worker runs in this process, so the test writes the outcome. */
  async function send(key: string, channel: "email" | "sms", extra: object = {}): Promise<string> {
    const person = { id: "ada", ...extra };
    const to = channel === "email" ? "ada@example.test" : "+4915112345678";
    const content =
      channel === "email" ? { from: "hello@acme.test", subject: "Hi", body: "<p>Hi</p>" } : { body: "Hi" };
    const body = { identifiers: person, to, ...content };
    const answer = await it.call("POST", `/data-gateway/transactionals/${channel}`, { key, body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(202);
    const id = answer.body.delivery_id as string;
    await db.execute(sql`
      update deliveries set status = 'sent', sent_at = ${clock.now()}, due_at = null where id = ${decodeId("dlv", id)}`);
    return id;
  }

  const post = ({ url, raw, headers }: Call) => it.call("POST", url.slice(PUBLIC.length), { key: null, raw, headers });

  const of = async (key: string, id: string) => (await it.call("GET", `/api/v1/deliveries/${id}`, { key })).body;
  const logged = async (key: string, id: string): Promise<string[]> =>
    (await of(key, id)).events
      .map((event: { type: string }) => event.type)
      .filter((type: string) => !type.endsWith("queued"));
  const suppressions = async (key: string) => {
    const { data } = (await it.call("GET", "/api/v1/suppressions", { key })).body;
    return data.map(({ address, reason, source }: Record<string, string>) => ({ address, reason, source }));
  };

  /** The clock's time plus this number of milliseconds. */
  const at = (ms: number) => new Date(clock.now().getTime() + ms);

  return { it, db, clock, at, setUp, post, of, logged, suppressions };
}
