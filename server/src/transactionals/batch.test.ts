import { expect, test } from "vitest";
import { transactionalsService } from "../../test/support/services/transactionals.ts";

const { it, make, identify, captured, deliveries } = await transactionalsService();

const batch = (items: unknown[], headers: Record<string, string> = {}) =>
  it.call("POST", "/data-gateway/transactionals/batch", { body: { items }, headers });
const email = (to: string, extra: object = {}) => ({
  channel: "email",
  identifiers: { email: to },
  subject: "S",
  body: "B",
  ...extra,
});

test("each call of a batch has its own result, in order, and a wrong one does not fail the others", async () => {
  const { trigger_name } = await make();
  await identify("off", { email: "off@example.test", subscribed: false });
  const answer = await batch([
    email("one@example.test"),
    { channel: "email", transactional_message_id: trigger_name, identifiers: { email: "two@example.test" } },
    email("off@example.test"),
    { channel: "sms", identifiers: { phone: "+4915112345678" }, body: "Hello" },
    email("no address"),
    { channel: "pigeon" },
    email("three@example.test", { surprise: 1 }),
  ]);
  expect(answer.status).toBe(200);
  expect(answer.body.results).toMatchObject([
    { status: 202, person_id: "one@example.test", suppressed: false },
    { status: 422, code: "message_data_missing", errors: [{ pointer: "/message_data/order" }] },
    { status: 202, suppressed: true, reason: "unsubscribed" },
    { status: 202, person_id: "+4915112345678" },
    { status: 422, code: "recipient_invalid" },
    { status: 400, code: "invalid_request", errors: [{ pointer: "/channel" }] },
    { status: 400, code: "invalid_request", errors: [{ pointer: "/surprise" }] },
  ]);
  expect((await captured(answer.body.results[0].delivery_id)).recipient).toBe("one@example.test");
  expect((await captured(answer.body.results[3].delivery_id)).message.body).toBe("Hello");
});

test("a repeat with the same key gets the first answer and sends nothing; the key with another body is refused", async () => {
  const headers = { "idempotency-key": "nightly-1" };
  const first = await batch([email("a@example.test"), email("nowhere")], headers);
  const count = await deliveries();
  const again = await batch([email("a@example.test"), email("nowhere")], headers);
  expect(again.headers["idempotent-replayed"]).toBe("true");
  expect(again.body).toEqual(first.body);
  const other = await batch([email("b@example.test")], headers);
  expect(other).toMatchObject({ status: 422, body: { code: "idempotency_key_reused" } });
  expect(await deliveries()).toBe(count);
});

test("the same batch twice at once is carried out once", async () => {
  const count = (await deliveries()) as number;
  const headers = { "idempotency-key": "twice" };
  const items = Array.from({ length: 100 }, (_, i) => email(`p${i}@example.test`));
  const [one, two] = await Promise.all([batch(items, headers), batch(items, headers)]);
  expect(one.body).toEqual(two.body);
  expect(await deliveries()).toBe(count + 100);
});

test("an empty batch, more than 100 items, more than 1 MiB without attachments and a public key are refused", async () => {
  expect((await batch([])).status).toBe(400);
  const big = { attachments: { "a.txt": Buffer.alloc(1_100_000).toString("base64") } };
  const length = (items: unknown[]) => ({ "content-length": String(JSON.stringify({ items }).length) });
  const heavy = [email("a@example.test", { body: "x".repeat(500_000), plaintext_body: "y".repeat(500_000) })];
  const three = [...heavy, ...heavy, ...heavy];
  expect(await batch(three, length(three))).toMatchObject({ status: 413, body: { code: "payload_too_large" } });
  const files = [email("a@example.test", big)];
  expect((await batch(files, length(files))).body.results).toMatchObject([{ status: 202 }]);
  expect((await batch(Array.from({ length: 101 }, () => email("a@example.test")))).status).toBe(400);
  const answer = await it.call("POST", "/data-gateway/transactionals/batch", {
    key: it.publicKey,
    body: { items: [email("a@example.test")] },
  });
  expect(answer).toMatchObject({ status: 403, body: { code: "key_not_permitted" } });
});
