import { describe, expect, test } from "vitest";
import { inShards } from "../support/database/citus.ts";
import { filterOf } from "../../src/activity/deliveries/delivery-view.ts";
import { countDeliveries, type DeliveryFilter, listDeliveries } from "../../src/activity/deliveries/list-store.ts";
import { listPeople } from "../../src/people/profile/list-store.ts";
import { type Queries, type Statement, sql } from "../../src/platform/db/index.ts";
import { encodeId } from "../../src/platform/ids.ts";
import { personKey } from "../../src/workspaces/index.ts";
import { noted, plansOf } from "../support/database/plans.ts";
import { testService } from "../support/service.ts";

// The two long lists: people and deliveries. The lists of authored things are in server/src/platform/resources/lists.test.ts.

const it = await testService();
const { db } = it.service.ground;
const other = await it.another();

const KNOWN = {
  ada: { email: "Ada@example.com", first_name: "Ada", last_name: "Lovelace" },
  "BOB_%": { phone: "+4915112345678", name: "Robert Öberg" },
  "bob.x": { email: "bob@example.com", firstName: "Åsa", lastName: "von Berg" },
  carl: { email: "a_b@example.com", name: 5 },
};
const items = Object.entries(KNOWN).map(([person_id, attributes]) => ({ type: "identify", person_id, attributes }));
for (const key of [other.secretKey, it.secretKey])
  expect((await it.call("POST", "/data-gateway/v1/batch", { key, body: { items } })).body.results).toHaveLength(4);
// One millisecond apart, in the order of KNOWN.
for (const [i, id] of Object.keys(KNOWN).entries())
  await db.execute(sql`
    update people set created_at = ${new Date(2026, 0, 1, 0, 0, 0, i)}, updated_at = ${new Date(2026, 0, 2, 0, 0, 0, i)}
    where person_id = ${id}`);

async function plansFor(run: (q: Queries) => Promise<unknown>): Promise<string[]> {
  const seen: Statement[] = [];
  await run(noted(db, seen));
  return plansOf(db, seen);
}

const get = (path: string, query: Record<string, string | number> = {}) =>
  it.call("GET", `/api/v1/${path}?${new URLSearchParams(query as Record<string, string>)}`);

async function everyPage(path: string, query: Record<string, string | number>, field: string): Promise<string[]> {
  const found: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { status, body } = await get(path, { ...query, ...(cursor && { cursor }) });
    expect([status, body.detail]).toEqual([200, undefined]);
    found.push(...body.data.map((row: Record<string, string>) => row[field]));
    cursor = body.next_cursor;
  }
  return found;
}

