import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type Kind, type ReportedEvent, standard } from "../../../test/support/callbacks/call.ts";
import { sendgrid } from "../../../test/support/callbacks/email.ts";
import { kinds } from "../../../test/support/callbacks/kinds.ts";
import { callbackService, PUBLIC } from "../../../test/support/services/callbacks.ts";
import { sql } from "../../platform/db/index.ts";
import { decodeId } from "../../platform/ids.ts";

// Which calls are accepted, and what each kind of provider reports.

const { it, db, clock, at, setUp, post, of, logged, suppressions } = await callbackService();

const ENDS: Record<ReportedEvent["kind"], { status: string; event?: string; reason?: string }> = {
  delivered: { status: "delivered", event: "delivered" },
  hard: { status: "bounced", event: "bounced", reason: "hard_bounce" },
  soft: { status: "sent", event: "bounced" },
  complained: { status: "complained", event: "complained", reason: "complaint" },
  failed: { status: "failed", event: "failed" },
  opened: { status: "sent", event: "opened" },
  machine: { status: "sent", event: "opened" },
  clicked: { status: "sent", event: "clicked" },
  unsubscribed: { status: "sent", event: "unsubscribed" },
  unknown: { status: "sent" },
};

describe.each(kinds)("callbacks of $kind", (kind) => {
  const { channel } = kind;

  test.each(kind.says)("%s: the delivery, its log and the suppression list show it, once", async (said) => {
    const { key, url, delivery } = await setUp(kind);
    const call = kind.call(url, [{ kind: said, delivery, at: clock.now() }]);
    for (let i = 0; i < 3; i++) expect(await post(call)).toMatchObject({ status: 200, body: {} });
    const { status, event, reason } = ENDS[said];
    expect((await of(key, delivery)).status).toBe(status);
    expect(await logged(key, delivery)).toEqual(event === undefined ? [] : [`${channel}.${event}`]);
    const address = channel === "email" ? "ada@example.test" : "+4915112345678";
    expect(await suppressions(key)).toEqual(reason === undefined ? [] : [{ address, reason, source: kind.kind }]);
  });

  test("a wrong signature is refused and changes nothing", async () => {
    const { key, url, delivery } = await setUp(kind);
    const said = { kind: "hard", delivery, at: clock.now() } as const;
    expect(await post(kind.call(url, [said], true))).toMatchObject({
      status: 401,
      body: { code: "callback_unverified" },
    });
    const { headers: _, ...unsigned } = kind.call(url, [said]);
    if (kind.kind !== "mailgun" && kind.kind !== "vonage") {
      const headers = { "content-type": "application/json" };
      expect((await post({ ...unsigned, headers })).body.code).toBe("callback_unverified");
    }
    const tampered = kind.call(url, [said]);
    if (kind.kind !== "mailgun" && kind.kind !== "postmark") {
      tampered.raw = tampered.raw.replace(/5|bounced/, "6");
      expect((await post(tampered)).body.code).toBe("callback_unverified");
    }
    expect(await of(key, delivery)).toMatchObject({ status: "sent" });
    expect(await suppressions(key)).toEqual([]);
  });

  test("events of another workspace's delivery, of an unknown one and of none are ignored with 200", async () => {
    const [mine, theirs] = [await setUp(kind), await setUp(kind)];
    for (const delivery of [theirs.delivery, "dlv_00000000000000000000000000", "nothing"]) {
      expect((await post(kind.call(mine.url, [{ kind: "hard", delivery, at: clock.now() }]))).status).toBe(200);
    }
    expect(await of(theirs.key, theirs.delivery)).toMatchObject({ status: "sent" });
    expect([await suppressions(mine.key), await suppressions(theirs.key)]).toEqual([[], []]);
  });

  if (kind.secret !== undefined)
    test("without a secret callbacks are refused, and the answer names the one to set", async () => {
      const { [kind.secret as string]: _, ...without } = kind.credentials;
      const { url, delivery } = await setUp(kind, without);
      const answer = await post(kind.call(url, [{ kind: "delivered", delivery, at: clock.now() }]));
      expect(answer).toMatchObject({ status: 403, body: { code: "callback_not_configured" } });
      expect(answer.body.detail).toContain(`credentials.${kind.secret}`);
    });

  test("a body that no provider sends is a 4xx problem and never a 500", async () => {
    const { url } = await setUp(kind);
    for (const raw of ["", "{", "[]", "null", '"x"', "\0", "a=%zz&b"]) {
      const answer = await it.call("POST", url.slice(PUBLIC.length), { key: null, raw: raw || " " });
      expect([400, 401], `${raw} ${JSON.stringify(answer.body)}`).toContain(answer.status);
    }
    const big = await it.call("POST", url.slice(PUBLIC.length), { key: null, raw: "x".repeat(1_100_000) });
    expect(big).toMatchObject({ status: 413, body: { code: "payload_too_large" } });
  });
});

