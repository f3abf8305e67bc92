import { describe, expect, test } from "vitest";
import { inShards } from "../../../test/support/database/citus.ts";
import { emailKinds, smsKinds } from "../../../test/support/providers/kinds.ts";
import { providerService } from "../../../test/support/services/providers.ts";

// Whole sends, from the trigger over HTTP to the emulator of the provider's documented protocol.

const logged: string[] = [];
const { it, workspaceWith, trigger, ended } = await providerService({ logTo: { write: (line) => logged.push(line) } });

/** What is behind the id of a delivery where a provider names it: in shards, the person. */
const PERSON = inShards ? "_[\\w-]{22}" : "";
const named = (id: string) => expect.stringMatching(new RegExp(`^${id}${PERSON}$`));

describe.each(emailKinds)("an email through $kind", (setup) => {
  test("arrives with everything it has, and the delivery keeps the provider's id", async () => {
    const far = await setup.start();
    const { key } = await workspaceWith("email", [{ setup, url: far.url }]);
    const id = await trigger(key, "email", {
      identifiers: { email: "ada@example.test" },
      from: "Acme, Ünicode <hello@acme.test>",
      subject: "Grüße 🎉",
      body: "<p>Hallo <b>Welt</b></p>",
      plaintext_body: "Hallo Welt",
      cc: ["Copy <copy@example.test>"],
      bcc: ["hidden@example.test"],
      reply_to: "help@acme.test",
      headers: { "X-Campaign": "spring", "List-Unsubscribe": "<https://acme.test/u/1>" },
      attachments: { "größe.txt": Buffer.from("hellö").toString("base64") },
    });
    const log = await ended(key, id, "sent");
    expect(log).toMatchObject({ provider: setup.kind, attempts: 1 });
    expect(log.provider_message_id).toMatch(/.{8,}/);
    expect(far.calls).toHaveLength(1);
    expect(far.taken).toHaveLength(1);
    expect(far.taken[0]).toMatchObject({
      from: "Acme, Ünicode <hello@acme.test>",
      to: ["ada@example.test"],
      cc: ["copy@example.test"],
      bcc: ["hidden@example.test"],
      replyTo: "help@acme.test",
      subject: "Grüße 🎉",
      text: "Hallo Welt",
      html: "<p>Hallo <b>Welt</b></p>",
      headers: {
        "x-campaign": "spring",
        "list-unsubscribe": "<https://acme.test/u/1>",
        "message-id": `<${id}@acme.test>`,
      },
      attachments: [{ name: "größe.txt", text: "hellö" }],
      deliveryId: named(id),
    });
  });
});

describe.each(smsKinds)("a text message through $kind", (setup) => {
  test("arrives with number, sender, text and the address for callbacks", async () => {
    const far = await setup.start();
    const { key, ids } = await workspaceWith("sms", [{ setup, url: far.url }]);
    const id = await trigger(key, "sms", {
      identifiers: { id: "ada" },
      to: "+4915112345678",
      body: "Grüße 🎉",
    });
    const log = await ended(key, id, "sent");
    expect(log).toMatchObject({ provider: setup.kind, attempts: 1 });
    expect(log.provider_message_id).toMatch(/.{4,}/);
    const address = `https://tidings.example.test/callbacks/${setup.kind}/${ids[0]}`;
    expect(far.taken).toEqual([
      expect.objectContaining({
        to: setup.kind === "vonage" ? "4915112345678" : "+4915112345678",
        from: setup.kind === "twilio" ? "+15005550006" : "Acme",
        body: "Grüße 🎉",
        // Vonage accepts 100 characters, and gets the delivery in another field.
        callback: expect.stringMatching(
          new RegExp(`^${address}${setup.kind === "vonage" ? "" : `\\?delivery=${id}${PERSON}`}$`),
        ),
      }),
    ]);
    if (setup.kind !== "twilio")
      expect(far.taken[0]?.deliveryId).toEqual(["vonage", "http"].includes(setup.kind) ? id : named(id));
    if (setup.kind === "vonage") expect(far.taken[0]?.extra).toEqual({ type: "unicode" });
    if (setup.kind === "http") expect(far.taken[0]?.extra).toEqual({ segments: 1, kept: "7" });
  });
});

test("the next provider sends where the first can't now, and where its key no longer works", async () => {
  const [first, second, third] = emailKinds as [(typeof emailKinds)[0], (typeof emailKinds)[0], (typeof emailKinds)[0]];
  const far = [await first.start(), await second.start(), await third.start()] as const;
  const { key } = await workspaceWith("email", [
    { setup: first, url: far[0].url },
    { setup: { ...second, credentials: second.wrong }, url: far[1].url },
    { setup: third, url: far[2].url },
  ]);
  far[0].next.push({ status: 503 });
  const mail = { identifiers: { email: "ada@example.test" }, from: "a@acme.test", subject: "S", body: "<p>B</p>" };
  const log = await ended(key, await trigger(key, "email", mail), "sent");
  expect(log).toMatchObject({ provider: third.kind, attempts: 1 });
  expect(far.map(({ taken }) => taken.length)).toEqual([0, 0, 1]);
});

