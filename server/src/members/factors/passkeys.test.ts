import { describe, expect, test, vi } from "vitest";
import { browserOf } from "../../../test/support/browser.ts";
import { memberService, PASSWORD } from "../../../test/support/members/members.ts";
import { until } from "../../../test/support/wait.ts";
import { softwarePasskey } from "../../../test/support/passkey.ts";
import { sql } from "../../platform/db/index.ts";
import { Problem } from "../../platform/http/index.ts";

const { it, ground, owner, workspace } = await memberService();

describe("a passkey", () => {
  test("signs in without a password, and each challenge counts once", async () => {
    const passkey = softwarePasskey("http://localhost:4000");
    const { options } = (await owner.post("/passkeys/options")).body;
    const credential = passkey.create(options);
    // In an older session whoever finds the browser open must know the password.
    await ground.db.execute(sql`update member_sessions set created_at = ${new Date(Date.now() - 660_000)}`);
    const again = (body?: object) => owner.post("/passkeys/options", body);
    await until(async () => (await again()).body.code === "fresh_sign_in_required", "the session to be old");
    expect(await again({ password: "wrong" })).toMatchObject({ status: 401, body: { code: "sign_in_failed" } });
    expect((await again({ password: PASSWORD })).status).toBe(200);
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

    const failures = `/audit?resource=${(await owner.get("/session")).body.member.id}&action=member.sign_in_failed`;
    const logged = await until(async () => {
      const { data } = (await owner.inWorkspace(workspace, "GET", failures)).body;
      return data.length > 0 && data;
    }, "the failed sign-in in the log of changes");
    expect(logged).toMatchObject([{ actor: { type: "system" }, changes: [{ field: "/address" }] }]);

    expect((await owner.get("/passkeys")).body.data).toMatchObject([{ id: made.body.id, used_at: expect.any(String) }]);
    expect((await owner.call("DELETE", `/api/v1/passkeys/${made.body.id}`)).status).toBe(204);
    expect((await signIn(passkey.get(await ask()))).body.code).toBe("sign_in_failed");
  });
});
