import { describe, expect, test } from "vitest";
import { type Browser, browserOf } from "../../../test/support/browser.ts";
import { memberService } from "../../../test/support/members/members.ts";
import { identityProvider } from "../../../test/support/network/identity-provider.ts";

const { it, workspace, owner, ownerId, asOwner } = await memberService();

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
    // The same again is the repeat of a lost answer, and another one is late.
    expect((await owner.call("PUT", "/api/v1/oidc", change)).status).toBe(200);
    const late = { ...change, body: { ...change.body, client_id: "other" } };
    expect((await owner.call("PUT", "/api/v1/oidc", late)).body).toMatchObject({
      code: "changed_meanwhile",
      changed_by: { id: ownerId },
    });
    expect((await asOwner("PUT", "/oidc", rest)).status).toBe(200);
    // Another secret looks the same, and is another version all the same.
    const seen = (await asOwner("GET", "/oidc")).headers.etag as string;
    expect((await asOwner("PUT", "/oidc", { ...settings, client_secret: "another" })).status).toBe(200);
    const blind = { ...late, headers: { ...change.headers, "if-match": seen } };
    expect((await owner.call("PUT", "/api/v1/oidc", blind)).body.code).toBe("changed_meanwhile");
    expect((await asOwner("PUT", "/oidc", settings)).status).toBe(200);
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

  test("adds no account that is in use elsewhere only: somebody else may have opened it under this address", async () => {
    const { secretKey: key } = await it.another();
    const invitation = { key, body: { email: "mary@example.org", role: "owner" } };
    const token = (await it.call("POST", "/api/v1/members", invitation)).body.invite_url.split("#token=")[1];
    await browserOf(it).post("/invitations/accept", { token, password: "of somebody else, long" });
    const browser = browserOf(it);
    expect(await come(browser, { sub: "mary", email: "mary@example.org", groups: ["admins"] })).toBe(
      "http://localhost:4000/sign-in?error=oidc_account_in_use",
    );
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