describe.each([
  ...emailKinds.map((setup) => ({ ...setup, channel: "email" as const, to: "me@example.test" })),
  ...smsKinds.map((setup) => ({ ...setup, channel: "sms" as const, to: "+4915112345678" })),
])("POST /providers/:id/test of $kind", (setup) => {
  test("tests the credentials without sending, sends where that is asked for, and never shows the credentials", async () => {
    const far = await setup.start();
    const { key, ids } = await workspaceWith(setup.channel, [{ setup: setup as never, url: far.url }]);
    const url = `/api/v1/providers/${ids[0]}`;
    const tried = await it.call("POST", `${url}/test`, { key });
    expect(tried, JSON.stringify(tried.body)).toMatchObject({ status: 200, body: { ok: true } });
    expect(far.taken).toEqual([]);
    const sent = await it.call("POST", `${url}/test`, { key, body: { to: setup.to } });
    expect(sent, JSON.stringify(sent.body)).toMatchObject({ status: 200, body: { ok: true } });
    expect(far.taken).toHaveLength(1);

    await it.call("PATCH", url, { key, body: { credentials: setup.wrong } });
    const refused = await it.call("POST", `${url}/test`, { key });
    expect(refused, JSON.stringify(refused.body)).toMatchObject({ status: 422, body: { code: "provider_refused" } });
    expect(refused.body.cause).toBe("credentials");
    for (const { body } of [tried, sent, refused])
      if (setup.kind !== "smtp")
        expect(body.conversation[1]).toMatchObject({ by: "them", text: expect.stringMatching(/^HTTP \d/) });
    const shown = JSON.stringify([tried.body, sent.body, refused.body, (await it.call("GET", url, { key })).body]);
    for (const secret of [...Object.values(setup.wrong), ...Object.values(setup.credentials)]) {
      // Key ids are beside the secret, and are not secret.
      if (secret !== setup.credentials.access_key_id && secret !== "abcd1234") expect(shown).not.toContain(secret);
    }
  });
});

test("credentials that the provider repeats are in no answer, row or log", async () => {
  const setups = emailKinds.slice(1);
  const fars = await Promise.all(setups.map((setup) => setup.start()));
  const { key } = await workspaceWith(
    "email",
    setups.map((setup, at) => ({ setup, url: fars[at]?.url ?? "" })),
  );
  const secrets = setups.map((setup) => Object.values(setup.credentials).join(" "));
  // The last one refuses for good, so that its text is the delivery's reason.
  for (const [at, far] of fars.entries())
    far.next.push({ status: at === fars.length - 1 ? 422 : 401, body: `No: ${secrets[at]}` });
  const mail = { identifiers: { email: "ada@example.test" }, from: "a@acme.test", subject: "S", body: "<p>B</p>" };
  const log = await ended(key, await trigger(key, "email", mail), "failed");
  expect(log.reason).toContain("No: ***");
  const rows = await it.service.ground.db.query({ text: "select * from deliveries", values: [] });
  const activity = await it.service.ground.db.query({ text: "select * from activity", values: [] });
  const providers = await it.service.ground.db.query({ text: "select * from providers", values: [] });
  expect(logged.length).toBeGreaterThan(0);
  const everything = JSON.stringify([log, rows, activity, providers]) + logged.join("");
  for (const secret of secrets) expect(everything).not.toContain(secret);
});

test.each([
  ["twilio", { account_sid: "AC1" }, { auth_token: "t" }, "/settings/from"],
  ["twilio", { account_sid: "AC1", from: "a", messaging_service_sid: "MG1" }, { auth_token: "t" }, "/settings/from"],
  ["http", { url: "https://a.test", headers: { Host: "b" } }, {}, "/settings/headers/Host"],
  ["http", { url: "https://a.test", headers: { "X-A": "日本" } }, {}, "/settings/headers/X-A"],
  ["http", { url: "https://a.test" }, { signing_secret: "short" }, "/credentials/signing_secret"],
  ["http", { url: "ftp://a.test" }, {}, "/settings/url"],
])("%s with %j is refused, naming the field", async (kind, settings, credentials, pointer) => {
  const body = { name: "P", channel: "sms", kind, settings, credentials };
  const answer = await it.call("POST", "/api/v1/providers", { body });
  expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
});
