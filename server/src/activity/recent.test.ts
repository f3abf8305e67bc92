import { expect, inject, test } from "vitest";
import { databaseAt, query } from "../../test/support/database/citus.ts";
import { noted, plansOf } from "../../test/support/database/plans.ts";
import { testService } from "../../test/support/service.ts";
import { until } from "../../test/support/wait.ts";
import { type Statement, sql } from "../platform/db/index.ts";
import { endOfFeed, readBack } from "./feed-store.ts";

const it = await testService();
const { db } = it.service.ground;

interface EntriesPage {
  data: { id: string; type: string; data: { person_id: string | null; source: string | null } }[];
  next_cursor: string | null;
}
const list = async (query = "", key = it.secretKey): Promise<EntriesPage> => {
  const answer = await it.call("GET", `/api/v1/activity?${query}`, { key });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
};
/** All pages of a list. */
const all = async (query: string, key: string) => {
  const found: EntriesPage["data"] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page: EntriesPage = await list(`${query}${cursor && `&cursor=${cursor}`}`, key);
    found.push(...page.data);
    cursor = page.next_cursor;
  }
  return found;
};
const identify = (person_id: string, key: string) =>
  it.call("POST", "/data-gateway/v1/identify", {
    key,
    body: { person_id, attributes: { email: `${person_id}@a.example` } },
  });
const send = (id: string, key: string) =>
  it.call("POST", "/data-gateway/transactionals/email", {
    key,
    body: { identifiers: { id }, from: "a@example.com", subject: "s", body: "b" },
  });

test("what happened in a workspace is listed newest first, page by page, as the feed has it", async () => {
  const { secretKey: key } = await it.another();
  for (const person of ["a", "b", "c", "d", "e"]) await identify(person, key);
  await until(async () => (await list("", key)).data.length === 5, "all five");
  const listed = await all("limit=2", key);
  expect(listed.map(({ data }) => data.person_id)).toEqual(["e", "d", "c", "b", "a"]);
  const feed = (await it.call("GET", "/api/v1/events", { key })).body.data;
  expect(listed).toEqual(feed.toReversed());
});

test("kinds, families, the channel, the source and the person select, also together", async () => {
  const { secretKey: key } = await it.another();
  for (const person of ["ann", "bob"]) {
    await identify(person, key);
    expect((await send(person, key)).status).toBe(202);
  }
  await until(async () => (await list("types=email.queued", key)).data.length === 2, "both are queued");
  const whole = await all("", key);
  const ids = (entries: EntriesPage["data"]) => entries.map(({ id }) => id);
  const wanted = async (query: string, is: (entry: EntriesPage["data"][number]) => boolean) => {
    const expected = whole.filter(is);
    expect(expected.length, query).toBeGreaterThan(0);
    expect(expected.length, query).toBeLessThan(whole.length);
    expect(ids(await all(`limit=1&${query}`, key)), query).toEqual(ids(expected));
  };
  await wanted("types=person.*", ({ type }) => type.startsWith("person."));
  await wanted("types=campaign.*,email.queued", ({ type }) => type === "email.queued");
  await wanted("channel=email", ({ type }) => type.startsWith("email."));
  await wanted("source=transactional", ({ data }) => data.source === "transactional");
  await wanted("person_id=bob", ({ data }) => data.person_id === "bob");
  await wanted(
    "person_id=bob&channel=email&types=email.*",
    ({ type, data }) => type.startsWith("email.") && data.person_id === "bob",
  );
  for (const nothing of ["channel=sms", "person_id=nobody", "source_id=strange", "source=broadcast"])
    expect(await list(nothing, key), nothing).toEqual({ data: [], next_cursor: null });
});

test("another workspace's entries are not listed, also not for a person of the same id, and strange queries are refused", async () => {
  const [mine, theirs] = [await it.another(), await it.another()];
  await identify("same", theirs.secretKey);
  await until(async () => (await list("", theirs.secretKey)).data.length === 1, "theirs");
  for (const query of ["", "person_id=same", "types=person.*"])
    expect(await list(query, mine.secretKey)).toEqual({ data: [], next_cursor: null });
  for (const query of ["types=email.*,person.lost", "cursor=strange", "channel=fax", "sort=at"])
    expect(await it.call("GET", `/api/v1/activity?${query}`)).toMatchObject({
      status: 400,
      body: { code: "invalid_request" },
    });
});

