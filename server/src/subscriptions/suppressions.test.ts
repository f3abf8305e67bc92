import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { testService } from "../../test/support/service.ts";
import { erasePerson } from "../people/index.ts";
import { addressHash, normalAddress, suppress, suppressed, unsuppress } from "./suppression/suppression.ts";

const it = await testService();
const { db } = it.service.ground;
const theirs = await it.another("Theirs");
const add = (body: Record<string, unknown>) => it.call("POST", "/api/v1/suppressions", { body });
const list = async (query = "", key = it.secretKey) =>
  (await it.call("GET", `/api/v1/suppressions${query}`, { key })).body.data;
const take = (channel: string, address: string) =>
  it.call("DELETE", `/api/v1/suppressions?channel=${channel}&address=${encodeURIComponent(address)}`);
const upload = (raw: string | Buffer, key = it.secretKey) =>
  it.call("POST", "/api/v1/suppressions/import", { raw, key, headers: { "content-type": "text/csv" } });
const download = (key = it.secretKey) => it.call("GET", "/api/v1/suppressions/export", { key });

describe("addresses", () => {
  test("are compared lower-cased, with an ASCII domain, and as E.164", () => {
    expect(normalAddress("email", " Ada@Bücher.Example ")).toBe("ada@xn--bcher-kva.example");
    expect(normalAddress("sms", "0151 12345678", "DE")).toBe("+4915112345678");
    expect(normalAddress("email", "no address")).toBeUndefined();
    expect(normalAddress("sms", "12")).toBeUndefined();
  });

  test("of two workspaces, or of two channels, never have one hash", () => {
    fc.assert(
      fc.property(fc.uuid(), fc.uuid(), fc.emailAddress(), (one, other, address) => {
        const hash = addressHash({ workspaceId: one, channel: "email", address });
        expect(hash).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
        expect(addressHash({ workspaceId: one, channel: "sms", address })).not.toBe(hash);
        if (one !== other) expect(addressHash({ workspaceId: other, channel: "email", address })).not.toBe(hash);
      }),
    );
  });
});

