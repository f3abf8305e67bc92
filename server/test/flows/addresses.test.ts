import { SignJWT } from "jose";
import { describe, expect, test } from "vitest";
import { sql } from "../../src/platform/db/index.ts";
import { testService } from "../support/service.ts";
import { until } from "../support/wait.ts";

// Tests who may report a person's address, and who gets a message that names an address.

const it = await testService();
const { db } = it.service.ground;
const secret = (await it.call("POST", "/api/v1/signing-secrets")).body as { kid: string; secret: string };
const mode = (identity_verification: string) =>
  it.call("PATCH", "/api/v1/workspace", { body: { identity_verification } });
const person = async (id: string) => (await it.call("GET", `/api/v1/people/${encodeURIComponent(id)}`)).body;
const identify = (person_id: string, attributes: object, key = it.secretKey, token?: string) =>
  it.call("POST", "/data-gateway/v1/identify", {
    key,
    body: { person_id, attributes },
    headers: token === undefined ? {} : { "x-person-token": token },
  });
const token = (sub: string, claims: Record<string, string> = {}) =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: "HS256", kid: secret.kid })
    .setSubject(sub)
    .setExpirationTime("1h")
    .sign(Buffer.from(secret.secret));
const trigger = (identifiers: object) =>
  it.call("POST", "/data-gateway/transactionals/email", {
    body: { identifiers, subject: "Your code", body: "<p>1234</p>", from: "a@acme.test" },
  });
const sms = (identifiers: object) =>
  it.call("POST", "/data-gateway/transactionals/sms", { body: { identifiers, body: "Your code is 1234" } });

