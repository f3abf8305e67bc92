import { keyScopes } from "@tidings/contract/workspaces";
import { describe, expect, test, vi } from "vitest";
import { type Browser, browserOf } from "../../test/support/browser.ts";
import { identityProvider } from "../../test/support/network/identity-provider.ts";
import { softwarePasskey } from "../../test/support/passkey.ts";
import { testService } from "../../test/support/service.ts";
import { until } from "../../test/support/wait.ts";
import { tidings } from "../../test/support/tidings.ts";
import { Problem } from "../platform/http/index.ts";
import { encodeId } from "../platform/ids.ts";
import { SCOPES } from "./guard.ts";
import { setupLink } from "./index.ts";

const encryptionKey = Buffer.alloc(32, 7);
const it = await testService({
  encryptionKey,
  env: { ALLOW_PRIVATE_NETWORK: "true", PUBLIC_URL: "http://localhost:4000" },
});
const { ground } = it.service;
const workspace = encodeId("ws", it.workspaceId);
const PASSWORD = "correct horse battery";
const tokenOf = (link: string | undefined) => link?.split("#token=")[1] ?? "";

const owner = browserOf(it);
const link = await setupLink(ground.db, "http://localhost:4000", new Date());
const setup = await owner.post("/setup", { email: "ada@example.org", password: PASSWORD, token: tokenOf(link) });
const ownerId = setup.body.member.id as string;
const asOwner = (method: "GET" | "POST" | "PATCH" | "DELETE" | "PUT", url: string, body?: unknown) =>
  owner.inWorkspace(workspace, method, url, body);

const invite = async (email: string, role = "viewer") => {
  const answer = await asOwner("POST", "/members", { email, role });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return { ...answer.body, token: tokenOf(answer.body.invite_url) } as { id: string; token: string; mailed: boolean };
};
/** Invites somebody who accepts. */
async function member(email: string, role: string): Promise<{ id: string; browser: Browser }> {
  const { id, token } = await invite(email, role);
  const browser = browserOf(it);
  const answer = await browser.post("/invitations/accept", { token, password: PASSWORD, name: role });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return { id, browser };
}

test("a failed sign-in and a refused one are in the log of changes, once for a network, and nothing of an unknown account", async () => {
  const { id } = await member("locked@example.org", "viewer");
  const fail = (email: string) => browserOf(it).post("/session", { email, password: "wrong" });
  for (let i = 0; i < 12; i++) await fail("locked@example.org");
  await fail("nobody@example.org");
  const logged = async () => {
    const { data } = (await asOwner("GET", "/audit?resource=member")).body;
    return data.filter(({ action }: { action: string }) => /sign_in/.test(action));
  };
  await until(async () => (await logged()).length === 2, "the entries");
  expect((await logged()).map(({ action }: { action: string }) => action).toSorted()).toEqual([
    "member.sign_in_failed",
    "member.sign_in_limited",
  ]);
  expect(await logged()).toContainEqual(
    expect.objectContaining({
      action: "member.sign_in_failed",
      actor: { type: "system", id: null, name: "Tidings" },
      resource: { type: "member", id, name: "locked@example.org" },
      changes: [{ field: "/address", to: "127.0.0.1" }],
    }),
  );
});