describe("the list", () => {
  test("takes an address, shows it with its reason and source, and finds it however it is written", async () => {
    const made = await add({ channel: "email", address: "Grace@Example.Test" });
    expect(made).toMatchObject({
      status: 201,
      body: { channel: "email", address: "grace@example.test", reason: "manual", source: "api" },
    });
    expect(await list("?q=GRACE")).toEqual([{ ...made.body, etag: expect.any(String) }]);
    expect(await list("?channel=sms&q=grace")).toEqual([]);
    expect(await list("?reason=manual&channel=email&q=grace")).toHaveLength(1);
    const target = { workspaceId: it.workspaceId, channel: "email" as const, address: "GRACE@example.test" };
    const nobody = { ...target, address: "nobody@example.test" };
    const foreign = { ...target, workspaceId: theirs.workspaceId };
    expect(await suppressed(db, [nobody, target, foreign, { ...target, address: "nonsense" }])).toMatchObject([
      undefined,
      { reason: "manual" },
      undefined,
      undefined,
    ]);
    expect(await list("", theirs.secretKey)).toEqual([]);
  });

  test("keeps the first reason, and gives the same answer again", async () => {
    const first = await add({ channel: "email", address: "twice@example.test", reason: "complaint" });
    const again = await add({ channel: "email", address: "twice@example.test", reason: "manual" });
    expect(again).toMatchObject({ status: 201, body: first.body });
  });

  test("gives an address free again, and the person's log tells both", async () => {
    await it.call("POST", "/data-gateway/v1/identify", {
      body: { person_id: "ada", attributes: { email: "ada@example.test" } },
    });
    await add({ channel: "email", address: "ada@example.test", reason: "hard_bounce" });
    expect((await take("email", "ADA@example.test")).status).toBe(204);
    expect(await take("email", "ada@example.test")).toMatchObject({ status: 404, body: { code: "not_found" } });
    const { data } = (await it.call("GET", "/api/v1/people/ada/activity")).body;
    expect(data.map((entry: { type: string; data: object }) => [entry.type, entry.data])).toEqual(
      expect.arrayContaining([
        ["person.suppressed", { channel: "email", reason: "hard_bounce", source: "api" }],
        ["person.unsuppressed", { channel: "email", reason: "hard_bounce", source: "api" }],
      ]),
    );
  });

  test("START takes back STOP and nothing else", async () => {
    const of = (address: string) => ({ workspaceId: it.workspaceId, channel: "sms" as const, address });
    const now = new Date();
    await db.transaction((tx) =>
      suppress(
        tx,
        [
          { ...of("+4915100000001"), reason: "stop", source: "twilio" },
          { ...of("+4915100000002"), reason: "manual", source: "api" },
        ],
        now,
      ),
    );
    const both = [of("+4915100000001"), of("+4915100000002")];
    expect(await db.transaction((tx) => unsuppress(tx, both, now, { reason: "stop", saidBefore: now }))).toBe(1);
    expect(await suppressed(db, both)).toMatchObject([undefined, { reason: "manual" }]);
  });

  test("comes in pages, each entry once", async () => {
    const { secretKey: key } = await it.another("Pages");
    for (let i = 0; i < 5; i++)
      await it.call("POST", "/api/v1/suppressions", { key, body: { channel: "email", address: `p${i}@example.test` } });
    const seen: string[] = [];
    let cursor = "";
    do {
      const { body } = await it.call("GET", `/api/v1/suppressions?limit=2${cursor}`, { key });
      seen.push(...body.data.map((entry: { address: string }) => entry.address));
      cursor = body.next_cursor === null ? "" : `&cursor=${body.next_cursor}`;
    } while (cursor);
    expect(seen.toSorted()).toEqual([0, 1, 2, 3, 4].map((i) => `p${i}@example.test`));
  });

  test.each([
    [{ channel: "email", address: "not an address" }, 422, "recipient_invalid"],
    [{ channel: "sms", address: "0151 1" }, 422, "recipient_invalid"],
    [{ channel: "email", address: "a@b.test,c@d.test" }, 422, "recipient_invalid"],
    [{ channel: "push", address: "token" }, 400, "invalid_request"],
    [{ channel: "email" }, 400, "invalid_request"],
    [{ channel: "email", address: "a@b.test", reason: "unsubscribe" }, 400, "invalid_request"],
    [{ channel: "email", address: "a\r\nb@c.test" }, 400, "invalid_request"],
  ])("%j is refused with %d %s", async (body, status, code) => {
    expect(await add(body)).toMatchObject({ status, body: { code } });
  });

  test("wants channel and address to take one off, and refuses a made-up cursor", async () => {
    expect(await it.call("DELETE", "/api/v1/suppressions")).toMatchObject({ status: 400 });
    expect(await take("email", "nonsense")).toMatchObject({ status: 422, body: { code: "recipient_invalid" } });
    const cursor = Buffer.from('["2026-01-01T00:00:00Z","x"]').toString("base64url");
    expect(await it.call("GET", `/api/v1/suppressions?cursor=${cursor}`)).toMatchObject({ status: 400 });
  });
});

