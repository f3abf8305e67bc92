import { expect, test } from "vitest";
import { testService } from "../support/service.ts";

// Secrets are not shown, and yet nobody overwrites one that somebody else has changed meanwhile.

const it = await testService({ env: { ALLOW_PRIVATE_NETWORK: "true" } });
const call = (method: "GET" | "POST" | "PATCH", path: string, body?: object, match?: string) =>
  it.call(method, `/api/v1${path}`, {
    ...(body && { body }),
    headers: match === undefined ? {} : { "if-match": match },
  });
/** The half of a tag that stands for what was authored; the other one changes with `updated_at`. */
const authoredOf = ({ headers }: { headers: Record<string, unknown> }): string =>
  String(headers.etag).split(".")[0] as string;
const changesOf = async (id: string) =>
  (await call("GET", `/audit?resource=${id}`)).body.data.filter((entry: { action: string }) =>
    entry.action.endsWith(".changed"),
  );

const smtp = { name: "Mail", channel: "email", kind: "smtp", settings: { host: "127.0.0.1", user: "acme" } };
const bucket = { name: "Warehouse", kind: "s3", settings: { bucket: "warehouse", region: "eu-central-1" } };
const key = (secret_access_key: string) => ({ access_key_id: "AKIDEXAMPLE", secret_access_key });

test.each([
  ["/providers", smtp, [{ password: "first" }, { password: "second" }]],
  ["/export-destinations", bucket, [key("first"), key("second")]],
] as const)("%s: who saw it before other credentials were given changes nothing unseen", async (path, body, given) => {
  const made = await call("POST", path, { ...body, credentials: given[0] });
  const one = `${path}/${made.body.id}`;
  const etag = made.headers.etag as string;
  const shown = await call("GET", one);
  expect([made.status, authoredOf(shown)]).toEqual([201, authoredOf(made)]);
  expect(shown.body.credentials_changed_at).toBe(made.body.created_at);

  const changed = await call("PATCH", one, { credentials: given[1] }, etag);
  expect([changed.status, authoredOf(changed) === authoredOf(made)]).toEqual([200, false]);
  expect(changed.body.credentials_changed_at).not.toBe(made.body.created_at);
  const late = await call("PATCH", one, { name: "Late" }, etag);
  expect([late.status, late.body.code, authoredOf(late)]).toEqual([412, "changed_meanwhile", authoredOf(changed)]);

  // A client that lost the answer repeats the change: it is made already.
  const again = await call("PATCH", one, { credentials: given[1] }, etag);
  expect([again.status, authoredOf(again)]).toEqual([200, authoredOf(changed)]);
  const [entry, ...others] = await changesOf(made.body.id);
  expect(others).toEqual([]);
  expect(entry.changes.map(({ field }: { field: string }) => field)).toEqual(["/credentials"]);
  expect(JSON.stringify(entry)).not.toContain("second");
});

test("a webhook's secret that was rolled meanwhile is not rolled again unseen", async () => {
  const made = await call("POST", "/webhooks", { url: "http://127.0.0.1:9/hook" });
  const one = `/webhooks/${made.body.id}`;
  const etag = made.headers.etag as string;
  expect(authoredOf(await call("GET", one))).toBe(authoredOf(made));
  expect((await call("POST", `${one}/secret`, {}, etag)).status).toBe(201);
  expect((await call("POST", `${one}/secret`, {}, etag)).body.code).toBe("changed_meanwhile");
  expect((await call("PATCH", one, { description: "Late" }, etag)).status).toBe(412);
});

test("an identity provider whose secret was changed is not overwritten unseen, and the same secret is no change", async () => {
  const put = (client_secret: string, match?: string) =>
    it.call("PUT", "/api/v1/oidc", {
      body: {
        issuer: "https://id.example.com",
        client_id: "tidings",
        client_secret,
        role_mapping: null,
      },
      headers: match === undefined ? {} : { "if-match": match },
    });
  const made = await put("first");
  expect(made.status, JSON.stringify(made.body)).toBeLessThan(300);
  const seen = await call("GET", "/oidc");
  const etag = seen.headers.etag as string;
  expect(authoredOf(await put("first", etag))).toBe(authoredOf(seen));
  expect((await put("second", etag)).status).toBeLessThan(300);
  expect((await put("third", etag)).status).toBe(412);
});