describe("an invitation", () => {
  test("makes a member of whoever opens the link first, with the role that was given", async () => {
    const { id, token, mailed } = await invite("vera@example.org");
    expect(mailed).toBe(false);
    const browser = browserOf(it);
    expect((await browser.post("/invitations/accept", { token })).body.errors).toMatchObject([
      { pointer: "/password" },
    ]);
    const answer = await browser.post("/invitations/accept", { token, password: PASSWORD, name: "Vera" });
    expect(answer).toMatchObject({
      status: 200,
      body: { member: { id, name: "Vera" }, workspaces: [{ id: workspace, role: "viewer" }] },
    });
    const again = await browserOf(it).post("/invitations/accept", { token, password: PASSWORD });
    expect(again).toMatchObject({ status: 422, body: { code: "link_invalid" } });
    const { data } = (await asOwner("GET", "/members")).body;
    expect(data).toContainEqual(expect.objectContaining({ id, role: "viewer", status: "active", name: "Vera" }));
    expect((await asOwner("POST", "/members", { email: "VERA@example.org", role: "owner" })).body.code).toBe(
      "conflict",
    );
  });

  test("ends with the next one, and with its removal; a setup or reset takes no such token", async () => {
    const [first, second] = [await invite("twice@example.org"), await invite("twice@example.org", "editor")];
    const accept = (token: string) => browserOf(it).post("/invitations/accept", { token, password: PASSWORD });
    expect((await accept(first.token)).body.code).toBe("link_invalid");
    const reset = await owner.post("/password-resets/complete", { token: second.token, new_password: PASSWORD });
    expect(reset.body.code).toBe("link_invalid");
    expect((await asOwner("DELETE", `/members/${second.id}`)).status).toBe(204);
    expect((await accept(second.token)).body.code).toBe("link_invalid");
  });

  test("of an account that is in use needs its sign-in, so that owners of another workspace can't take it over", async () => {
    const theirs = await it.another("Theirs");
    const ask = { key: theirs.secretKey, body: { email: "ada@example.org", role: "viewer" } };
    const invited = (await it.call("POST", "/api/v1/members", ask)).body;
    expect(invited).toMatchObject({ id: ownerId, status: "invited", name: null });
    const token = tokenOf(invited.invite_url);
    const thief = await browserOf(it).post("/invitations/accept", { token, password: "another long phrase" });
    expect(thief).toMatchObject({ status: 401, body: { code: "unauthenticated" } });
    expect((await owner.get("/session")).body.workspaces).toHaveLength(1);
    const joined = await owner.post("/invitations/accept", { token });
    expect(joined.body.workspaces.map((one: { name: string }) => one.name)).toEqual(["Test workspace", "Theirs"]);
    expect((await owner.inWorkspace(encodeId("ws", theirs.workspaceId), "POST", "/topics", {})).status).toBe(403);
  });
});

describe("roles", async () => {
  const browsers = {
    viewer: (await member("viewer@example.org", "viewer")).browser,
    editor: (await member("editor@example.org", "editor")).browser,
    owner,
  };
  const document = (await it.call("GET", "/openapi.json", { key: null })).body;
  const routes = Object.entries<
    Record<string, { security: object[]; responses: Record<string, { content?: object }> }>
  >(document.paths)
    .filter(([path]) => path.startsWith("/api/v1/"))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        method: method.toUpperCase() as "GET",
        path,
        operation,
      })),
    )
    .filter(
      ({ operation }) =>
        operation.security.some((way) => "bearer" in way) &&
        !("text/event-stream" in (operation.responses["200"]?.content ?? {})),
    );

  test.each(["viewer", "editor", "owner"] as const)(
    "%s: each route of the product API opens as for a key with the same scopes",
    async (role) => {
      const scopes = SCOPES[role];
      const { key } = (await it.call("POST", "/api/v1/api-keys", { body: { kind: "secret", scopes } })).body;
      let refused = 0;
      for (const { method, path } of routes) {
        const url = path.replaceAll(/\{[^}]+\}/g, "x");
        const byRole = await browsers[role].call(method, url, { headers: { "x-tidings-workspace": workspace } });
        const byKey = await it.call(method, url, { key });
        expect([`${method} ${path}`, byRole.body?.code === "not_permitted"]).toEqual([
          `${method} ${path}`,
          byKey.body?.code === "key_not_permitted",
        ]);
        if (byRole.body?.code === "not_permitted") refused++;
        expect(byRole.status, `${method} ${path}`).toBe(byKey.status);
      }
      expect(routes.length).toBeGreaterThan(120);
      expect(refused > 0).toBe(scopes !== null);
      expect(scopes === null || scopes.length < keyScopes.length).toBe(true);
    },
  );

  test("a change of a role and a removal count at once, and end what the member could do", async () => {
    const { id, browser } = await member("moving@example.org", "viewer");
    const create = () =>
      browser.inWorkspace(workspace, "POST", "/topics", { name: `T ${Math.random()}`, default: "subscribed" });
    expect((await create()).body.code).toBe("not_permitted");
    expect((await asOwner("PATCH", `/members/${id}`, { role: "editor" })).body.role).toBe("editor");
    expect((await create()).status).toBe(201);
    expect((await asOwner("DELETE", `/members/${id}`)).status).toBe(204);
    expect((await create()).status).toBe(401);
    const { data } = (await asOwner("GET", `/audit?resource=${id}`)).body;
    expect(data.map((entry: { action: string }) => entry.action)).toEqual([
      "member.removed",
      "member.changed",
      "member.joined",
      "member.created",
    ]);
    expect(data[1].actor).toMatchObject({ type: "member", id: ownerId });
  });

  test("the last owner can neither go nor become less, also where two try at once", async () => {
    expect((await asOwner("DELETE", `/members/${ownerId}`)).body.code).toBe("last_owner");
    expect((await asOwner("PATCH", `/members/${ownerId}`, { role: "viewer" })).body.code).toBe("last_owner");
    const { id } = await member("second@example.org", "owner");
    const both = await Promise.all(
      [id, ownerId].map((one) => it.call("PATCH", `/api/v1/members/${one}`, { body: { role: "viewer" } })),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    await it.call("PATCH", `/api/v1/members/${ownerId}`, { body: { role: "owner" } });
  });
});

