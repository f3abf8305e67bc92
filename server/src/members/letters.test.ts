import { describe, expect, test } from "vitest";
import { browserOf } from "../../test/support/browser.ts";
import { testSmtp } from "../../test/support/mail/smtp.ts";
import { mailService } from "../../test/support/mail/workspace.ts";
import { until } from "../../test/support/wait.ts";

const { it, workspaceOn } = await mailService();

describe("a letter to a member", () => {
  const invite = (key: string, address: string) =>
    it.call("POST", "/api/v1/members", { key, body: { email: address, role: "viewer" } });
  const sender = async (key: string) => {
    const body = { sender_defaults: { email_from: "hello@acme.test" } };
    expect((await it.call("PATCH", "/api/v1/workspace", { key, body })).status).toBe(200);
  };
  const mailing = async () => {
    const smtp = await testSmtp();
    const { secretKey } = await workspaceOn(smtp.port);
    await sender(secretKey);
    return { smtp, secretKey };
  };

  test("has the link of an invitation; without a sender or a real provider nothing is mailed", async () => {
    const { smtp, secretKey } = await mailing();
    const { body } = await invite(secretKey, "ada@example.test");
    expect(body.mailed).toBe(true);
    await until(() => smtp.received.length === 1, "the invitation");
    const [{ from, to, email } = {}] = smtp.received;
    expect([from, to]).toEqual(["hello@acme.test", ["ada@example.test"]]);
    expect(email?.text).toContain(body.invite_url);
    expect(email?.html).toContain(`href="${body.invite_url}"`);
    const [withoutSender, local] = [await workspaceOn(smtp.port), await it.another()];
    await sender(local.secretKey);
    const provider = { name: "Local", channel: "email", kind: "local", settings: {} };
    expect((await it.call("POST", "/api/v1/providers", { key: local.secretKey, body: provider })).status).toBe(201);
    for (const { secretKey: key } of [withoutSender, local])
      expect((await invite(key, "ada@example.test")).body.mailed).toBe(false);
    expect((await it.call("GET", "/api/v1/deliveries", { key: secretKey })).body.data).toEqual([]);
  });

  test("has the link for a new password, while the account is a member of one workspace only", async () => {
    const { smtp, secretKey } = await mailing();
    const browser = browserOf(it);
    const join = async (key: string) => {
      const token = (await invite(key, "grace@example.test")).body.invite_url.split("#token=")[1];
      return browser.post("/invitations/accept", { token, password: "correct horse battery" });
    };
    const resets = () => smtp.received.filter(({ email }) => email.text?.includes("/reset#token="));
    const ask = async () => (await browser.post("/password-resets", { email: "grace@example.test" })).status;
    await join(secretKey);
    expect(await ask()).toBe(202);
    await until(() => resets().length === 1, "the link");
    expect((await join((await it.another()).secretKey)).body.workspaces).toHaveLength(2);
    expect(await ask()).toBe(202);
    // A letter that was begun later has arrived.
    await invite(secretKey, "alan@example.test");
    await until(() => smtp.received.some(({ to }) => to.includes("alan@example.test")), "the invitation");
    expect(resets()).toHaveLength(1);
  });
});
