import { expect, test } from "vitest";
import { decodeId } from "../../src/platform/ids.ts";
import { file, filled, MIB } from "../support/network/large.ts";
import { testService } from "../support/service.ts";
import { leastOf } from "../support/turns.ts";
import { until } from "../support/wait.ts";

// The promise: no single request, of any accepted size, blocks the thread for more than 50 ms. Each line has the time that the
// request took before, or is one of the largest accepted requests.

const EMAIL = "/data-gateway/transactionals/email";
const BATCH = "/data-gateway/transactionals/batch";
const SEGMENT = "/compat/segment/v1/batch";
const TEMPLATES = "/api/v1/email-templates";

const to = { identifiers: { email: "ada@example.test" }, subject: "Hi" };
const json = (value: unknown): string => JSON.stringify(value);
const email = (extra: object): string => json({ ...to, ...extra });
const many = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const fields = (count: number): object => Object.fromEntries(many(count, (i) => [`field_${i}`, i]));

const it = await testService({ roles: "api" });
// Compiling at the first use is no part of a request's cost.
for (const body of [email({ body: "{{person.a}}", preheader: "p" }), email({ body: "x", attachments: { a: "QUJD" } })])
  await it.call("POST", EMAIL, { raw: body });
await it.call("POST", SEGMENT, { body: { batch: [{ type: "track", userId: "u", event: "e" }, 1] } });

test.each<[name: string, url: string, status: number, make: () => string, keyed?: boolean]>([
  ["a million numbers to Segment's route (2.3 s)", SEGMENT, 400, () => filled(MIB, '{"batch":[', "1,", "]}")],
  ["as many numbers as it takes", SEGMENT, 200, () => json({ batch: many(2_500, () => 1) })],
  ["more than it takes", SEGMENT, 400, () => json({ batch: many(2_501, () => 1) })],
  [
    "60,000 traits (80 ms)",
    SEGMENT,
    200,
    () => json({ batch: many(1_000, (i) => ({ type: "identify", userId: `u${i}`, traits: fields(60) })) }),
  ],
  ["escaped keys (0.4 s)", EMAIL, 400, () => filled(MIB, '{"a":[', '{"\\n":1},', "]}")],
  ["as many escaped keys as it takes", EMAIL, 400, () => filled(180_000, '{"a":[', '{"\\n":1},', "]}")],
  ["20 MiB of escaped keys (8 to 19 s)", EMAIL, 413, () => filled(20 * MIB, '{"a":[', '{"\\n":1},', "]}")],
  ["20 MiB of numbers (1 s)", EMAIL, 413, () => filled(20 * MIB, '{"a":[', "1,", "]}")],
  ["20 MiB of blanks", EMAIL, 413, () => filled(20 * MIB, '{"a":[', " ", "]}")],
  ["20 MiB of backslashes", EMAIL, 413, () => filled(20 * MIB, '{"a":"', "\\\\", '"}')],
  ["20 MiB in one text", EMAIL, 413, () => email({ body: "x".repeat(19 * MIB) })],
  ["a file of 14 MiB", EMAIL, 202, () => email({ body: "é", attachments: { "a.txt": file(19 * MIB) } }), true],
  ["such a file that is no base64", EMAIL, 400, () => email({ body: "x", attachments: { a: `${file(19 * MIB)}!` } })],
  [
    "a file in lines",
    EMAIL,
    202,
    () => email({ body: "x", attachments: { a: `${file(76)}\n`.repeat(150_000) } }).replaceAll("/", "\\/"),
  ],
  [
    "a batch with 100 files",
    BATCH,
    200,
    () => json({ items: many(100, () => ({ channel: "email", ...to, body: "x", attachments: { a: file(180_000) } })) }),
  ],
  [
    "a batch of 100 different texts",
    BATCH,
    200,
    () =>
      json({
        items: many(100, (i) => ({ channel: "email", ...to, body: `${i}${"{{person.a | upcase}}".repeat(400)}` })),
      }),
  ],
  ["70,000 lines of Liquid (14 s)", EMAIL, 422, () => email({ body: `{% liquid\n${"echo a\n".repeat(70_000)}%}` })],
  [
    "a name with 16,000 names in it (8 s)",
    EMAIL,
    422,
    () => email({ body: `{% if trigger.x %}{{ trigger${".a".repeat(16_000)} }}{% endif %}` }),
  ],
  ["as much Liquid as it takes", EMAIL, 202, () => email({ body: "{{person.a}}".repeat(4_990) })],
  [
    "a condition over 4,000 fields",
    TEMPLATES,
    201,
    () =>
      json({
        name: "c",
        subject: "s",
        body: `{% if person.a${many(4, (k) => many(430, (i) => ` or person.a${k}_${i}\n`).join("")).join("")} %}{{person.b}}{% endif %}`,
      }),
  ],
  [
    "4,000 names that are nothing",
    TEMPLATES,
    422,
    () => json({ name: "u", subject: "s", body: "{{user.a}}".repeat(4_000) }),
  ],
  [
    "100,000 beginnings of a body with a preheader (2.4 s)",
    EMAIL,
    202,
    () => email({ preheader: "p", body: "<body".repeat(104_000) }),
  ],
  [
    "a filter with the maximum of values",
    "/api/v1/audiences/preview",
    200,
    () => json({ filter: { any: many(50, () => ({ attribute: "a", op: "in", value: many(1_000, (i) => i) })) } }),
  ],
  [
    "1,000 facts that are refused",
    "/data-gateway/v1/batch",
    200,
    () =>
      json({ items: many(1_000, () => ({ type: "track", person_id: "u", eventName: "", properties: fields(40) })) }),
  ],
  [
    "the reports of a client that was offline",
    "/data-gateway/v1/in-app/messages/interactions",
    200,
    () =>
      json({
        person_id: "u",
        items: many(100, (i) => ({
          delivery_id: "dlv_01h455vb4pex5vsknk084sn02q",
          type: "impression",
          event_id: `${i}`,
          reason: "x".repeat(9_000),
        })),
      }),
  ],
])("%s: %s answers %i, and nobody waits for it", async (...[, url, status, make, keyed = false]) => {
  const raw = Buffer.from(make());
  const blocked = await leastOf(async (tries) => {
    const headers = { "idempotency-key": `${it.workspaceId} ${tries}` };
    const answer = await it.call("POST", url, { raw, ...(keyed && { headers }) });
    expect(answer.status).toBe(status);
  });
  expect(blocked).toBeLessThan(50);
});