describe.each(["monitor", "required"])("in %s", (name) => {
  const id = (who: string) => `${who}-${name}`;
  const address = (who: string) => `${who}@${name}.test`;

  test("an application can't take somebody else's address with its own token", async () => {
    await mode(name);
    await identify(id("victim"), { email: address("victim"), phone: "+4915112345678", first_name: "Victim" });
    const proof = await token(id("thief"));
    const said = { email: address("victim"), phone: "+4915112345678", first_name: "Thief", subscribed: false };
    expect((await identify(id("thief"), said, it.publicKey, proof)).status).toBe(200);
    expect(await person(id("thief"))).toMatchObject({
      email: null,
      phone: null,
      email_verified: false,
      claimed_email: address("victim"),
      claimed_phone: "+4915112345678",
    });
    const mail = await trigger({ email: address("victim") });
    expect(mail).toMatchObject({ status: 202, body: { person_id: id("victim"), status: "queued" } });
    expect((await sms({ phone: "+4915112345678" })).body).toMatchObject({ person_id: id("victim"), status: "queued" });
    expect((await trigger({ id: id("thief") })).body.code).toBe("recipient_missing");
    const audience = { filter: { attribute: "email", op: "eq", value: address("victim") } };
    expect((await it.call("POST", "/api/v1/audiences/preview", { body: audience })).body.count).toBe(1);
    const theirs = await it.call("GET", `/compat/customerio/v1/customers?email=${address("victim")}`);
    expect(theirs.body.results.map((one: { id: string }) => one.id)).toEqual([id("victim")]);
    await it.call("DELETE", `/api/v1/people/${id("victim")}`);
  });

  test("a claim replaces no address, and null removes only the claim", async () => {
    await identify(id("bea"), { email: address("bea") });
    const proof = await token(id("bea"));
    await identify(id("bea"), { email: address("other") }, it.publicKey, proof);
    const claimed = { email: address("bea"), email_verified: true, claimed_email: address("other") };
    expect(await person(id("bea"))).toMatchObject(claimed);
    const { person: exported } = (await it.call("GET", `/api/v1/people/${id("bea")}/export`)).body;
    expect(exported).toMatchObject(claimed);
    await identify(id("bea"), { email: null }, it.publicKey, proof);
    expect(await person(id("bea"))).toMatchObject({ ...claimed, claimed_email: null });
  });

  test("a token with an address proves it, for its own person only", async () => {
    const proof = await token(id("cleo"), { email: ` ${address("Cleo")}`, phone: "+49 151 12345670" });
    const said = { email: address("cleo"), phone: "+4915112345670" };
    await identify(id("cleo"), said, it.publicKey, proof);
    expect(await person(id("cleo"))).toMatchObject({ ...said, email_verified: true, phone_verified: true });
    const items = ["cleo", "dan"].map((who) => ({
      type: "identify",
      person_id: id(who),
      attributes: { email: address("cleo") },
    }));
    await it.call("POST", "/data-gateway/v1/batch", {
      key: it.publicKey,
      body: { items },
      headers: { "x-person-token": proof },
    });
    expect(await person(id("cleo"))).toMatchObject({ email_verified: true, claimed_email: null });
    expect((await person(id("dan"))).email ?? null).toBeNull();
  });

  test("a claimed address that a secret key reports is verified, and the claim is gone", async () => {
    await identify(id("eve"), { email: address("eve") }, it.publicKey, await token(id("eve")));
    expect(await person(id("eve"))).toMatchObject({ email: null, claimed_email: address("eve") });
    await identify(id("eve"), { email: address("Eve") });
    expect(await person(id("eve"))).toMatchObject({
      email: address("eve"),
      email_verified: true,
      claimed_email: null,
    });
    await identify(id("eve"), { email: address("eve") }, it.publicKey, await token(id("eve")));
    expect(await person(id("eve"))).toMatchObject({ email_verified: true, claimed_email: null });
  });

  test("addresses from the clients of others are claims, too", async () => {
    const headers = { "x-person-token": await token(id("fay")) };
    const traits = { traits: { email: address("fay") } };
    const key = it.publicKey;
    await it.call("POST", "/compat/segment/v1/identify", { key, headers, body: { userId: id("fay"), ...traits } });
    expect(await person(id("fay"))).toMatchObject({ email: null, claimed_email: address("fay") });
    const basic = `Basic ${Buffer.from(`site:${key}`).toString("base64")}`;
    await it.call("PUT", `/compat/customerio/api/v1/customers/${id("fay")}`, {
      key: null,
      headers: { ...headers, authorization: basic },
      body: { email: address("gus") },
    });
    expect(await person(id("fay"))).toMatchObject({ email: null, claimed_email: address("gus") });
  });
});

test("with off the addresses of applications are used, and not verified", async () => {
  await mode("off");
  await identify("trusted", { email: "trusted@off.test" }, it.publicKey);
  expect(await person("trusted")).toMatchObject({ email: "trusted@off.test", email_verified: false });
  await identify("trusted", { email: "trusted@off.test" });
  await identify("trusted", { email: "trusted@off.test" }, it.publicKey);
  expect(await person("trusted")).toMatchObject({ email_verified: true });
  await identify("trusted", { email: "new@off.test" }, it.publicKey);
  expect(await person("trusted")).toMatchObject({ email: "new@off.test", email_verified: false });
  await mode("monitor");
});

test("a verified address can be removed", async () => {
  await identify("gone", { email: "gone@off.test", phone: "+4915112345699" });
  expect((await identify("gone", { email: null, phone: null })).status).toBe(200);
  expect(await person("gone")).toMatchObject({ email: null, email_verified: false, phone_verified: false });
});

test("claims are counted", async () => {
  const other = await it.another();
  const count = async () =>
    (await it.call("GET", "/api/v1/workspace", { key: other.secretKey })).body.unverified_calls.claimed;
  await identify("ada", { email: "ada@counted.test", phone: "+4915112345600" }, other.publicKey);
  await identify("ada", { email: null, plan: "pro" }, other.publicKey);
  await until(async () => (await count()) === 2, "two claims counted");
  const metrics = (await it.call("GET", "/metrics", { key: null })).body as string;
  expect(metrics).toMatch(/tidings_unverified_calls_total\{kind="claimed"\} \d/);
});