test("a rare kind is found behind 25,000 others, page by page, and the log is read by its index", async () => {
  const { workspaceId: id, secretKey: key } = await it.another();
  await db.execute(sql`
    insert into activity (person_key, id, workspace_id, type, at)
    select md5(n::text)::uuid, gen_random_uuid(), ${id}, case n when 1 then 'email.complained' else 'email.sent' end, now()
    from generate_series(1, 25000) n order by n`);
  // In one transaction the order is by id: the rare one is made the oldest.
  await db.execute(sql`
    update activity set txid = '3' where workspace_id = ${id} and type = 'email.complained'`);
  await db.execute(sql`analyze activity`);
  // The log shows nothing newer than the oldest transaction that any test has open on this PostgreSQL.
  await until(async () => (await list("types=email.sent&limit=1", key)).data.length === 1, "the others in the log");
  const first = await list("types=email.complained", key);
  expect(first).toEqual({ data: [], next_cursor: expect.any(String) });
  expect(await all("types=email.complained", key)).toHaveLength(1);
  const seen: Statement[] = [];
  const filter = { channel: undefined, source: undefined, sourceId: undefined, personKey: undefined };
  const before = { txid: "999999999", id: "00000000-0000-0000-0000-000000000000" };
  await readBack(noted(db, seen), id, { filter: { ...filter, types: [] }, before: undefined, limit: 51 });
  await readBack(noted(db, seen), id, {
    filter: { ...filter, types: ["email.opened"] },
    before,
    limit: 51,
  });
  const personKey = "c4ca4238-a0b9-2382-0dcc-509a6f75849b";
  await readBack(noted(db, seen), id, { filter: { ...filter, types: [], personKey }, before, limit: 51 });
  for (const plan of await plansOf(db, seen)) expect(plan).not.toMatch(/Seq Scan on activity|Sort.*activity/);
});

// The coordinator has committed the transaction of a call, and the node was lost before it heard of that.
test.runIf(db.distributed)("on Citus the log ends before a transaction that a node has still to commit", async () => {
  const [coordinator, worker] = inject("databases").nodes as [string, string];
  const name = (await db.query<{ name: string }>(sql`select current_database() as name`))[0]?.name as string;
  const [there, here] = [databaseAt(worker, name), databaseAt(coordinator, name)];
  const txid = await db.transaction(
    async (tx) => (await tx.query<{ id: string }>(sql`select pg_current_xact_id()::text as id`))[0]?.id as string,
  );
  await until(async () => BigInt((await endOfFeed(db)).txid) > BigInt(txid), "the log reaches it");
  const gid = `citus_0_1_${txid}_0`;
  await query(there, `begin; select pg_current_xact_id(); prepare transaction '${gid}'`);
  await query(here, `insert into pg_dist_transaction (groupid, gid, outer_xid) values (1, '${gid}', '${txid}')`);
  expect((await endOfFeed(db)).txid).toBe(txid);
  await query(there, `commit prepared '${gid}'`);
  expect(BigInt((await endOfFeed(db)).txid)).toBeGreaterThan(BigInt(txid));
});

test.runIf(db.distributed)(
  "on Citus the log ends before a transaction that is open, and an entry has its number there",
  async () => {
    const { workspaceId } = it;
    await db.transaction(async (tx) => {
      const [row] = await tx.query<{ id: string }>(sql`select pg_current_xact_id()::text as id`);
      await tx.execute(sql`
      insert into activity (person_key, id, workspace_id, type, at)
      select gen_random_uuid(), gen_random_uuid(), ${workspaceId}, 'email.sent', now() from generate_series(1, 20)`);
      expect(BigInt((await endOfFeed(db)).txid)).toBeLessThanOrEqual(BigInt(row?.id as string));
      const numbers = await tx.query<{ txid: string }>(sql`
      select distinct txid::text from activity where workspace_id = ${workspaceId} and type = 'email.sent'`);
      expect(numbers).toEqual([{ txid: row?.id }]);
    });
  },
);