test("a list of the largest rows ends early, and its next page continues", async () => {
  await it.call("POST", "/data-gateway/v1/identify", { body: { person_id: "eve" } });
  await it.service.ground.db.execute({
    text: `insert into events (person_key, id, workspace_id, name, properties, ts, received_at)
      select person_key, gen_random_uuid(), workspace_id, 'e' || n, jsonb_build_object('a', repeat('é', 30000)), now() - n * interval '1 s', now()
      from people, generate_series(1, 200) n where person_id = 'eve'`,
    values: [],
  });
  const names: string[] = [];
  const pages = new Set<string>();
  const blocked = await leastOf(async () => {
    names.length = 0;
    let cursor = "";
    do {
      const url = `/api/v1/people/eve/events?limit=200${cursor}`;
      const answer = await it.service.app.inject({ url, headers: { authorization: `Bearer ${it.secretKey}` } });
      const { data, next_cursor } = answer.json<{ data: { name: string }[]; next_cursor: string | null }>();
      names.push(...data.map(({ name }) => name));
      cursor = next_cursor === null ? "" : `&cursor=${next_cursor}`;
      pages.add(cursor);
    } while (cursor !== "");
  });
  expect(names).toEqual(many(200, (i) => `e${i + 1}`));
  expect(pages.size).toBe(3);
  expect(blocked).toBeLessThan(50);
});

/** Reads an answer as it arrives, as a client does, and returns its bytes. */
async function drained(url: string): Promise<number> {
  const headers = { authorization: `Bearer ${it.secretKey}` };
  const answer = await it.service.app.inject({ url, headers, payloadAsStream: true });
  expect(answer.statusCode).toBe(200);
  let size = 0;
  for await (const piece of answer.stream()) size += piece.length;
  return size;
}