describe("people", () => {
  test.each([
    ["ADA", ["ada"]],
    [" ada@EXAMPLE ", ["ada"]],
    ["a_b", ["carl"]],
    ["a%", []],
    ["bob_", ["BOB_%"]],
    ["bob", ["bob.x", "BOB_%"]],
    ["rob", ["BOB_%"]],
    ["öb", []],
    ["robert öb", ["BOB_%"]],
    ["+49 (151) 123", ["BOB_%"]],
    ["0049151", ["BOB_%"]],
    ["151", []],
    ["love", ["ada"]],
    ["Ada Love", ["ada"]],
    ["åSA von b", ["bob.x"]],
    ["5", []],
    ["", ["carl", "bob.x", "BOB_%", "ada"]],
  ])("q=%s finds %j", async (q, expected) => {
    const { body } = await get("people", { q, counts: "true" });
    expect(body.data.map((one: { person_id: string }) => one.person_id)).toEqual(expected);
    expect(body.counts).toEqual({ total: expected.length, exact: true });
  });

  test.each([
    ["created_at", ["ada", "BOB_%", "bob.x", "carl"]],
    ["-updated_at", ["carl", "bob.x", "BOB_%", "ada"]],
    ["email", ["carl", "ada", "bob.x", "BOB_%"]],
    ["-email", ["bob.x", "ada", "carl", "BOB_%"]],
  ])("are sorted by %s, on pages of any length, also those that a search finds", async (sort, expected) => {
    for (const limit of [1, 3, 4]) expect(await everyPage("people", { sort, limit }, "person_id")).toEqual(expected);
    const bobs = expected.filter((id) => /^bob/i.test(id));
    expect(await everyPage("people", { sort, limit: 1, q: "bob" }, "person_id")).toEqual(bobs);
  });

  test("without an email have an order of their own, behind the others", async () => {
    const many = ["n1", "n2", "n3", "n4", "n5"].map((person_id) => ({ type: "identify", person_id, attributes: {} }));
    await it.call("POST", "/data-gateway/v1/batch", { body: { items: many } });
    const ids = ["BOB_%", "n1", "n2", "n3", "n4", "n5"].toSorted((a, b) =>
      personKey(it.workspaceId, a) < personKey(it.workspaceId, b) ? -1 : 1,
    );
    for (const limit of [1, 2, 5]) {
      expect((await everyPage("people", { sort: "email", limit }, "person_id")).slice(3)).toEqual(ids);
      expect((await everyPage("people", { sort: "-email", limit }, "person_id")).slice(3)).toEqual(ids.toReversed());
    }
  });

  test.each([
    [{ sort: "name" }, "sort must be one of updated_at, -updated_at, created_at, -created_at, email, -email."],
    [{ q: "x".repeat(257) }, "q must have at most 256 characters."],
    [{ status: "active" }, "status is no parameter of this route: there are limit, cursor, q, sort, counts."],
  ])("%j is 400: %s", async (query, detail) => {
    expect(await get("people", query as Record<string, string>)).toMatchObject({ status: 400, body: { detail } });
  });
});

