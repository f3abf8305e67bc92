import { describe, expect, test } from "vitest";
import { browserOf } from "../../../test/support/browser.ts";
import { entranceService, HOUR, owner, PASSWORD, tokenOf } from "../../../test/support/members/entrance.ts";
import { sql } from "../../platform/db/index.ts";
import { encodeId } from "../../platform/ids.ts";

const { clock, it, ground, workspace, newLink, signedIn } = await entranceService();
await browserOf(it).post("/setup", { ...owner, token: tokenOf(await newLink()) });

describe("a session", () => {
  test("ends twelve hours after its last use, and after seven days in any case", async () => {
    const { browser } = await signedIn();
    clock.forward(13 * HOUR);
    expect((await browser.get("/session")).status).toBe(401);
    const { browser: busy } = await signedIn();
    for (let hours = 0; hours < 7 * 24 - 8; hours += 8) {
      clock.forward(8 * HOUR);
      ground.signals.publish("members.changed", ["x"]);
      expect((await busy.get("/session")).status, `${hours} h`).toBe(200);
    }
    clock.forward(9 * HOUR);
    expect((await busy.get("/session")).status).toBe(401);
  });

  test("ends with a sign-out, and removes the cookie", async () => {
    const { browser } = await signedIn();
    const copy = browserOf(it);
    copy.cookies.set("tidings-session", browser.cookies.get("tidings-session") ?? "");
    expect((await browser.call("DELETE", "/api/v1/session")).status).toBe(204);
    expect(browser.cookies.size).toBe(0);
    expect((await copy.get("/session")).status).toBe(401);
  });

  test("has a cookie that only TLS carries, and only for this host, where the service is behind TLS", async () => {
    const { config } = ground as unknown as { config: { publicUrl: string } };
    const { publicUrl } = config;
    config.publicUrl = "https://news.example.org";
    try {
      const { browser, answer } = await signedIn();
      expect(answer.status).toBe(200);
      expect(answer.headers["set-cookie"]).toMatch(
        /^__Host-tidings-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+; Secure$/,
      );
      expect((await browser.get("/session")).status).toBe(200);
      // A cookie without the prefix may come from another host of the domain.
      const planted = browserOf(it);
      planted.cookies.set("tidings-session", browser.cookies.get("__Host-tidings-session") ?? "");
      expect((await planted.get("/session")).status).toBe(401);
      await browser.call("DELETE", "/api/v1/session");
      expect(browser.cookies.size).toBe(0);
    } finally {
      config.publicUrl = publicUrl;
    }
  });

  test("is listed, and ended by the member from another one", async () => {
    const [{ browser: here }, { browser: there }] = [await signedIn(), await signedIn()];
    const { data } = (await here.get("/sessions")).body;
    const other = (await there.get("/session")).body.session.id;
    expect(data.filter((row: { current: boolean }) => row.current)).toHaveLength(1);
    expect(data.map((row: { id: string }) => row.id)).toContain(other);
    expect((await here.call("DELETE", `/api/v1/sessions/${other}`)).status).toBe(204);
    expect((await there.get("/session")).status).toBe(401);
    expect((await here.call("DELETE", `/api/v1/sessions/${other}`)).status).toBe(404);
    expect((await here.get("/session")).status).toBe(200);
  });

  test("ends where the password changes in another one", async () => {
    const [{ browser: here }, { browser: there }] = [await signedIn(), await signedIn()];
    const change = (current_password: string, new_password: string) =>
      here.post("/password", { current_password, new_password });
    expect(await change("wrong", "another long phrase")).toMatchObject({
      status: 401,
      body: { code: "sign_in_failed", errors: [{ pointer: "/current_password" }] },
    });
    expect((await change(PASSWORD, "another long phrase")).status).toBe(204);
    expect([(await here.get("/session")).status, (await there.get("/session")).status]).toEqual([200, 401]);
    expect((await signedIn()).answer.status).toBe(401);
    await change("another long phrase", PASSWORD);
  });

  test("names its member anew", async () => {
    const { browser } = await signedIn();
    const named = await browser.call("PATCH", "/api/v1/member", { body: { name: "Ada L." } });
    expect(named.body.member.name).toBe("Ada L.");
    expect((await browser.get("/session")).body.member.name).toBe("Ada L.");
  });
});

