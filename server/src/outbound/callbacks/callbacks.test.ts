import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { callbackService, PUBLIC } from "../../../test/support/callback-service.ts";
import type { Kind, Said } from "../../../test/support/callbacks/call.ts";
import { sendgrid } from "../../../test/support/callbacks/email.ts";
import { kinds } from "../../../test/support/callbacks/kinds.ts";

// Who may call, and what each kind of provider says.

const { it, clock, at, setUp, post, of, logged, suppressions } = await callbackService();

const ENDS: Record<Said["kind"], { status: string; event?: string; reason?: string }> = {
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

  test.each(kind.says)("%s: the delivery, its log and the suppression list say so, once", async (said) => {
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

  test("a delivery of another workspace, an unknown one and none at all are passed over with 200", async () => {
    const [mine, theirs] = [await setUp(kind), await setUp(kind)];
    for (const delivery of [theirs.delivery, "dlv_00000000000000000000000000", "nothing"]) {
      expect((await post(kind.call(mine.url, [{ kind: "hard", delivery, at: clock.now() }]))).status).toBe(200);
    }
    expect(await of(theirs.key, theirs.delivery)).toMatchObject({ status: "sent" });
    expect([await suppressions(mine.key), await suppressions(theirs.key)]).toEqual([[], []]);
  });

  if (kind.secret !== undefined)
    test("without its secret callbacks are refused, and the answer says which to set", async () => {
      const { [kind.secret as string]: _, ...without } = kind.credentials;
      const { url, delivery } = await setUp(kind, without);
      const answer = await post(kind.call(url, [{ kind: "delivered", delivery, at: clock.now() }]));
      expect(answer).toMatchObject({ status: 403, body: { code: "callback_not_configured" } });
      expect(answer.body.detail).toContain(`credentials.${kind.secret}`);
    });

  test("what no provider sends is a problem and no fault of ours", async () => {
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
    const { url, delivery } = await setUp(sendgrid, { api_key: "SG.key", webhook_public_key });
    const answer = await post(sendgrid.call(url, [{ kind: "hard", delivery, at: clock.now() }]));
    expect(answer).toMatchObject({ status: 403, body: { code: "callback_not_configured" } });
  },
);

test("a copy of an old call is refused where each repeat is signed anew", async () => {
  for (const name of ["resend", "http", "mailgun"]) {
    const kind = kinds.find((one) => one.kind === name) as Kind;
    const { url, delivery } = await setUp(kind);
    const old = kind.call(url, [{ kind: "delivered", delivery, at: at(-10 * 3_600_000) }]);
    expect(await post(old), name).toMatchObject({ status: 401, body: { code: "callback_unverified" } });
  }
});