describe("deliveries", async () => {
  const MANY = 12_000;
  const source = "01a00000-0000-7000-8000-000000000001";
  // For the plans, other people and sources have many deliveries; only the newest of `carl` are on the first pages.
  await db.execute(sql`
    insert into deliveries (person_key, id, workspace_id, channel, source, source_id, status, queued_at, recipient)
    select case when n <= 4 then (${Object.keys(KNOWN).map((id) => personKey(it.workspaceId, id))}::uuid[])[n] else md5((n % 4000)::text)::uuid end,
      md5('d' || n)::uuid, case when n % 10 = 0 then ${other.workspaceId}::uuid else ${it.workspaceId}::uuid end, 'email', 'broadcast',
      case when n = 2 then ${source}::uuid else md5((n % 50)::text)::uuid end,
      case when n = 3 then 'bounced' when n % 3 = 0 then 'failed' else 'sent' end, '2026-01-01T00:00:00Z'::timestamptz - n * interval '1 second', 'x'
    from generate_series(1, ${MANY}::int) n`);
  await db.execute(sql`analyze deliveries, people`);
  const idOf = async (n: number) =>
    encodeId("dlv", (await db.query<{ id: string }>(sql`select md5('d' || ${n}::int)::uuid as id`))[0]?.id ?? "");

  test("are found by one person's id, email or phone number, and by the id of a delivery or of a source", async () => {
    const finds = async (q: string) => (await get("deliveries", { q })).body.data.map((row: { id: string }) => row.id);
    const [ofAda, ofBob] = [await idOf(1), await idOf(2)];
    for (const q of ["ada", " ADA@example.com", ofAda, ofAda.toUpperCase()]) expect(await finds(q)).toEqual([ofAda]);
    for (const q of ["BOB_%", "+49 (151) 12345678", encodeId("bc", source)]) expect(await finds(q)).toEqual([ofBob]);
    // Of the other workspace, of nobody, and only the beginning of one.
    for (const q of [await idOf(10), "nobody", "ad", "+49151"]) expect(await finds(q)).toEqual([]);
  });

  test("are sorted by time in both directions, on pages that continue", async () => {
    const [first, second] = [await idOf(1), await idOf(2)];
    const page = (await get("deliveries", { limit: 1 })).body;
    expect(page.data).toMatchObject([{ id: first }]);
    expect((await get("deliveries", { limit: 1, cursor: page.next_cursor })).body.data).toMatchObject([{ id: second }]);
    const oldest = (await get("deliveries", { sort: "queued_at", limit: 1 })).body;
    expect(oldest.data).toMatchObject([{ id: await idOf(MANY - 1) }]);
    const next = await get("deliveries", { sort: "queued_at", limit: 1, cursor: oldest.next_cursor });
    expect(next.body.data).toMatchObject([{ id: await idOf(MANY - 2) }]);
    expect((await get("deliveries", { cursor: oldest.next_cursor })).body.detail).toContain("by sort=queued_at, and");
  });

  test("are counted by status and channel among the newest 10,000, and with a search exactly", async () => {
    const { counts } = (await get("deliveries", { counts: "true", status: "bounced", limit: 1 })).body;
    expect(counts).toMatchObject({ total: 1, exact: false, by_status: { bounced: 1, queued: 0 } });
    expect(counts.by_status.sent + counts.by_status.failed).toBe(9_999);
    const channel = (await get("deliveries", { counts: "true", channel: "sms", limit: 1 })).body.counts;
    expect(channel).toMatchObject({ total: 0, exact: false, by_status: { sent: 0 }, by_channel: { sms: 0 } });
    // Each number is that of the list which a click on it shows: without the choice in its own facet, and with the other.
    expect(channel.by_channel.email).toBe(10_000);
    expect(counts.by_channel).toEqual({ email: 1, push: 0, sms: 0, in_app: 0 });
    const ada = (await get("deliveries", { counts: "true", q: "ada", include: "events" })).body;
    expect(ada).toMatchObject({ data: [{ events: [] }], next_cursor: null });
    expect(ada.counts).toMatchObject({ total: 1, exact: true, by_status: { sent: 1, bounced: 0 } });
  });

  test("are listed and counted by index, whatever selects them", async () => {
    const plan = async (query: Partial<DeliveryFilter>, descending = true, after?: string[]) => {
      const filter = { ...filterOf(it.workspaceId, {}), ...query };
      const page = { filter, descending, after, limit: 51 };
      const [list] = await plansFor((q) => listDeliveries(q, it.workspaceId, page));
      const [count] = await plansFor((q) => countDeliveries(q, it.workspaceId, { filter, most: 100 }));
      for (const text of [list, count]) expect(text).not.toMatch(/Seq Scan on deliveries/);
      expect(count).toMatch(/Limit/);
      return { list, count };
    };
    const after = ["2025-12-31T23:00:00.000Z", source];
    for (const descending of [true, false])
      for (const where of [undefined, after])
        expect((await plan({}, descending, where)).list).toMatch(/Index Scan (?:Backward )?using deliveries_newest/);
    expect((await plan({})).count).toMatch(/using deliveries_newest/);
    const person = { personKeys: [personKey(it.workspaceId, "ada"), source] };
    expect((await plan({ search: person })).list).toMatch(/deliveries_pkey/);
    expect((await plan({ search: { id: source } })).list).toMatch(/deliveries_id/);
    expect((await plan({ search: { sourceId: source } })).list).toMatch(/deliveries_source/);
  });

  test.skipIf(inShards)("people are listed by the indexes that they have for other reasons", async () => {
    await db.execute(sql`
      insert into people (person_key, workspace_id, person_id, email, identified_at, created_at, updated_at)
      select gen_random_uuid(), ${it.workspaceId}, 'p' || n, case when n % 9 > 0 then n || '@example.com' end, now(), now(),
        now() - n * interval '1 second'
      from generate_series(1, 5000) n`);
    await db.execute(sql`analyze people`);
    const plans = (name: string, after?: string[]) => {
      const sorted = { name, descending: true, after, cursorOf: (key: string[]) => key };
      return plansFor((q) => listPeople(q, it.workspaceId, { q: undefined, sorted, limit: 51 }));
    };
    for (const after of [undefined, ["2026-01-01T00:00:00.000Z", source]])
      expect((await plans("updated_at", after))[0]).toMatch(/using people_updated/);
    for (const after of [undefined, ["b@example.com", source]])
      expect((await plans("email", after))[0]).toMatch(/using people_email/);
    expect(await plans("email", ["", source])).toEqual([expect.stringMatching(/using people_(?:workspace|pkey)/)]);
  });
});