describe("people who share an address", () => {
  const share = async (email: string, ids: string[]) => {
    for (const id of ids) await identify(id, { email });
  };
  const unverified = (ids: string[]) =>
    db.execute(sql`update people set email_verified = false where person_id = any(${ids}::text[])`);

  test("an address names the verified one", async () => {
    await share("one@shared.test", ["s1", "s2"]);
    await unverified(["s2"]);
    expect((await trigger({ email: "one@shared.test" })).body.person_id).toBe("s1");
  });

  test.each([
    ["several", []],
    ["none", ["n1", "n2", "n3"]],
  ])("where %s are verified it is 409 with how many they are, and nobody gets anything", async (word, which) => {
    const [email, ids] = [`${word}@shared.test`, ["n1", "n2", "n3"]];
    await share(email, ids);
    await unverified(which);
    const answer = await trigger({ email });
    expect(answer).toMatchObject({ status: 409, body: { code: "ambiguous_recipient", people: 3 } });
    expect(JSON.stringify(answer.body)).not.toMatch(/n1|n2|n3/);
    const body = { identifiers: { email }, subject: "Hi", body: "x", from: "a@acme.test" };
    const items = [
      { channel: "email", ...body },
      { channel: "email", ...body, identifiers: { id: "n1" } },
    ];
    const batch = await it.call("POST", "/data-gateway/transactionals/batch", { body: { items } });
    expect(batch.body.results).toMatchObject([{ status: 409, code: "ambiguous_recipient" }, { status: 202 }]);
    expect((await trigger({ id: "n2" })).status).toBe(202);
  });

  test("a client of others gets this error, too, and a list adds nobody at random", async () => {
    await share("both@shared.test", ["b1", "b2"]);
    const sent = await it.call("POST", "/compat/customerio/v1/send/email", {
      body: {
        identifiers: { email: "both@shared.test" },
        to: "both@shared.test",
        from: "a@acme.test",
        subject: "Hi",
        body: "x",
      },
    });
    expect(sent).toMatchObject({ status: 409, body: { meta: { error: expect.stringContaining("2 people") } } });
    const found = await it.call("GET", "/compat/customerio/v1/customers?email=both@shared.test");
    expect(found.body.results).toHaveLength(2);
    const list = (await it.call("POST", "/api/v1/audiences", { body: { name: "List", kind: "list" } })).body.id;
    const imported = await it.call("POST", `/api/v1/audiences/${list}/import`, {
      raw: "email\nboth@shared.test\n",
      headers: { "content-type": "text/csv" },
    });
    expect(JSON.stringify(imported.body)).toContain("several people have");
  });

  test("adding an address to the suppression list is logged for all who have it", async () => {
    await share("all@shared.test", ["l1", "l2"]);
    await it.call("POST", "/api/v1/suppressions", { body: { channel: "email", address: "all@shared.test" } });
    for (const id of ["l1", "l2"]) {
      const { data } = (await it.call("GET", `/api/v1/people/${id}/activity`)).body;
      expect(data.map((entry: { type: string }) => entry.type)).toContain("person.suppressed");
      expect((await trigger({ id })).body.status).toBe("suppressed");
    }
  });

  test("after a merge one person has the address, verified if it was for either", async () => {
    await share("merged@shared.test", ["m1", "m2"]);
    await unverified(["m1"]);
    await identify("m2", { email: "claim@shared.test" }, it.publicKey);
    await it.call("POST", "/api/v1/people/m2/merge", { body: { into: "m1" } });
    expect(await person("m1")).toMatchObject({
      email: "merged@shared.test",
      email_verified: true,
      claimed_email: "claim@shared.test",
    });
    expect((await trigger({ email: "merged@shared.test" })).body.person_id).toBe("m1");
  });
});
