import pg from "pg";
import { expect, test } from "vitest";
import { testService } from "../../test/support/service.ts";
import { until } from "../../test/support/wait.ts";

const it = await testService();
const EVENTS = "/api/v1/events";

const identify = (person_id: string, key = it.secretKey) =>
  it.call("POST", "/data-gateway/v1/identify", { key, body: { person_id, attributes: {} } });

const read = async (query: string, key = it.secretKey) => {
  const answer = await it.call("GET", `${EVENTS}?${query}`, { key });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body as {
    data: { id: string; type: string; timestamp: string; data: { person_id: string | null } }[];
    next_cursor: string;
    has_more: boolean;
  };
};
/** Reads to the end of the feed, and returns all events. */
const readAll = async (cursor: string, query = "limit=200", key = it.secretKey) => {
  const events: Awaited<ReturnType<typeof read>>["data"] = [];
  for (let from = cursor; ; ) {
    const page = await read(`${query}${from && `&cursor=${from}`}`, key);
    events.push(...page.data);
    from = page.next_cursor;
    if (!page.has_more) return { events, cursor: from };
  }
};

/** Opens separate connections, so that a transaction can stay open while others commit, and ends them. */
async function withConnections(most: number, work: (...clients: pg.Client[]) => Promise<void>): Promise<void> {
  const clients = Array.from({ length: most }, () => new pg.Client({ connectionString: it.databaseUrl }));
  try {
    await Promise.all(clients.map((client) => client.connect()));
    await work(...clients);
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}
const insertion = `insert into activity (person_key, id, workspace_id, type, at)
  values (gen_random_uuid(), gen_random_uuid(), $1, $2, now()) returning id`;

test("events come oldest first, in pages that end where the next begins", async () => {
  const { secretKey } = await it.another();
  const people = ["a", "b", "c", "d", "e"];
  for (const person of people) await identify(person, secretKey);
  await until(async () => (await readAll("", "limit=200", secretKey)).events.length === 5, "all five");
  const seen: (string | null)[] = [];
  let cursor = "";
  for (let pages = 0; pages < 3; pages++) {
    const page = await read(`limit=2${cursor && `&cursor=${cursor}`}`, secretKey);
    seen.push(...page.data.map((event) => event.data.person_id));
    expect(page.has_more).toBe(pages < 2);
    cursor = page.next_cursor;
  }
  expect(seen).toEqual(people);
  const empty = await read(`cursor=${cursor}`, secretKey);
  expect(empty).toMatchObject({ data: [], has_more: false, next_cursor: expect.any(String) });
  await identify("f", secretKey);
  const later = await until(async () => {
    const page = await read(`cursor=${empty.next_cursor}`, secretKey);
    return page.data.length > 0 ? page : undefined;
  }, "the sixth");
  expect(later.data).toMatchObject([
    { id: expect.stringMatching(/^act_/), type: "person.identified", data: { person_id: "f", delivery_id: null } },
  ]);
});

test("a transaction that commits late is not skipped by reads in between", async () => {
  const { secretKey, workspaceId } = await it.another();
  await withConnections(2, async (late, quick) => {
    if (!late || !quick) throw new Error("no connections");
    await late.query("begin");
    await late.query(insertion, [workspaceId, "email.sent"]);
    // Begun later, committed earlier: both orders of ids and times would show it first.
    await quick.query(insertion, [workspaceId, "email.bounced"]);
    const before = await readAll("", "limit=200", secretKey);
    expect(before.events).toEqual([]);
    await quick.query(insertion, [workspaceId, "email.opened"]);
    const between = await readAll(before.cursor, "limit=200", secretKey);
    expect(between.events).toEqual([]);
    await late.query("commit");
    let { cursor } = between;
    const seen: string[] = [];
    await until(async () => {
      const next = await readAll(cursor, "limit=200", secretKey);
      cursor = next.cursor;
      seen.push(...next.events.map((event) => event.type));
      return seen.length >= 3;
    }, "all three");
    expect(seen).toEqual(["email.sent", "email.bounced", "email.opened"]);
  });
});

test("with many writers at once a reader sees every event once", async () => {
  const { secretKey, workspaceId } = await it.another();
  const written: string[] = [];
  let writing = true;
  const write = async (client: pg.Client, writer: number) => {
    for (let i = 0; i < 25; i++) {
      await client.query("begin");
      const mine: string[] = [];
      for (let n = 0; n <= (writer + i) % 3; n++)
        mine.push((await client.query(insertion, [workspaceId, "sms.sent"])).rows[0].id);
      // One in five is rolled back.
      const kept = (writer + i) % 5 !== 0;
      await client.query(kept ? "commit" : "rollback");
      if (kept) written.push(...mine);
    }
  };
  const done = withConnections(4, async (...clients) => void (await Promise.all(clients.map(write)))).finally(() => {
    writing = false;
  });
  const seen: string[] = [];
  let cursor = "";
  while (writing) {
    const page = await read(`limit=3${cursor && `&cursor=${cursor}`}`, secretKey);
    seen.push(...page.data.map((event) => event.id));
    cursor = page.next_cursor;
  }
  await done;
  await until(async () => {
    const next = await readAll(cursor, "limit=200", secretKey);
    cursor = next.cursor;
    seen.push(...next.events.map((event) => event.id));
    return seen.length >= written.length;
  }, "every event");
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen).toHaveLength(written.length);
});

