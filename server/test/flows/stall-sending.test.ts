import { expect, test } from "vitest";
import type { Outgoing } from "../../src/outbound/message/email.ts";
import type { Job } from "../../src/outbound/message/message.ts";
import { kindOf } from "../../src/outbound/providers/index.ts";
import { trackerOf } from "../../src/outbound/tracking/links.ts";
import type { FetchOut } from "../../src/platform/outbound-http/index.ts";
import { file, filled, MIB } from "../support/network/large.ts";
import { testService } from "../support/service.ts";
import { leastOf } from "../support/turns.ts";

// No email that is sent, however large, blocks the thread for more than 50 ms.

const it = await testService({ roles: "api" });

const large = (html: string, base64?: string): Outgoing => ({
  messageId: "<a@acme.test>",
  from: { address: "a@acme.test" },
  to: { address: "ada@example.test" },
  cc: [],
  bcc: [],
  subject: "Hi",
  html,
  text: "x",
  headers: {},
  attachments: base64 === undefined ? [] : [{ name: "a.pdf", base64 }],
});

test.each([
  ["postmark", { server_token: "x" }, {}],
  ["sendgrid", { api_key: "x" }, {}],
  ["resend", { api_key: "x" }, {}],
  ["mailgun (63 ms)", { api_key: "x" }, { domain: "acme.test" }],
  ["ses (115 ms)", { access_key_id: "x", secret_access_key: "x" }, { region: "eu-west-1" }],
])("a file of 14 MiB goes to %s, and nobody waits for it", async (name, credentials, settings) => {
  let sent = 0;
  const fetchOut: FetchOut = async (_url, { body } = {}) => {
    sent = body?.length ?? 0;
    return { status: 500, headers: {}, body: Buffer.alloc(0) };
  };
  const kind = name.split(" ")[0] as "postmark";
  const ground = { ...it.service.ground, fetchOut };
  const opening = { id: "", settings, credentials, scrub: (text: string) => text };
  const provider = kindOf(kind)?.open(ground, opening as never);
  const message = large("x", file(19 * MIB));
  const blocked = await leastOf(async () => {
    await provider?.hand({ job: {}, deliveryId: "dlv_1", message } as never);
  });
  expect(sent).toBeGreaterThan(19 * MIB);
  expect(blocked).toBeLessThan(50);
});

test.each([
  ["hosts of 1,000 characters that are no names (70 ms)", `<a href="http://${"ä.".repeat(500)}">`],
  ["48,000 beginnings of links", "<a href=x "],
  ["one tag of 75,000 addresses", "href=x "],
])("%s in a tracked email: nobody waits for it", async (_name, unit) => {
  const html = filled(MIB / 2, "<a ", unit, "");
  const job = { workspaceId: it.workspaceId, personKey: it.workspaceId, deliveryId: it.workspaceId } as Job;
  const message = { from: null, subject: "s", body: html, tracking: { opens: true, clicks: true } };
  const blocked = await leastOf(async () => void trackerOf(it.service.ground, job, message)?.(html));
  expect(blocked).toBeLessThan(50);
});
