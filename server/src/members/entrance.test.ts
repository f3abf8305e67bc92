import { describe, expect, test } from "vitest";
import { codeOf } from "../../test/support/authenticator.ts";
import { browserOf } from "../../test/support/browser.ts";
import { entranceService, HOUR, owner, PASSWORD, tokenOf } from "../../test/support/members/entrance.ts";
import { sql } from "../platform/db/index.ts";
import { attemptsOf } from "./session/attempts.ts";

const { clock, it, ground, workspace, newLink, signedIn } = await entranceService();

describe("the first visit", () => {
  test("needs the token that the start printed, and a wrong one changes nothing", async () => {
    const browser = browserOf(it);
    expect((await browser.get("/setup")).body).toEqual({ needed: true });
    const wrong = await browser.post("/setup", { ...owner, token: "x".repeat(43) });
    expect(wrong).toMatchObject({ status: 422, body: { code: "link_invalid" } });
    const old = tokenOf(await newLink());
    clock.forward(8 * 24 * HOUR);
    expect((await browser.post("/setup", { ...owner, token: old })).body.code).toBe("link_invalid");
    expect((await browser.get("/setup")).body).toEqual({ needed: true });
  });

  test.each([
    "aaaaaaaaaaaa",
    "passwordpassword",
    "123456789012",
    "qwertyuiopqwer",
    "Password1234!",
    "ada@example.org1",
  ])("refuses the password %s, and the link still works", async (password) => {
    const answer = await browserOf(it).post("/setup", { ...owner, password, token: tokenOf(await newLink()) });
    expect(answer).toMatchObject({
      status: 422,
      body: { code: "password_refused", errors: [{ pointer: "/password" }] },
    });
  });

  test("makes the owner of every workspace and signs them in, once", async () => {
    const tokens = [tokenOf(await newLink()), tokenOf(await newLink())];
    const [one, two] = [browserOf(it), browserOf(it)];
    // Both at once: one of them is the first.
    const answers = await Promise.all([
      one.post("/setup", { ...owner, token: tokens[0] }),
      two.post("/setup", { ...owner, token: tokens[1] }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    const first = answers[0].status === 201 ? one : two;
    const { status, body } = await first.get("/session");
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        member: { id: expect.stringMatching(/^mem_/), email: owner.email, name: "Ada", second_factor: false },
        workspaces: [{ id: workspace, name: "Test workspace", role: "owner" }],
        session: { id: expect.stringMatching(/^ses_/) },
      },
    });
    expect((await first.get("/setup")).body).toEqual({ needed: false });
    expect(await newLink()).toBeUndefined();
    expect((await browserOf(it).post("/setup", { ...owner, token: tokens[0] })).body.code).toBe("setup_done");
  });
});