describe("import", () => {
  test("takes the good lines and tells the bad ones with their numbers", async () => {
    const { secretKey: key } = await it.another("Import");
    const answer = await upload(
      [
        "Channel,Address,Reason,Created_At,ignored",
        "email,one@example.test,complaint,2025-01-02T03:04:05Z,x",
        "sms,+49 151 00000003,stop,,",
        ",Two@Example.test,,,",
        "email,nonsense,,,",
        "fax,three@example.test,,,",
        "",
        "email,four@example.test,annoyed,,",
        "email,,,,",
        "email,five@example.test,,yesterday,",
        "email,ONE@example.test,,,",
      ].join("\r\n"),
      key,
    );
    expect(answer).toMatchObject({ status: 200, body: { added: 3, known: 1, refused: 5 } });
    expect(answer.body.errors).toEqual([
      { line: 5, message: "is not an email address" },
      { line: 6, message: "channel must be email or sms" },
      { line: 8, message: "reason must be one of hard_bounce, complaint, manual, stop" },
      { line: 9, message: "has no address" },
      { line: 10, message: "created_at must be an ISO 8601 time that has passed" },
    ]);
    expect(await list("?q=one", key)).toMatchObject([
      { reason: "complaint", source: "import", created_at: "2025-01-02T03:04:05.000Z" },
    ]);
  });

  test("takes a list of another tool by its column `email`, and the same file twice", async () => {
    const { secretKey: key } = await it.another("Twice");
    const file = "\uFEFFemail,created\nx@example.test,1\ny@example.test,2\n";
    expect((await upload(file, key)).body).toMatchObject({ added: 2, known: 0, refused: 0, errors: [] });
    expect((await upload(file, key)).body).toMatchObject({ added: 0, known: 2, refused: 0, errors: [] });
  });

  test("takes more than one batch", async () => {
    const { secretKey: key } = await it.another("Big");
    const rows = Array.from({ length: 2_300 }, (_, i) => `big${i}@example.test`);
    expect((await upload(`email\n${rows.join("\n")}\n`, key)).body).toMatchObject({ added: 2_300, refused: 0 });
    const lines = (await download(key)).body.trim().split("\r\n");
    expect(new Set(lines.map((line: string) => line.split(",")[1])).size).toBe(2_301);
  });

  test("keeps what came before a broken place, and tells where that is", async () => {
    const { secretKey: key } = await it.another("Broken");
    const answer = await upload('email\ngood@example.test\n"open,and never closed\nmore@example.test\n', key);
    expect(answer.body).toMatchObject({ added: 1, refused: 1, errors: [{ line: 3 }] });
  });

  test.each([
    ["a file without names of columns", "a@example.test\nb@example.test\n"],
    ["a file of another kind", Buffer.from([0x50, 0x4b, 0x03, 0x04, 0x0a])],
  ])("%s is 400 and says what the first line must be", async (_what, file) => {
    expect(await upload(file)).toMatchObject({ status: 400, body: { code: "invalid_request" } });
  });

  test("wants the file itself", async () => {
    const answer = await it.call("POST", "/api/v1/suppressions/import", { body: { email: "a@example.test" } });
    expect(answer).toMatchObject({ status: 415, body: { code: "unsupported_media_type" } });
  });
});

describe("export", () => {
  test("gives what import takes, with nothing that a spreadsheet would run", async () => {
    const from = await it.another("From");
    const to = await it.another("To");
    await upload(
      "channel,address,reason\nsms,+4915100000009,stop\nemail,=cmd@example.test,complaint\n",
      from.secretKey,
    );
    const { body, headers } = await download(from.secretKey);
    expect(headers["content-type"]).toContain("text/csv");
    expect(headers["content-disposition"]).toContain("suppressions.csv");
    expect(body).toContain("sms,'+4915100000009,stop,import,");
    expect(body).toContain("email,'=cmd@example.test,complaint,import,");
    expect((await upload(body, to.secretKey)).body).toMatchObject({ added: 2, refused: 0 });
    const sorted = (text: string) => text.split("\r\n").toSorted();
    expect(sorted((await download(to.secretKey)).body)).toEqual(sorted(body));
  });

  test("has nothing of another workspace", async () => {
    await add({ channel: "email", address: "mine@example.test" });
    const fresh = await it.another("Fresh");
    expect((await download(fresh.secretKey)).body).toBe("channel,address,reason,source,created_at\r\n");
  });
});

test("after a person is erased the address still gets nothing, and only its hash is kept", async () => {
  const erased = { person_id: "gone", attributes: { email: "Gone@Bücher.example", phone: "+4915100000077" } };
  await it.call("POST", "/data-gateway/v1/identify", { body: erased });
  await add({ channel: "email", address: "gone@bücher.example", reason: "complaint" });
  await add({ channel: "sms", address: "+4915100000077" });
  expect(await erasePerson(it.service.ground, { workspaceId: it.workspaceId, personId: "gone", now: new Date() })).toBe(
    true,
  );
  const rows = await db.query<{ found: string }>({
    text: "select s::text as found from suppressions s where s::text ~ 'gone|bcher|0000077'",
    values: [],
  });
  expect(rows).toEqual([]);
  const target = { workspaceId: it.workspaceId, channel: "email" as const, address: "gone@bücher.example" };
  expect(await suppressed(db, [target])).toMatchObject([{ reason: "complaint", address: null }]);
  expect((await download()).body).not.toContain("complaint,api,\r\n");
});