test("a reader of one type gets it also after thousands of others, and reads none of those twice", async () => {
  const { secretKey, workspaceId } = await it.another();
  const { db } = it.service.ground;
  await db.execute({
    text: `insert into activity (person_key, id, workspace_id, type, at)
           select gen_random_uuid(), gen_random_uuid(), $1, 'push.sent', now() from generate_series(1, 4500)`,
    values: [workspaceId],
  });
  await db.execute({ text: insertion, values: [workspaceId, "email.bounced"] });
  const found = await until(async () => {
    const all = await readAll("", "types=email.*,sms.sent", secretKey);
    return all.events.length > 0 ? all : undefined;
  }, "the rare one");
  expect(found.events.map((event) => event.type)).toEqual(["email.bounced"]);
  const first = await read("types=email.*", secretKey);
  expect(first).toMatchObject({ data: [], has_more: true });
});

test("latest begins with the events from now on", async () => {
  const { secretKey } = await it.another();
  await identify("early", secretKey);
  await until(async () => (await readAll("", "limit=200", secretKey)).events.length === 1);
  const { data, next_cursor } = await read("cursor=latest", secretKey);
  expect(data).toEqual([]);
  await identify("late", secretKey);
  const next = await until(async () => {
    const page = await read(`cursor=${next_cursor}`, secretKey);
    return page.data.length > 0 ? page : undefined;
  });
  expect(next.data.map((event) => event.data.person_id)).toEqual(["late"]);
});

test("another workspace's events are not returned for any cursor", async () => {
  const mine = await it.another();
  const theirs = await it.another();
  await identify("x", theirs.secretKey);
  await until(async () => (await readAll("", "limit=200", theirs.secretKey)).events.length === 1);
  expect((await readAll("", "limit=200", mine.secretKey)).events).toEqual([]);
});

test.each([
  ["limit=0", "limit"],
  ["limit=201", "limit"],
  ["cursor=nonsense", "cursor"],
  [`cursor=${Buffer.from('["-1","00000000-0000-0000-0000-000000000000"]').toString("base64url")}`, "cursor"],
  [
    `cursor=${Buffer.from('["99999999999999999999","00000000-0000-0000-0000-000000000000"]').toString("base64url")}`,
    "cursor",
  ],
  [`cursor=${Buffer.from('["1","1"]').toString("base64url")}`, "cursor"],
  ["types=email.snet", "types"],
  ["types=", "types"],
  ["types=email.sent%00", "types"],
])("%s is refused with the parameter's name", async (query, parameter) => {
  const answer = await it.call("GET", `${EVENTS}?${query}`);
  expect([answer.status, answer.body.code]).toEqual([400, "invalid_request"]);
  expect(answer.body.errors[0].parameter).toBe(parameter);
});

test("a cursor from the future stays where it is, and a public key may not read", async () => {
  const cursor = Buffer.from('["9000000000000000000","00000000-0000-0000-0000-000000000000"]').toString("base64url");
  expect((await read(`cursor=${cursor}`)).next_cursor).toBe(cursor);
  expect((await it.call("GET", EVENTS, { key: it.publicKey })).status).toBe(403);
});