describe("a passkey", () => {
  test("signs in without a password, and each challenge counts once", async () => {
    const passkey = softwarePasskey("http://localhost:4000");
    const { options } = (await owner.post("/passkeys/options")).body;
    const credential = passkey.create(options);
    // The challenge can't be looked up: that is no fault of the passkey.
    vi.spyOn(ground.db, "execute").mockRejectedValueOnce(new Problem("unavailable", "The database does not answer."));
    expect((await owner.post("/passkeys", { credential })).body.code).toBe("unavailable");
    const made = await owner.post("/passkeys", { credential, name: "Laptop" });
    expect(made).toMatchObject({ status: 201, body: { name: "Laptop" } });
    expect((await owner.post("/passkeys", { credential })).body.code).toBe("passkey_refused");

    const browser = browserOf(it);
    const ask = async () => (await browser.post("/session/passkey/options")).body.options;
    const signIn = (given: object) => browser.post("/session/passkey", { credential: given });
    const answer = passkey.get(await ask());
    expect((await signIn(answer)).body.member.email).toBe("ada@example.org");
    expect((await signIn(answer)).body.code).toBe("sign_in_failed");
    expect((await signIn(passkey.get(await ask(), { verified: false }))).body.code).toBe("sign_in_failed");
    const elsewhere = softwarePasskey("http://localhost:4000").get(await ask());
    expect((await signIn({ ...elsewhere, id: answer.id, rawId: answer.id })).body.code).toBe("sign_in_failed");
    for (const odd of [{}, { id: 5 }, { id: answer.id }]) expect((await signIn(odd)).body.code).toBe("sign_in_failed");
    expect((await signIn(passkey.get({ challenge: options.challenge }))).body.code).toBe("sign_in_failed");

    expect((await owner.get("/passkeys")).body.data).toMatchObject([{ id: made.body.id, used_at: expect.any(String) }]);
    expect((await owner.call("DELETE", `/api/v1/passkeys/${made.body.id}`)).status).toBe(204);
    expect((await signIn(passkey.get(await ask()))).body.code).toBe("sign_in_failed");
  });
});

