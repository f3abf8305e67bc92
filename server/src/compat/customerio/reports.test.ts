import { TrackClient } from "customerio-node";
import { SignJWT } from "jose";
import { expect, test } from "vitest";
import { transactionalsService } from "../../../test/support/services/transactionals.ts";
import { until } from "../../../test/support/wait.ts";

const { it, send, identify } = await transactionalsService();
const address = await it.service.listen();
const client = (key = it.secretKey) =>
  new TrackClient("site", key, {
    url: `${address}/compat/customerio/api/v1`,
    retry: { minTimeoutMs: 1, maxTimeoutMs: 5 },
  });
const cio = client();

const delivery = async (id: string) => (await it.call("GET", `/api/v1/deliveries/${id}`)).body;
const sent = async (person: string) => {
  await identify(person, { email: `${person}@example.test` });
  const { body } = await send({ identifiers: { id: person }, subject: "S", body: "B" });
  await until(async () => (await delivery(body.delivery_id)).status === "sent", "the message to be sent");
  return body.delivery_id as string;
};
const types = async (id: string) => (await delivery(id)).events.map(({ type }: { type: string }) => type);
const status = (call: Promise<unknown>) =>
  call.then(
    () => 200,
    (error) => error.statusCode,
  );

test("a report of a device or a back end about a delivery is in its log, once", async () => {
  const id = await sent("ada");
  await cio.trackPush({ delivery_id: id, event: "delivered" });
  for (let i = 0; i < 2; i++)
    await cio.reportMetric({ delivery_id: id, metric: "opened", timestamp: 1_700_000_000 } as never);
  await cio.reportMetric({ delivery_id: id, metric: "clicked", href: "https://acme.test" } as never);
  await cio.reportMetric({ delivery_id: id, metric: "converted" } as never);
  expect((await types(id)).filter((type: string) => /delivered|opened|clicked/.test(type)).sort()).toEqual([
    "email.clicked",
    "email.delivered",
    "email.opened",
  ]);
  const { opened_at, clicked_at } = await delivery(id);
  expect([opened_at, clicked_at]).toEqual([expect.any(String), expect.any(String)]);
});

test("with a public key only the person of the delivery may report, by a device or by a token", async () => {
  const id = await sent("flo");
  const device = (person_id: string, token: string) =>
    it.call("PUT", "/data-gateway/v1/devices", { body: { person_id, platform: "ios", token } });
  await device("flo", "phone-of-flo");
  await device("gus", "phone-of-gus");
  const app = client(it.publicKey);
  const clicked = (device_id?: string) =>
    status(app.trackPush({ delivery_id: id, event: "clicked", ...(device_id && { device_id }) } as never));
  expect(await clicked()).toBe(404);
  expect(await clicked("phone-of-gus")).toBe(404);
  expect(await clicked("nobody's")).toBe(404);
  expect((await delivery(id)).clicked_at).toBeNull();
  expect(await clicked("phone-of-flo")).toBe(200);
  expect((await delivery(id)).clicked_at).toEqual(expect.any(String));
});

test("if a proof is required, the token says whose report it is", async () => {
  const id = await sent("hal");
  const { body: secret } = await it.call("POST", "/api/v1/signing-secrets");
  await it.call("PATCH", "/api/v1/workspace", { body: { identity_verification: "required" } });
  const clicked = async (person: string) => {
    const token = await new SignJWT({})
      .setProtectedHeader({ alg: "HS256" })
      .setSubject(person)
      .setExpirationTime("1h")
      .sign(Buffer.from(secret.secret));
    const headers = { "x-person-token": token };
    const body = { delivery_id: id, event: "clicked" };
    return (await it.call("POST", "/compat/customerio/api/v1/push/events", { key: it.publicKey, body, headers }))
      .status;
  };
  expect([await clicked("ida"), await clicked("hal")]).toEqual([404, 200]);
  await it.call("PATCH", "/api/v1/workspace", { body: { identity_verification: "off" } });
});

test("a bounce puts the address on the suppression list, and a phone can't report one", async () => {
  const id = await sent("bo");
  await client(it.publicKey).trackPush({ delivery_id: id, event: "bounced" as never });
  expect(await status(client(it.publicKey).reportMetric({ delivery_id: id, metric: "bounced" } as never))).toBe(403);
  expect((await delivery(id)).status).toBe("sent");
  await cio.reportMetric({ delivery_id: id, metric: "bounced", reason: "gone" } as never);
  expect((await delivery(id)).status).toBe("bounced");
  const list = await it.call("GET", "/api/v1/suppressions");
  expect(list.body.data).toMatchObject([{ address: "bo@example.test", reason: "hard_bounce" }]);
});

test("the person of a delivery is unsubscribed, and subscribed again", async () => {
  const id = await sent("cy");
  const subscribed = async () => (await it.call("GET", "/api/v1/people/cy")).body.subscribed;
  await cio.unsubscribe(id);
  expect(await subscribed()).toBe(false);
  expect(await types(id)).toContain("email.unsubscribed");
  await cio.unsubscribe(id, false);
  expect(await subscribed()).toBe(true);
});

test("an unknown delivery and one of another workspace are 404", async () => {
  const id = await sent("di");
  const other = client((await it.another()).secretKey);
  const calls = [
    cio.reportMetric({ delivery_id: "dlv_none", metric: "opened" } as never),
    cio.trackPush({ delivery_id: "d", event: "opened" }),
    cio.unsubscribe("d"),
    other.reportMetric({ delivery_id: id, metric: "opened" } as never),
    other.unsubscribe(id),
  ];
  // All calls are under way at once, so that an error of one is not unhandled while the test waits for another.
  expect(await Promise.all(calls.map(status))).toEqual([404, 404, 404, 404, 404]);
});