describe("a sign-in", () => {
  test("sets a cookie that scripts can't read and other sites don't send", async () => {
    const { answer } = await signedIn();
    expect(answer.status).toBe(200);
    expect(answer.headers["set-cookie"]).toMatch(
      /^tidings-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=604800$/,
    );
    expect(JSON.stringify(answer.body)).not.toMatch(/[\w-]{43}/);
  });

  test("stores neither the token nor the password", async () => {
    const { browser } = await signedIn();
    const token = browser.cookies.get("tidings-session") ?? "";
    const rows = JSON.stringify([
      await ground.db.query(sql`select *, encode(token_hash, 'escape') from member_sessions`),
      await ground.db.query(sql`select * from members`),
    ]);
    expect(rows).not.toContain(token);
    expect(rows).not.toContain(PASSWORD);
    expect(rows).toContain("$scrypt$");
  });

  test("says nothing about what was wrong", async () => {
    const answers = [
      await browserOf(it).post("/session", { email: "nobody@example.org", password: PASSWORD }),
      (await signedIn("wrong")).answer,
      await browserOf(it).post("/session", { email: "no address", password: PASSWORD }),
      (await signedIn("x".repeat(1_000))).answer,
    ];
    const seen = new Set(answers.map(({ status, body }) => JSON.stringify({ status, ...body, request_id: "" })));
    expect([...seen]).toEqual([expect.stringContaining("sign_in_failed")]);
  });

  test("takes the address in any case, and the password however its characters are composed", async () => {
    const browser = browserOf(it);
    const composed = "pâté à la crème";
    expect(
      (await (await signedIn()).browser.post("/password", { current_password: PASSWORD, new_password: composed }))
        .status,
    ).toBe(204);
    const answer = await browser.post("/session", { email: " ADA@example.ORG ", password: composed.normalize("NFD") });
    expect(answer.status).toBe(200);
    await browser.post("/password", { current_password: composed, new_password: PASSWORD });
  });

  test("ends the session that the browser had before, and never takes over a token that somebody planted", async () => {
    const { browser } = await signedIn();
    const planted = browser.cookies.get("tidings-session") ?? "";
    await browser.post("/session", { email: "ada@example.org", password: PASSWORD });
    expect(browser.cookies.get("tidings-session")).not.toBe(planted);
    const thief = browserOf(it);
    thief.cookies.set("tidings-session", planted);
    expect(await thief.get("/session")).toMatchObject({ status: 401, body: { code: "unauthenticated" } });
  });

  test("is refused for a while after ten wrong passwords, also with the right one", async () => {
    const email = "limited@example.org";
    const tries = await Promise.all(
      Array.from({ length: 14 }, () => browserOf(it).post("/session", { email, password: "wrong" })),
    );
    expect(tries.filter(({ status }) => status === 401)).toHaveLength(10);
    const refused = tries.find(({ status }) => status === 429);
    expect(refused).toMatchObject({ body: { code: "rate_limited" } });
    expect(Number(refused?.headers["retry-after"])).toBeGreaterThan(0);
    // Another process has counted none of them.
    const elsewhere = attemptsOf(ground).count("password", email, "127.0.0.1");
    await expect(elsewhere).rejects.toMatchObject({ code: "rate_limited" });
    expect((await signedIn()).answer.status).toBe(200);
  });
});

describe("a second factor", () => {
  const code = (secret: string, steps = 0) => codeOf(secret, clock.now().getTime() + steps * 30_000);

  test("counts once confirmed; a code works once, and so does a recovery code", async () => {
    const { browser } = await signedIn();
    const { secret, uri } = (await browser.post("/second-factor")).body;
    expect(uri).toMatch(/^otpauth:\/\/totp\/Tidings:.*secret=/);
    expect((await signedIn()).answer.status).toBe(200);
    expect((await browser.post("/second-factor/confirm", { code: "000000" })).body.code).toBe("code_wrong");
    const confirmed = await browser.post("/second-factor/confirm", { code: code(secret) });
    const codes = confirmed.body.recovery_codes as string[];
    expect(new Set(codes).size).toBe(10);
    expect((await signedIn()).answer).toMatchObject({ status: 401, body: { code: "second_factor_required" } });
    // The code of the confirmation was used by it.
    expect((await signedIn(PASSWORD, { code: code(secret) })).answer.body.code).toBe("sign_in_failed");
    const next = code(secret, 1);
    const both = await Promise.all([signedIn(PASSWORD, { code: next }), signedIn(PASSWORD, { code: next })]);
    expect(both.map(({ answer }) => answer.status).toSorted()).toEqual([200, 401]);
    const [recovery = ""] = codes;
    expect((await signedIn(PASSWORD, { code: recovery.toUpperCase() })).answer.status).toBe(200);
    expect((await signedIn(PASSWORD, { code: recovery })).answer.status).toBe(401);
    const rows = JSON.stringify(await ground.db.query(sql`select totp_secret from members`));
    expect(rows).not.toContain(secret);

    const remove = (password: string) => browser.call("DELETE", "/api/v1/second-factor", { body: { password } });
    expect((await remove("wrong")).body.code).toBe("sign_in_failed");
    expect((await browser.get("/session")).body.member.second_factor).toBe(true);
    expect((await remove(PASSWORD)).status).toBe(204);
    expect((await signedIn()).answer.status).toBe(200);
  });
});