describe("a request of another site", () => {
  const tries: [string, Record<string, string>, number][] = [
    ["with the origin of another site", { "sec-fetch-site": "", origin: "https://evil.example" }, 403],
    ["of a browser that says cross-site", { "sec-fetch-site": "cross-site" }, 403],
    ["of a neighbour in the same domain", { "sec-fetch-site": "same-site" }, 403],
    ["that is opaque", { "sec-fetch-site": "", origin: "null" }, 403],
    ["that does not say where from", { "sec-fetch-site": "" }, 403],
    [
      "of an own page without Sec-Fetch-Site",
      { "sec-fetch-site": "", origin: "http://localhost:4321", host: "localhost:4321" },
      201,
    ],
    ["of an own page", {}, 201],
  ];

  test.each(tries)("%s changes nothing, unless it is an own page", async (_name, given, status) => {
    const { browser } = await signedIn();
    const cookie = `tidings-session=${browser.cookies.get("tidings-session")}`;
    const headers = Object.fromEntries(
      Object.entries({ "sec-fetch-site": "same-origin", cookie, ...given }).filter(([, value]) => value !== ""),
    );
    const topic = { name: `Topic ${_name}`, default: "subscribed" };
    const at = { ...headers, "x-tidings-workspace": workspace };
    expect((await it.call("POST", "/api/v1/topics", { key: null, body: topic, headers: at })).status).toBe(status);
    const signOut = await it.call("DELETE", "/api/v1/session", { key: null, headers });
    expect(signOut.status).toBe(status === 403 ? 403 : 204);
  });
});

describe("a call to the product API with a session", () => {
  test("names a workspace of the session, in a header or in the address of a GET", async () => {
    const { browser } = await signedIn();
    const call = (where: object) => browser.call("GET", "/api/v1/workspace", { headers: { ...where } });
    expect((await call({ "x-tidings-workspace": workspace })).body.id).toBe(workspace);
    expect((await browser.get(`/workspace?workspace=${workspace}`)).body.id).toBe(workspace);
    expect(await call({})).toMatchObject({ status: 400, body: { errors: [{ parameter: "X-Tidings-Workspace" }] } });
    const theirs = await it.another();
    for (const id of [encodeId("ws", theirs.workspaceId), "ws_00000000000000000000000000", "x"])
      expect((await call({ "x-tidings-workspace": id })).body.code, id).toBe("not_permitted");
  });

  test("is refused where the workspace is suspended, at once", async () => {
    const { browser } = await signedIn();
    await ground.db.transaction(async (tx) => {
      await tx.execute(sql`update workspaces set status = 'suspended' where id = ${it.workspaceId}`);
      tx.signal("workspaces.changed", [it.workspaceId]);
    });
    const answer = await browser.inWorkspace(workspace, "GET", "/workspace");
    expect(answer).toMatchObject({ status: 403, body: { code: "workspace_suspended" } });
    await ground.db.transaction(async (tx) => {
      await tx.execute(sql`update workspaces set status = 'active' where id = ${it.workspaceId}`);
      tx.signal("workspaces.changed", [it.workspaceId]);
    });
  });

  test("counts a key instead, where there is one", async () => {
    const { browser } = await signedIn();
    const theirs = await it.another("Theirs");
    const answer = await browser.call("GET", "/api/v1/workspace", { key: theirs.secretKey });
    expect(answer.body.name).toBe("Theirs");
    expect((await browser.call("GET", "/api/v1/workspace", { key: "tid_sec_wrong" })).status).toBe(401);
  });

  test("is not held by the workspace's limit for the product API, so that a member can raise it", async () => {
    const { browser } = await signedIn();
    const limit = (product?: number) =>
      browser.inWorkspace(workspace, "PATCH", "/workspace", { rate_limits: product === undefined ? {} : { product } });
    expect((await limit(1)).status).toBe(200);
    const byKey = [await it.call("GET", "/api/v1/workspace"), await it.call("GET", "/api/v1/workspace")];
    expect(byKey.map(({ status }) => status)).toEqual([200, 429]);
    expect((await browser.inWorkspace(workspace, "GET", "/workspace")).status).toBe(200);
    expect((await limit()).body.rate_limits).toEqual({});
    expect((await it.call("GET", "/api/v1/workspace")).status).toBe(200);
  });

  test("does not open the data gateway", async () => {
    const { browser } = await signedIn();
    const answer = await browser.call("POST", "/data-gateway/v1/identify", {
      body: { person_id: "ada" },
      headers: { "x-tidings-workspace": workspace },
    });
    expect(answer.status).toBe(401);
  });
});
