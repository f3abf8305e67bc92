import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { testService } from "../../../test/support/service.ts";
import { type Queries, sql } from "../db/index.ts";
import { encodeId } from "../ids.ts";
import { anyCase } from "./search.ts";

// The lists of authored things, on broadcasts whose rows are random: what a page has, in which order, and what is counted.

const it = await testService();
const { db } = it.service.ground;
const other = await it.another();

const STATUSES = ["draft", "scheduled", "sending", "paused", "sent", "canceled", "failed"];
const CHANNELS = ["email", "push", "sms", "in_app"];
const NAMES = [
  "Spring offer",
  "spring Offer",
  "Ärger",
  "100 %",
  "a_b",
  "a.b",
  "(x)",
  "[A]\\",
  "İstanbul",
  "Straße",
  "^",
];

interface Row {
  id: string;
  name: string;
  status: string;
  channel: string;
  updated_at: Date;
  /** The place of its name among all names, in the locale of the database. */
  place: number;
}

async function fill(q: Queries, workspaceId: string, count: number): Promise<Row[]> {
  return q.query<Row>(sql`
    insert into broadcasts (workspace_id, id, name, channel, audience, content, subscription_preference, status, created_at, updated_at)
    select ${workspaceId}, gen_random_uuid(), (${NAMES}::text[])[1 + n % ${NAMES.length}::int] || case when n % 3 = 0 then '' else ' ' || n end,
      (${CHANNELS}::text[])[1 + n % 4], '{}', '{"subject": "large"}', 'all', (${STATUSES}::text[])[1 + n % 5], now(),
      '2026-01-01T00:00:00Z'::timestamptz + (n % 7) * interval '1 hour'
    from generate_series(1, ${count}::int) n returning *`);
}
const rows = await fill(db, it.workspaceId, 60);
await fill(db, other.workspaceId, 20);
await db.execute(sql`update broadcasts set status = 'sent' where workspace_id = ${it.workspaceId} and name = 'Ärger'`);
const all = await db.query<Row>(sql`
  select *, rank() over (order by lower(name))::integer as place from broadcasts where workspace_id = ${it.workspaceId}`);

const bytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
const KEYS: Record<string, (row: Row) => string> = {
  created_at: () => "",
  updated_at: (row) => row.updated_at.toISOString(),
  name: (row) => String(row.place).padStart(3, "0"),
  status: (row) => row.status,
};
const inOrder = (sort: string, some: Row[]): Row[] => {
  const key = KEYS[sort.replace("-", "")] as (row: Row) => string;
  const sorted = some.toSorted((a, b) => bytes(key(a), key(b)) || bytes(a.id, b.id));
  return sort.startsWith("-") ? sorted.reverse() : sorted;
};
const has = (text: string, q: string): boolean =>
  Array.from(text, (_, i) => Array.from(text).slice(i).join("")).some((rest) => begins(rest, q));
const begins = (text: string, q: string): boolean => {
  const letters = Array.from(text);
  return Array.from(q).every((one, i) => {
    const letter = letters[i] ?? "";
    return [one, one.toLowerCase(), one.toUpperCase()].includes(letter);
  });
};

const call = (query: Record<string, unknown>) =>
  it.call("GET", `/api/v1/broadcasts?${new URLSearchParams(query as Record<string, string>)}`);

async function everyPage(query: Record<string, unknown>): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { status, body } = await call({ ...query, ...(cursor && { cursor }) });
    expect([status, body.detail]).toEqual([200, undefined]);
    ids.push(...body.data.map(({ id }: { id: string }) => id));
    cursor = body.next_cursor;
  }
  return ids;
}

const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined, freq: 2 });
const asked = fc.record({
  sort: maybe(fc.constantFrom(...Object.keys(KEYS).flatMap((name) => [name, `-${name}`]))),
  q: maybe(fc.constantFrom("SPRING", "är", "%", "_", ".", "(", "[a]", "\\", "ß", " 1", "^", "nothing", "")),
  status: maybe(fc.constantFrom(...STATUSES)),
  channel: maybe(fc.constantFrom(...CHANNELS)),
});