test("the export of a person with 19 MiB of waiting files (120 ms), and the delivery with these files", async () => {
  const raw = email({ identifiers: { id: "carl" }, to: "c@acme.test", body: "é", attachments: { a: file(19 * MIB) } });
  const { delivery_id } = (await it.call("POST", EMAIL, { raw })).body;
  for (const url of ["/api/v1/people/carl/export", `/api/v1/deliveries/${delivery_id}`]) {
    const blocked = await leastOf(async () => expect(await drained(url)).toBeGreaterThan(19 * MIB));
    expect([url, blocked < 50 ? "in time" : blocked]).toEqual([url, "in time"]);
  }
});

test("the lists and files of a person with 20,000 clicks and large properties (80 ms)", async () => {
  const { delivery_id } = (
    await it.call("POST", EMAIL, { body: { ...to, identifiers: { id: "dora" }, to: "d@acme.test", body: "x" } })
  ).body;
  await it.service.ground.db.execute({
    text: `insert into activity (workspace_id, person_key, id, delivery_id, type, at, data)
      select d.workspace_id, d.person_key, gen_random_uuid(), d.id, 'email.clicked', now(), jsonb_build_object('link', repeat('x', 200))
      from deliveries d, generate_series(1, 20000) where d.id = $1`,
    values: [decodeId("dlv", delivery_id)],
  });
  const items = many(40, (i) => ({
    type: "track",
    person_id: "dora",
    eventName: `e${i}`,
    properties: { a: "é".repeat(12_000) },
  }));
  await it.call("POST", "/data-gateway/v1/batch", { body: { items } });
  await until(async () => (await drained("/api/v1/events?limit=200")) > 10_000, "the clicks in the feed");
  for (const url of [
    `/api/v1/deliveries/${delivery_id}`,
    "/api/v1/deliveries?person_id=dora&include=events",
    "/api/v1/deliveries/events/export?person_id=dora",
    "/api/v1/people/dora/activity?limit=200",
    "/api/v1/people/dora/activity/export",
    "/api/v1/people/dora/events?limit=200",
    "/api/v1/people/dora/export",
    "/api/v1/events?limit=200",
  ]) {
    const blocked = await leastOf(async () => expect(await drained(url)).toBeGreaterThan(10_000));
    expect([url, blocked < 50 ? "in time" : blocked]).toEqual([url, "in time"]);
  }
});

test("a list of broadcasts leaves out the largest contents", async () => {
  const content = { subject: "s", body: "x".repeat(500_000), plaintext_body: "é".repeat(200_000) };
  const audience = { attribute: "plan", op: "eq", value: "pro" };
  for (const i of many(12, (i) => i)) {
    const made = await it.call("POST", "/api/v1/broadcasts", {
      body: { name: `b${i}`, channel: "email", audience, content },
    });
    expect(made.status).toBe(201);
  }
  const blocked = await leastOf(async () => expect(await drained("/api/v1/broadcasts?limit=200")).toBeLessThan(20_000));
  expect(blocked).toBeLessThan(50);
});

test("imports of numbers and of people", async () => {
  const list = await it.call("POST", "/api/v1/audiences", { body: { name: "List", kind: "list" } });
  const lines = (first: string, make: (i: number) => string): string => [first, ...many(5_000, make)].join("\n");
  for (const [url, raw] of [
    ["/api/v1/suppressions/import", lines("phone", (i) => `+49151${String(i).padStart(8, "0")}`)],
    ["/api/v1/suppressions/import", lines("phone", (i) => `+49151x${i}(0)`)],
    ["/api/v1/suppressions/import", lines("email", (i) => `ä${i}@${"ä.".repeat(60)}acme.test`)],
    [`/api/v1/audiences/${list.body.id}/import`, lines("person_id", (i) => `${"é".repeat(200)}${i}`)],
  ] as const) {
    const blocked = await leastOf(async () => {
      const { status, body } = await it.call("POST", url, { raw, headers: { "content-type": "text/csv" } });
      expect([status, body.rows]).toEqual([200, 5_000]);
    });
    expect([raw.slice(0, 40), blocked < 50 ? "in time" : blocked]).toEqual([raw.slice(0, 40), "in time"]);
  }
});
