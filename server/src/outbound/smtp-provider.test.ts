import { describe, expect, test } from "vitest";
import { testSmtp } from "../../test/support/mail/smtp.ts";
import { mailService } from "../../test/support/mail/workspace.ts";
import { sql } from "../platform/db/index.ts";

const { it, db, workspaceOn, trigger, ended, reasonOf, hurry } = await mailService();

describe("providers", () => {
  test("a password is sealed at rest, never shown, and used", async () => {
    const smtp = await testSmtp({ user: "acme", pass: "s3cret-pass" });
    const { secretKey, provider } = await workspaceOn(
      smtp.port,
      { user: "acme", require_tls: false },
      { credentials: { password: "s3cret-pass" } },
    );
    expect(provider).toMatchObject({ has_credentials: true, settings: { user: "acme" } });
    expect(JSON.stringify(provider)).not.toContain("s3cret");
    expect(JSON.stringify(await db.query(sql`select * from providers`))).not.toContain("s3cret");
    await ended(secretKey, await trigger(secretKey), "sent");
    expect(smtp.received[0]?.user).toBe("acme");
  });

  test("after a wrong password it is tried again, and is sent once the operator has corrected the password", async () => {
    const smtp = await testSmtp({ user: "acme", pass: "right" });
    const { secretKey, provider } = await workspaceOn(
      smtp.port,
      { user: "acme", require_tls: false },
      { credentials: { password: "wrong" } },
    );
    const url = `/api/v1/providers/${provider.id}`;
    const tried = await it.call("POST", `${url}/test`, { key: secretKey });
    expect(tried).toMatchObject({ status: 422, body: { code: "provider_refused" } });
    expect(tried.body.detail).not.toContain("wrong");
    const id = await trigger(secretKey);
    expect(await reasonOf(secretKey, id)).toMatch(/535/);
    await it.call("PATCH", url, { key: secretKey, body: { credentials: { password: "right" } } });
    await hurry(id);
    await ended(secretKey, id, "sent");
    expect((await it.call("POST", `${url}/test`, { key: secretKey })).body.ok).toBe(true);
    expect((await it.call("POST", `${url}/test`, { key: secretKey, body: { to: "me@example.test" } })).body.ok).toBe(
      true,
    );
    expect(smtp.received.at(-1)).toMatchObject({ to: ["me@example.test"], email: { subject: "Test from Tidings" } });
  });

  test("are created, read, changed and removed; a removed one is no longer used; another workspace's is 404", async () => {
    const smtp = await testSmtp();
    const { secretKey, provider } = await workspaceOn(smtp.port);
    const url = `/api/v1/providers/${provider.id}`;
    expect((await it.call("GET", url, { key: secretKey })).body).toEqual(provider);
    expect((await it.call("GET", "/api/v1/providers", { key: secretKey })).body.data).toEqual([provider]);
    expect((await it.call("PATCH", url, { key: secretKey, body: { name: "New" } })).body).toMatchObject({
      name: "New",
      settings: provider.settings,
    });
    for (const [method, path] of [
      ["GET", url],
      ["PATCH", url],
      ["DELETE", url],
      ["POST", `${url}/test`],
    ] as const) {
      const answer = await it.call(method, path, method === "PATCH" ? { body: { name: "x" } } : {});
      expect(answer, `${method} ${path}`).toMatchObject({ status: 404, body: { code: "not_found" } });
    }
    expect((await it.call("DELETE", url, { key: secretKey })).status).toBe(204);
    const log = await ended(secretKey, await trigger(secretKey), "sent");
    expect(log.provider).toBe("local");
  });

  test.each([
    [{ kind: "smtp", settings: {} }, "/settings/host"],
    [{ kind: "smtp", settings: { host: "a b" } }, "/settings/host"],
    [{ kind: "smtp", channel: "sms", settings: { host: "a" } }, "/kind"],
    [{ kind: "pigeon" }, "/kind"],
    [{ kind: "local", settings: { host: "a" } }, "/settings/host"],
    [{ kind: "smtp", settings: { host: "a", port: 70000 } }, "/settings/port"],
    [{ kind: "smtp", settings: { host: "a", pass: "x" } }, "/settings/pass"],
  ])("%j is refused, naming %s", async (wrong, pointer) => {
    const answer = await it.call("POST", "/api/v1/providers", { body: { name: "P", channel: "email", ...wrong } });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
  });

  test("an order names each provider of its channel once", async () => {
    const { secretKey: key, provider } = await workspaceOn(1);
    const other = { channel: "sms", kind: "local", name: "Texts", settings: {} };
    const text = (await it.call("POST", "/api/v1/providers", { key, body: other })).body;
    for (const [providers, pointer] of [
      [[], "/providers"],
      [[provider.id, provider.id], "/providers/1"],
      [[provider.id, text.id], "/providers/1"],
    ] as const) {
      const answer = await it.call("POST", "/api/v1/providers/order", { key, body: { channel: "email", providers } });
      expect(answer).toMatchObject({ status: 400, body: { code: "invalid_request", errors: [{ pointer }] } });
    }
  });
});