test("pages have each row that is asked for once, in its order, and the counts are the lengths of these lists", async () => {
  expect(rows).toHaveLength(60);
  await fc.assert(
    fc.asyncProperty(asked, fc.constantFrom(7, 25, 200), async (choice, limit) => {
      const query = Object.fromEntries(Object.entries(choice).filter(([, value]) => value !== undefined));
      const q = (choice.q ?? "").trim();
      const found = all.filter((row) => has(row.name, q) || q === "");
      const fits = (row: Row, facets: ("status" | "channel")[]) =>
        facets.every((facet) => choice[facet] === undefined || choice[facet] === row[facet]);
      const expected = inOrder(
        choice.sort ?? "-created_at",
        found.filter((row) => fits(row, ["status", "channel"])),
      );
      expect(await everyPage({ ...query, limit })).toEqual(expected.map(({ id }) => encodeId("bc", id)));
      const by = (facet: "status" | "channel", others: "status" | "channel", words: string[]) =>
        Object.fromEntries(
          words.map((word) => [word, found.filter((row) => row[facet] === word && fits(row, [others])).length]),
        );
      expect((await call({ ...query, counts: true, limit: 1 })).body.counts).toEqual({
        total: expected.length,
        exact: true,
        by_status: by("status", "channel", STATUSES),
        by_channel: by("channel", "status", CHANNELS),
      });
    }),
    { numRuns: 40 },
  );
});

test("a search finds any text in any case, and no character of it is a wildcard", async () => {
  const text = fc.string({ unit: fc.constantFrom(..."aAäÄßẞſKK.*[]^$\\(){}|+?-_% 1'\"\n😀Σςσİı"), maxLength: 6 });
  const pairs = fc.sample(fc.tuple(text, text), 2_000).filter(([, q]) => q !== "");
  const found = await db.query<{ found: boolean }>(sql`
    select text ~ pattern as found
    from unnest(${pairs.map(([one]) => one)}::text[], ${pairs.map(([, q]) => anyCase(q))}::text[])
      with ordinality as t (text, pattern, n) order by n`);
  expect(found.map((row) => row.found)).toEqual(pairs.map(([one, q]) => has(one, q)));
});

test("an id is found by its beginning, as it is typed or pasted", async () => {
  const [one] = all as [Row];
  const id = encodeId("bc", one.id);
  for (const q of [id, id.toUpperCase(), ` ${id} `, id.slice(0, 20)]) expect(await everyPage({ q })).toEqual([id]);
  const near = all.map((row) => encodeId("bc", row.id)).filter((text) => text.startsWith(id.slice(0, 4)));
  expect((await everyPage({ q: id.slice(0, 4) })).toSorted()).toEqual(near.toSorted());
  for (const q of [`${id}0`, id.slice(3), "bc_", "bc_!"]) expect(await everyPage({ q })).toEqual([]);
});

describe("bad input", () => {
  test.each([
    [{ sort: "colour" }, "sort must be one of created_at, -created_at, updated_at, -updated_at, name, -name, status"],
    [{ status: "sleeping" }, "status must be one of draft, scheduled, sending, paused, sent, canceled, failed."],
    [{ channel: "fax" }, "channel must be one of email, push, sms, in_app."],
    [{ q: "x".repeat(201) }, "q must have at most 200 characters."],
    [{ q: "a\nb" }, "q must have no line breaks"],
    [{ counts: "many" }, "counts must be true or false."],
    [{ cursor: "x" }, "cursor is not a cursor of this list"],
  ])("%j is 400: %s", async (query, detail) => {
    const answer = await call(query);
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid_request" } });
    expect(answer.body.detail).toContain(detail);
  });

  test("a cursor of another sort is 400 and names both", async () => {
    const cursorOf = async (sort?: string) => (await call({ limit: 1, ...(sort && { sort }) })).body.next_cursor;
    const byName = await cursorOf("name");
    expect((await call({ sort: "-name", cursor: byName })).body.detail).toBe(
      "cursor is of the list by sort=name, and this one is by sort=-name: begin without a cursor.",
    );
    expect((await call({ cursor: byName })).body.detail).toContain("by sort=-created_at: begin");
    expect((await call({ sort: "name", cursor: await cursorOf() })).body.detail).toContain(
      "is of the list by sort=-created_at",
    );
    const forged = Buffer.from(JSON.stringify(["-updated_at", "soon", all[0]?.id])).toString("base64url");
    expect(await call({ sort: "-updated_at", cursor: forged })).toMatchObject({ status: 400 });
  });

  test("a list without statuses takes none", async () => {
    const { status, body } = await it.call("GET", "/api/v1/email-templates?status=draft");
    expect([status, body.detail]).toEqual([
      400,
      "status is no parameter of this route: there are limit, cursor, q, layout_id, snippet, sort, counts.",
    ]);
  });
});
