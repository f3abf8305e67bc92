import PostalMime from "postal-mime";
import { describe, expect, test } from "vitest";
import { mimeOf } from "../../src/outbound/providers/email/mime.ts";
import { isPersonId } from "../../src/people/index.ts";
import { testService } from "../support/service.ts";

// Odd texts that people really have: refused if they are impossible, and otherwise returned as they were written.

const it = await testService();
const identify = (person_id: string, attributes: object) =>
  it.call("POST", "/data-gateway/v1/identify", { body: { person_id, attributes } });

// From the tests of isemail (BSD-3-Clause): addresses that RFC 5321 and 1123 do not allow, and that can't receive mail.
const BAD = [
  "",
  "test",
  "@",
  "test@",
  "test@io@example.test",
  "test@.iana.test",
  ".test@iana.test",
  "test.@iana.test",
  "test..iana@iana.test",
  "test@iana..test",
  "test@-iana.test",
  "test@iana-.test",
  "test@iana.test.",
  "test@iana.test-",
  "test@255.255.255.255",
  "test@[255.255.255.255]",
  "test@[IPv6:::1]",
  `${"a".repeat(65)}@iana.test`,
  `test@${"a".repeat(64)}.test`,
  `a@${"a.".repeat(126)}test`,
  '"test"@iana.test',
  '"test@iana.test',
  "test\\@iana.test",
  "te st@iana.test",
  "(comment)test@iana.test",
  "test@iana.test(comment)",
  "test@iana/icann.test",
  "test@iana!icann.test",
  "test@iana?icann.test",
  "test@iana^icann.test",
  "test@{iana}.test",
  "test\u0000@iana.test".replace("\u0000", "\u0007"),
  "me@\u037e.com",
  "a@x..example",
];

describe("an address that can't be mailed is refused, at its place", () => {
  test.each(BAD)("%j", async (address) => {
    const said = await identify("odd", { email: address });
    expect(said).toMatchObject({
      status: 400,
      body: { code: "invalid_request", errors: [{ pointer: "/attributes/email" }] },
    });
    const put = await it.call("POST", "/api/v1/suppressions", { body: { channel: "email", address } });
    expect(put.status, JSON.stringify(put.body)).toBeGreaterThanOrEqual(400);
    expect(put.status).toBeLessThan(500);
    expect(put.body.errors[0].pointer).toBe("/address");
    const call = { identifiers: { email: address }, subject: "Hi", body: "x", from: "a@acme.test" };
    const sent = await it.call("POST", "/data-gateway/transactionals/email", { body: call });
    expect(sent.status).toBeLessThan(500);
    expect(sent.body.errors[0].pointer).toBe("/identifiers/email");
    const settings = await it.call("PATCH", "/api/v1/workspace", {
      body: { sender_defaults: { email_from: address } },
    });
    expect(settings).toMatchObject({ status: 400, body: { errors: [{ pointer: "/sender_defaults/email_from" }] } });
  });

  test("and is counted as a refused line of a suppression list, not as a known one", async () => {
    const answer = await it.call("POST", "/api/v1/suppressions/import", {
      raw: "email\nme@\u037e.com\nok@x.test\n",
      headers: { "content-type": "text/csv" },
    });
    expect(JSON.stringify(answer.body)).toContain("is not an email address");
  });

  test("an address of another script is accepted as it is", async () => {
    await identify("idn", { email: "Me@Bücher.example" });
    expect((await it.call("GET", "/api/v1/people/idn")).body.email).toBe("me@bücher.example");
    const body = { channel: "email", address: "me@bücher.example" };
    expect((await it.call("POST", "/api/v1/suppressions", { body })).body.address).toBe("me@xn--bcher-kva.example");
    const mail = { identifiers: { id: "idn" }, subject: "Hi", body: "x", from: "a@acme.test" };
    expect((await it.call("POST", "/data-gateway/transactionals/email", { body: mail })).body.status).toBe(
      "suppressed",
    );
  });
});

describe("names with line breaks", () => {
  test("of attributes are refused", async () => {
    expect((await identify("lines", { "a\nb": 1 })).body.errors[0].pointer).toBe("/attributes");
  });

  test("inside of them are read as they were written", async () => {
    await identify("lines", { nested: { "a\nb": 1, "\u2028": 2 } });
    expect((await it.call("GET", "/api/v1/people/lines")).body.attributes).toEqual({
      nested: { "a\nb": 1, "\u2028": 2 },
    });
    await it.call("POST", "/api/v1/audiences", {
      body: { name: "Odd", filter: { attribute: "a", op: "eq", value: "b\nc" } },
    });
    const before = { "a\nb": 1, plain: 2 };
    await it.service.ground.db.execute({
      text: "update people set attributes = $1 where person_id = 'lines'",
      values: [JSON.stringify(before)],
    });
    expect((await it.call("GET", "/api/v1/people/lines")).body.attributes).toEqual(before);
  });
});

test.each(["=?utf-8?Q?Hello?=", "=?UTF-8?B?SGVsbG8=?= and more", "Why =?not", "Grüße =?utf-8?Q?x?="])(
  "the subject %j arrives as it was written",
  async (subject) => {
    const message = await mimeOf({
      messageId: "<a@b.test>",
      from: { address: "a@b.test" },
      to: { address: "c@d.test" },
      cc: [],
      bcc: [],
      subject,
      text: "x",
      html: "x",
      headers: {},
      attachments: [],
    } as never);
    expect((await PostalMime.parse(message)).subject).toBe(subject);
  },
);

test("an empty attachment is refused with its name", async () => {
  const call = { identifiers: { email: "a@b.test" }, subject: "Hi", body: "x", from: "a@acme.test" };
  for (const content of ["", " \n"]) {
    const body = { ...call, attachments: { "empty.txt": content } };
    const answer = await it.call("POST", "/data-gateway/transactionals/email", { body });
    expect(answer).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: "/attachments/empty.txt", message: expect.stringContaining("is empty") }] },
    });
  }
});

test("the length of a person_id is counted alike everywhere, in any script", async () => {
  for (const [id, takes] of [
    ["😀".repeat(256), true],
    ["😀".repeat(257), false],
    ["a".repeat(256), true],
    ["a".repeat(257), false],
  ] as const) {
    expect(isPersonId(id)).toBe(takes);
    expect((await identify(id, {})).status).toBe(takes ? 200 : 400);
    const path = `/compat/customerio/api/v1/customers/${encodeURIComponent(id)}/events`;
    const authorization = `Basic ${Buffer.from(`site:${it.secretKey}`).toString("base64")}`;
    const told = await it.call("POST", path, { key: null, headers: { authorization }, body: { name: "seen" } });
    expect(told.status < 300, `${id.length}: ${JSON.stringify(told.body)}`).toBe(takes);
  }
});
