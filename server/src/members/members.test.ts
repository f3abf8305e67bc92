import { keyScopes } from "@tidings/contract/workspaces";
import { describe, expect, test } from "vitest";
import { browserOf } from "../../test/support/browser.ts";
import { waitingForLocks } from "../../test/support/database/locks.ts";
import { memberService, PASSWORD, tokenOf } from "../../test/support/members/members.ts";
import { tidings } from "../../test/support/tidings.ts";
import { until } from "../../test/support/wait.ts";
import { decodeId, encodeId } from "../platform/ids.ts";
import { invite as inviteIn } from "./account/membership.ts";
import { SCOPES } from "./guard.ts";
import { lockMember } from "./store/account-store.ts";

const { encryptionKey, it, workspace, owner, ownerId, asOwner, invite, member, ground } = await memberService();

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

  test("that is repeated while it is taken back is answered, and then taken back, too", async () => {
    const { id } = await invite("both@example.org");
    const origin = {
      scope: it.workspaceId,
      actor: { type: "system", id: null, name: "Test" },
      requestId: null,
    } as const;
    const email = { email: "both@example.org", key: "both@example.org" };
    const removal = await ground.db.transaction(async (tx) => {
      await lockMember(tx, decodeId("mem", id) as string);
      const asked = asOwner("DELETE", `/members/${id}`);
      await until(async () => (await waitingForLocks(ground.db)) === 1, "the removal");
      await inviteIn(tx, origin, { email, role: "viewer" }, new Date());
      return { asked };
    });
    expect((await removal.asked).status).toBe(204);
    const { data } = (await asOwner("GET", "/members")).body;
    expect(data.map((one: { id: string }) => one.id)).not.toContain(id);
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
