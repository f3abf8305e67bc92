import { request as forward, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import type * as contract from "@tidings/contract/messages/transactionals";
import { afterAll, describe, expect, expectTypeOf, test } from "vitest";
import { pngOf } from "../../../server/test/support/images.ts";
import { testService } from "../../../server/test/support/service.ts";
import { type BatchItem, type EmailTrigger, signPersonToken, Tidings, type Triggered } from "../src/index.ts";

// The client against the real service.

const it = await testService();
const baseUrl = await it.service.listen();
const tidings = new Tidings({ baseUrl, secretKey: it.secretKey });

/** A road to the service on which the first `drops` answers are lost after the service has done its work. */
async function lossy(drops: number): Promise<{ baseUrl: string; lost: () => number }> {
  let lost = 0;
  const server = createServer((request, response) => {
    const { method, url, headers } = request;
    const onwards = forward(baseUrl + url, { method, headers }, (answer) => {
      if (lost < drops) {
        answer.resume().on("end", () => {
          lost++;
          response.destroy();
        });
      } else {
        answer.pipe(response.writeHead(answer.statusCode ?? 500, answer.headers));
      }
    });
    // Without a listener it would end the process.
    onwards.on("error", () => response.destroy());
    request.pipe(onwards);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, lost: () => lost };
}

test("an image is uploaded from a Blob, and is there at its address", async () => {
  const file = new File([new Uint8Array(pngOf(4, 3))], "logo.png", { type: "image/png" });
  const image = await tidings.media.upload({ file, name: "Logo", alt: "The logo of Acme" });
  expect(image).toMatchObject({ name: "Logo", alt: "The logo of Acme", kind: "png", width: 4, height: 3 });
  const shown = await fetch(`${baseUrl}/media/${image.file}`);
  expect([shown.status, shown.headers.get("content-type")]).toEqual([200, "image/png"]);
  // A name that is not given is that of the file.
  expect(await tidings.media.upload({ file: new File([new Uint8Array(pngOf(5, 3))], "b.png") })).toMatchObject({
    name: "b.png",
  });
  await expect(tidings.media.upload({ file: new Blob(["no image"]) })).rejects.toMatchObject({ code: "image_refused" });
});

const deliveriesOf = async (personId: string) =>
  (await it.call("GET", `/api/v1/deliveries?person_id=${encodeURIComponent(personId)}`)).body.data;

describe("the client against the service", () => {
  test("every field of the contract's email trigger can be sent", async () => {
    expectTypeOf<keyof EmailTrigger>().toEqualTypeOf<keyof contract.EmailTrigger>();
    expectTypeOf<Triggered>().toEqualTypeOf<contract.Triggered>();
    const all: Required<EmailTrigger> = {
      transactional_message_id: "receipt",
      identifiers: { id: "all-fields" },
      message_data: { order: 7 },
      subscription_preference: "all",
      to: "ada@example.com",
      subject: "Order {{trigger.order}}",
      body: "<p>Thank you</p>",
      plaintext_body: "Thank you",
      preheader: "Your order",
      from: "Acme <hello@acme.test>",
      reply_to: "help@acme.test",
      cc: ["cc@example.com"],
      bcc: ["bcc@example.com"],
      headers: { "X-Order": "7" },
      attachments: {
        "a.txt": new TextEncoder().encode("from bytes"),
        "b.txt": Buffer.from("from base64").toString("base64"),
      },
      send_at: new Date(Date.now() + 3_600_000),
      expires_in: 600,
      disable_message_retention: false,
    };
    await it.call("POST", "/api/v1/transactionals", {
      body: {
        name: "Receipt",
        trigger_name: "receipt",
        subscription_preference: "all",
        channel: "email",
        content: { subject: "s", body: "b" },
      },
    });
    const answer = await tidings.trigger.email(all);
    expect(answer).toMatchObject({ person_id: "all-fields", status: "queued" });
    expect(answer.delivery_id).toMatch(/^dlv_/);
  });

  test("an answer that is lost after the work is done sends nothing twice", async () => {
    const road = await lossy(2);
    const far = new Tidings({ baseUrl: road.baseUrl, secretKey: it.secretKey });
    const email = {
      identifiers: { id: "lost-answer" },
      to: "ada@example.com",
      from: "a@acme.test",
      subject: "s",
      body: "b",
    };
    const answer = await far.trigger.email(email);
    expect(road.lost()).toBe(2);
    expect(await deliveriesOf("lost-answer")).toMatchObject([{ id: answer.delivery_id }]);
    await far.trigger.email(email);
    expect(await deliveriesOf("lost-answer")).toHaveLength(2);
  });

  test("a key of one's own holds for two calls, and for one body only", async () => {
    const email = {
      identifiers: { id: "own-key" },
      to: "ada@example.com",
      from: "a@acme.test",
      subject: "s",
      body: "b",
    };
    const options = { idempotencyKey: "receipt-1234" };
    const [first, second] = [await tidings.trigger.email(email, options), await tidings.trigger.email(email, options)];
    expect(second).toEqual(first);
    await expect(tidings.trigger.email({ ...email, subject: "other" }, options)).rejects.toMatchObject({
      code: "idempotency_key_reused",
      status: 422,
      requestId: expect.any(String),
    });
  });

  test("what the service refuses is an error with its code and fields", async () => {
    const missing = tidings.trigger.email({ transactional_message_id: "none", identifiers: { id: "x" } });
    await expect(missing).rejects.toMatchObject({ code: "transactional_not_found", status: 404 });
    const wrong = { identifiers: {}, colour: "red" } as unknown as EmailTrigger;
    const error = await tidings.trigger.email(wrong).catch((thrown) => thrown);
    expect(error).toMatchObject({ code: "invalid_request", status: 400 });
    expect(error.errors.length).toBeGreaterThan(0);
  });

  test("identify, track and devices", async () => {
    const person_id = "person with spaces/é";
    expect(await tidings.identify({ person_id, attributes: { plan: "pro" } })).toEqual({ person_id, created: true });
    expect(await tidings.identify({ person_id, ts: new Date() })).toEqual({ person_id, created: false });
    expect(await tidings.track({ person_id, eventName: "order_placed", event_id: "e-1" })).toMatchObject({
      recorded: true,
    });
    expect(await tidings.track({ person_id, eventName: "order_placed", event_id: "e-1" })).toMatchObject({
      recorded: false,
    });
    const { device_id } = await tidings.devices.register({ person_id, platform: "ios", token: "token-1" });
    expect(device_id).toMatch(/^dev_/);
    expect(await tidings.devices.remove({ person_id, token: "token-1" })).toBeUndefined();
  });

  test("an event whose answer was lost counts once", async () => {
    const road = await lossy(1);
    const far = new Tidings({ baseUrl: road.baseUrl, secretKey: it.secretKey });
    const again = await far.track({ person_id: "lost-event", eventName: "order_placed" });
    expect(road.lost()).toBe(1);
    expect(again.recorded).toBe(false);
  });

  test("a run of a campaign whose answer was lost is one run", async () => {
    const steps = [{ id: "pause", type: "wait" as const, for: { amount: 1, unit: "days" as const } }];
    const { id } = await tidings.campaigns.create({
      name: "Lost answer",
      trigger: { type: "api" },
      reentry: "always",
      steps,
    });
    await tidings.campaigns.activate(id);
    await tidings.identify({ person_id: "lost-run" });
    const road = await lossy(1);
    const far = new Tidings({ baseUrl: road.baseUrl, secretKey: it.secretKey });
    const { run_id } = await far.campaigns.startRun(id, { person_id: "lost-run" });
    expect(road.lost()).toBe(1);
    expect((await tidings.campaigns.runs(id)).data.map((run) => run.id)).toEqual([run_id]);
  });

  test("a batch of 2,500 goes in three requests, with a result for each item in its place", async () => {
    const items: BatchItem[] = Array.from({ length: 2_500 }, (_, i) =>
      i % 2
        ? { type: "track", person_id: `b-${i % 50}`, eventName: "seen" }
        : { type: "identify", person_id: `b-${i % 50}`, attributes: { n: i } },
    );
    items[1_700] = { type: "identify", person_id: "" };
    const road = await lossy(1);
    const results = await new Tidings({ baseUrl: road.baseUrl, secretKey: it.secretKey }).batch(items);
    expect(results).toHaveLength(2_500);
    expect(results[1_700]).toMatchObject({ status: 400, code: "invalid_request" });
    expect(results.filter(({ status }) => status >= 300)).toHaveLength(1);
    expect(await tidings.batch([])).toEqual([]);
  });

  test("a batch that fails on its way says how far it came", async () => {
    const items = Array.from({ length: 1_001 }, (_, i) => ({ type: "identify" as const, person_id: `f-${i}` }));
    items[1_000] = { type: "identify", person_id: "x".repeat(1024 * 1024) };
    const error = await tidings.batch(items).catch((thrown) => thrown);
    expect(error).toMatchObject({ code: "payload_too_large", status: 413 });
    expect(error.results).toHaveLength(1_000);
  });

  test("a person token opens that person's messages where identity verification is required, and nobody else's", async () => {
    const { kid, secret } = (await it.call("POST", "/api/v1/signing-secrets", { body: {} })).body;
    await it.call("PATCH", "/api/v1/workspace", { body: { identity_verification: "required" } });
    const sync = (personId: string, token: string) =>
      it.call("GET", `/data-gateway/v1/in-app/messages/sync?person_id=${personId}`, {
        key: it.publicKey,
        headers: { "x-person-token": token },
      });
    const token = tidings.signPersonToken({ kid, secret, personId: "ada", expiresInSeconds: 3_600 });
    expect((await sync("ada", token)).status).toBe(200);
    expect((await sync("grace", token)).status).toBe(401);
    expect((await sync("ada", signPersonToken({ kid, secret: `${secret}x`, personId: "ada" }))).status).toBe(401);
  });

  test("a client that is printed shows no key", () => {
    expect(inspect(tidings, { depth: 9, showHidden: true })).not.toContain("tid_sec");
    expect(JSON.stringify(tidings)).not.toContain("tid_sec");
  });
});