test("an unknown provider, another kind's address and a kind that never calls back are 404", async () => {
  const { url, key } = await setUp(sendgrid);
  const call = sendgrid.call(url, []);
  const body = { name: "L", channel: "email", kind: "local" };
  const local = (await it.call("POST", "/api/v1/providers", { key, body })).body.id;
  for (const other of [
    url.replace(/.$/, (last) => (last === "0" ? "1" : "0")),
    url.replace("/sendgrid/", "/postmark/"),
    `${PUBLIC}/callbacks/sendgrid/x`,
    `${PUBLIC}/callbacks/constructor/${local}`,
    `${PUBLIC}/callbacks/local/${local}`,
  ])
    expect(await post({ ...call, url: other }), other).toMatchObject({ status: 404, body: { code: "not_found" } });
});

test.each(["no key", generateKeyPairSync("ed25519").publicKey.export({ format: "pem", type: "spki" }) as string])(
  "a verification key that is none is told as such: %j",
  async (webhook_public_key) => {
    const { url, key, delivery } = await setUp(sendgrid);
    await keep(url, key, { api_key: "SG.key", webhook_public_key });
    const answer = await post(sendgrid.call(url, [{ kind: "hard", delivery, at: clock.now() }]));
    expect(answer).toMatchObject({ status: 403, body: { code: "callback_not_configured" } });
  },
);

/** Expects that these credentials are refused, then writes them into the row, as they may be there from before they were checked. */
async function keep(url: string, key: string, credentials: Record<string, string>): Promise<void> {
  const id = url.split("/").at(-1) as string;
  const refused = await it.call("PATCH", `/api/v1/providers/${id}`, { key, body: { credentials } });
  expect(refused, JSON.stringify(credentials)).toMatchObject({ status: 400, body: { code: "invalid_request" } });
  const uuid = decodeId("prv", id);
  const sealed = it.service.ground.seal.seal(JSON.stringify(credentials), `provider ${uuid}`);
  await db.execute(sql`update providers set credentials = ${sealed} where id = ${uuid}`);
}

test.each(["whsec_", "whsec_AAAA", `whsec_${Buffer.alloc(15).toString("base64")}`, "whsec_###"])(
  "a signing secret of Standard Webhooks that is too short proves nothing: %s",
  async (secret) => {
    for (const name of ["resend", "http"]) {
      const kind = kinds.find((one) => one.kind === name) as Kind;
      const { url, key, delivery } = await setUp(kind);
      await keep(url, key, { ...kind.credentials, [kind.secret as string]: secret });
      const { raw } = kind.call(url, [{ kind: "hard", delivery, at: clock.now() }]);
      const headers = standard(name === "resend" ? "svix" : "webhook", secret, String(raw), clock.now());
      const answer = await post({ url, raw, headers: { "content-type": "application/json", ...headers } });
      expect(answer, name).toMatchObject({ status: 403, body: { code: "callback_not_configured" } });
      expect((await of(key, delivery)).status).toBe("sent");
    }
  },
);

test.each(["postmark", "mailgun", "vonage", "twilio"])(
  "a key of %s that is short enough to be found by trying is refused",
  async (name) => {
    const kind = kinds.find((one) => one.kind === name) as Kind;
    const { url, key, delivery } = await setUp(kind);
    const secret = kind.secret ?? "auth_token";
    await keep(url, key, { ...kind.credentials, [secret]: "short" });
    const answer = await post(kind.call(url, [{ kind: "hard", delivery, at: clock.now() }]));
    expect(answer).toMatchObject({ status: 403, body: { code: "callback_not_configured" } });
  },
);

test("a copy of a call is refused once it is older than any repeat of the provider", async () => {
  for (const [name, hours] of [
    ["resend", 10],
    ["http", 10],
    ["mailgun", 10],
    ["sendgrid", 26],
  ] as const) {
    const kind = kinds.find((one) => one.kind === name) as Kind;
    const { url, delivery } = await setUp(kind);
    const old = kind.call(url, [{ kind: "delivered", delivery, at: at(-hours * 3_600_000) }]);
    expect(await post(old), name).toMatchObject({ status: 401, body: { code: "callback_unverified" } });
  }
});