describe("a sign-in by OIDC", async () => {
  const provider = await identityProvider();
  const role_mapping = { claim: "groups", roles: { owner: ["admins"], editor: ["marketing"] } };
  const settings = { issuer: provider.issuer, client_id: "tidings", client_secret: "very-secret", role_mapping };
  const start = async (browser: Browser) => {
    const { headers } = await browser.get(`/oidc/start?workspace=${workspace}`);
    return new URL(headers.location ?? "");
  };
  const come = async (
    browser: Browser,
    claims: Record<string, unknown>,
    query: (state: string) => string = (state) => `code=c&state=${state}`,
  ) => {
    const to = await start(browser);
    provider.says(claims, to.searchParams.get("nonce") ?? "");
    return (await browser.get(`/oidc/callback?${query(to.searchParams.get("state") ?? "")}`)).headers.location;
  };

  test("is set up by owners, and its secret goes to no other issuer", async () => {
    expect((await asOwner("GET", "/oidc")).status).toBe(404);
    const set = await asOwner("PUT", "/oidc", settings);
    expect(set).toMatchObject({ status: 200, body: { redirect_uri: "http://localhost:4000/api/v1/oidc/callback" } });
    expect(JSON.stringify(set.body)).not.toContain("very-secret");
    const { client_secret: _, ...rest } = settings;
    expect((await asOwner("PUT", "/oidc", { ...rest, issuer: "https://evil.example" })).body.code).toBe(
      "credentials_missing",
    );
    const etag = (await asOwner("GET", "/oidc")).headers.etag as string;
    const change = {
      body: { ...rest, role_mapping: null },
      headers: { "x-tidings-workspace": workspace, "if-match": etag },
    };
    expect((await owner.call("PUT", "/api/v1/oidc", change)).status).toBe(200);
    expect((await owner.call("PUT", "/api/v1/oidc", change)).body).toMatchObject({
      code: "changed_meanwhile",
      changed_by: { id: ownerId },
    });
    expect((await asOwner("PUT", "/oidc", rest)).status).toBe(200);
  });

  test("lets in whom the mapping names, for this workspace only, with the role of this sign-in", async () => {
    const browser = browserOf(it);
    const eve = { sub: "eve", email: "eve@example.org", email_verified: true, name: "Eve" };
    expect(await come(browser, { ...eve, groups: ["sales"] })).toBe(
      "http://localhost:4000/sign-in?error=oidc_not_permitted",
    );
    expect(await come(browser, { ...eve, groups: ["marketing"] })).toBe("http://localhost:4000/");
    const { body } = await browser.get("/session");
    expect(body).toMatchObject({ member: { name: "Eve" }, workspaces: [{ id: workspace, role: "editor" }] });
    await come(browser, { ...eve, groups: ["admins", "marketing"] });
    expect((await browser.get("/session")).body.workspaces[0].role).toBe("owner");
    const actor = { type: "system", id: null, name: provider.issuer };
    expect((await asOwner("GET", `/audit?resource=${body.member.id}`)).body.data).toMatchObject([
      { action: "member.changed", actor },
      { action: "member.created", actor },
    ]);
    expect((await browser.call("PATCH", "/api/v1/member", { body: { name: "Mallory" } })).body.code).toBe(
      "not_permitted",
    );
  });

  test("of a member of several workspaces opens only the one whose owners chose the provider", async () => {
    const browser = browserOf(it);
    await come(browser, { sub: "ada", email: "ada@example.org", groups: ["admins"] });
    expect((await browser.get("/session")).body.workspaces.map((one: { id: string }) => one.id)).toEqual([workspace]);
    expect((await browser.get("/passkeys")).body.code).toBe("not_permitted");
  });

  test("counts neither in another browser, nor twice, nor with another state, nor without a verified address", async () => {
    const failed = "http://localhost:4000/sign-in?error=oidc_failed";
    const claims = { sub: "eve", email: "eve@example.org", groups: ["admins"] };
    const [mine, other] = [browserOf(it), browserOf(it)];
    const to = await start(mine);
    await start(other);
    provider.says(claims, to.searchParams.get("nonce") ?? "");
    const back = `/oidc/callback?code=c&state=${to.searchParams.get("state")}`;
    expect((await other.get(back)).headers.location).toBe(failed);
    expect((await browserOf(it).get(back)).headers.location).toBe(failed);
    expect(await come(mine, claims, () => "code=c&state=forged")).toBe(failed);
    const again = await start(mine);
    provider.says(claims, "another nonce");
    expect((await mine.get(`/oidc/callback?code=c&state=${again.searchParams.get("state")}`)).headers.location).toBe(
      failed,
    );
    const unverified = { sub: "new", email: "new@example.org", email_verified: false, groups: ["admins"] };
    expect(await come(mine, unverified)).toBe("http://localhost:4000/sign-in?error=oidc_no_email");
  });
});

test("the command line invites, lists and removes members, and makes links for new passwords", async () => {
  const env = { DATABASE_URL: it.databaseUrl, ENCRYPTION_KEY: encryptionKey.toString("base64") };
  const run = async (...args: string[]) => {
    const command = tidings(["members", ...args, "--json"], { env });
    expect(await command.exit, command.output()).toBe(0);
    return JSON.parse(command.output());
  };
  const at = ["--workspace", workspace];
  const { invite_url } = await run("invite", "cli@example.org", "--role", "editor", ...at);
  const browser = browserOf(it);
  const joined = await browser.post("/invitations/accept", { token: tokenOf(invite_url), password: PASSWORD });
  expect(joined.body.workspaces).toMatchObject([{ role: "editor" }]);
  const { url } = await run("reset-link", "cli@example.org", "--without-second-factor");
  const complete = () =>
    browserOf(it).post("/password-resets/complete", { token: tokenOf(url), new_password: "another long phrase" });
  expect([(await complete()).status, (await complete()).status]).toEqual([204, 422]);
  expect((await browser.get("/session")).status).toBe(401);
  const listed = await run("list", ...at);
  expect(listed).toContainEqual(expect.objectContaining({ email: "cli@example.org", role: "editor" }));
  await run("remove", "cli@example.org", ...at);
  expect((await run("list", ...at)).map((row: { email: string }) => row.email)).not.toContain("cli@example.org");
});
