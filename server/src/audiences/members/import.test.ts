import { Readable } from "node:stream";
import { describe, expect, onTestFinished, test } from "vitest";
import { testService } from "../../../test/support/service.ts";
import { until } from "../../../test/support/wait.ts";
import { personKey } from "../../people/index.ts";
import { decodeId } from "../../platform/ids.ts";

const it = await testService();
const { db } = it.service.ground;
const csv = (url: string, raw: string | Buffer, headers: Record<string, string> = {}) =>
  it.call("POST", url, { raw, headers: { "content-type": "text/csv", ...headers } });
const list = async (name: string): Promise<string> =>
  (await it.call("POST", "/api/v1/audiences", { body: { name, kind: "list" } })).body.id;
const into = async (name: string) => `/api/v1/audiences/${await list(name)}/import`;
const watched = async (id: string) => (await it.call("GET", `/api/v1/imports/${id}`)).body;
const SUPPRESSIONS = "/api/v1/suppressions/import";
/** For each destination: its path, its column, and a line that it accepts. */
const destinations = [
  ["a list", into, "person_id", "ada"],
  ["the suppression list", async () => SUPPRESSIONS, "email", "x@example.test"],
] as const;

await it.call("POST", "/data-gateway/v1/identify", { body: { person_id: "ada" } });
await it.call("POST", "/data-gateway/v1/identify", { body: { person_id: "bob" } });

describe.each(destinations)("a file for %s", (where, path, column, good) => {
  const bytes = (text: string, encoding: BufferEncoding = "utf8") => Buffer.from(text, encoding);

  test.each([
    ["in Latin-1", bytes(`${column}\n${good}\nj\u00f6rg\n`, "latin1"), "UTF-8"],
    ["in UTF-16", bytes(`\uFEFF${column}\n${good}\n`, "utf16le"), "UTF-8"],
    ["without the column", bytes(`name\n${good}\n`), column],
    ["without a byte", bytes(""), column],
    ["of empty lines", bytes("\n\r\n\r\n"), column],
    ["of NULs", bytes("\0".repeat(5_000)), column],
    ["with a million columns", bytes(`${column}${",x".repeat(1_000_000)}\n${good}\n`), "characters"],
    ["of one open quote", bytes(`"${column}\n${good}\n`), "never closed"],
    ["that is an archive", Buffer.from([0x50, 0x4b, 0x03, 0x04, 0x0a, 0x00]), column],
  ])("%s is refused with 400 and the reason, and is listed as failed", async (what, raw, word) => {
    const answer = await csv(await path(`${where} ${what}`), raw);
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid_request" } });
    expect(answer.body.detail).toContain(word);
    const [newest] = (await it.call("GET", "/api/v1/imports?limit=1")).body.data;
    expect(newest).toMatchObject({ status: "failed", added: 0, rows: 0, bytes: raw.length });
    expect(newest.reason).toContain(word);
  });

  test.each([
    ["of its head alone", `${column}\n`, { rows: 0, added: 0, refused: 0 }],
    [
      "with line ends of CR alone",
      `${column}\r${good}\r\rnonsense\t\r`,
      { rows: 2, refused: 1, errors: [{ line: 4 }] },
    ],
    ["with a NUL in a cell", `${column}\n${good}\n${good}\0\n`, { rows: 2, refused: 1, errors: [{ line: 3 }] }],
    ["with a quote that is never closed", `${column}\n${good}\n"open\nmore\n`, { rows: 2, errors: [{ line: 3 }] }],
    [
      "with a line without end",
      `${column}\n${good}\n${"x".repeat(20_000)}\n${good}\n`,
      { rows: 2, errors: [{ line: 3 }] },
    ],
    ["with a late million columns", `${column}\n${good}\n${"x,".repeat(1_000_000)}\n`, { errors: [{ line: 3 }] }],
    ["with fewer and more cells", `a,${column}\nonly\n1,${good},3\n`, { rows: 2, refused: 1, errors: [{ line: 2 }] }],
    ["with a byte order mark", `\uFEFF${column}\r\n${good}\r\n`, { rows: 1, refused: 0 }],
  ])("%s is imported without its bad lines", async (what, raw, told) => {
    const answer = await csv(await path(`${where} ${what}`), raw);
    expect(answer).toMatchObject({ status: 200, body: { status: "done", bytes: Buffer.byteLength(raw), ...told } });
    expect(answer.body.added + answer.body.known + answer.body.refused).toBe(answer.body.rows);
    expect(await watched(answer.body.id)).toEqual(answer.body);
  });

  test("is refused with any other content type or charset", async () => {
    const url = await path(`${where} other`);
    expect((await it.call("POST", url, { body: {} })).status).toBe(415);
    expect((await csv(url, "x", { "content-type": "text/csv; charset=iso-8859-1" })).status).toBe(415);
  });

  test("of 60,000 lines that arrives in pieces is counted exactly", async () => {
    const lines = function* () {
      yield `${column}\n`;
      for (let i = 0; i < 60_000; i++) yield i % 1_000 === 0 ? `${good}\n` : `nonsense\t${i}\n`;
    };
    const { statusCode, body } = await it.service.app.inject({
      method: "POST",
      url: await path(`${where} long`),
      headers: { authorization: `Bearer ${it.secretKey}`, "content-type": "text/csv" },
      payload: Readable.from(lines()),
    });
    expect([statusCode, JSON.parse(body)]).toMatchObject([200, { rows: 60_000, refused: 59_940 }]);
    expect(JSON.parse(body).errors).toHaveLength(100);
    expect(JSON.parse(body).errors[0].line).toBe(3);
  });
});

describe("a file that is being read", () => {
  /** Makes the batch with ada's line wait: adds her to the list in a transaction that stays open. */
  async function held(id: string): Promise<() => void> {
    let free = () => {};
    const freed = new Promise<void>((resolve) => {
      free = resolve;
    });
    let holding = () => {};
    const locked = new Promise<void>((resolve) => {
      holding = resolve;
    });
    const done = db.transaction(async (tx) => {
      await tx.execute({
        text: "insert into audience_members (person_key, audience_id, workspace_id, added_at) values ($1, $2, $3, now())",
        values: [personKey(it.workspaceId, "ada"), decodeId("aud", id), it.workspaceId],
      });
      holding();
      await freed;
    });
    onTestFinished(async () => {
      free();
      await done;
    });
    await locked;
    return free;
  }
  const lines = ["person_id", "bob", ...Array.from({ length: 2_499 }, (_, i) => `nobody-${i}`), "ada", ""].join("\n");

  test("shows its progress: lines, bytes, and how many were added and refused", async () => {
    const id = await list("Watched");
    const free = await held(id);
    const answer = await csv(`/api/v1/audiences/${id}/import`, lines, { prefer: "respond-async" });
    expect(answer).toMatchObject({ status: 202, headers: { "preference-applied": "respond-async" } });
    expect(answer.headers.location).toBe(`/api/v1/imports/${answer.body.id}`);
    const running = await until(async () => {
      const now = await watched(answer.body.id);
      return now.rows === 2_000 && now;
    }, "two batches");
    expect(running).toMatchObject({
      kind: "audience",
      target: id,
      status: "running",
      bytes: lines.length,
      added: 1,
      refused: 1_999,
      finished_at: null,
    });
    expect(running.bytes_read).toBeGreaterThan(0);
    expect((await it.call("GET", `/api/v1/imports?status=running&target=${id}`)).body.data).toEqual([running]);
    free();
    const done = await until(async () => {
      const now = await watched(answer.body.id);
      return now.status === "done" && now;
    }, "the end");
    expect(done).toMatchObject({ rows: 2_501, added: 1, known: 1, refused: 2_499, bytes_read: lines.length });
  });

  test("is cut off when its process ends, and says so, also if the process could not report it", async () => {
    const id = await list("Cut off");
    const second = await testService({ databaseUrl: it.databaseUrl });
    const free = await held(id);
    const call = { raw: lines, key: it.secretKey, headers: { "content-type": "text/csv", prefer: "respond-async" } };
    const answer = await second.call("POST", `/api/v1/audiences/${id}/import`, call);
    await until(async () => (await watched(answer.body.id)).rows === 2_000, "two batches");
    const beat = (interval: string) =>
      db.execute({
        text: "update imports set beat_at = now() - $1::interval where kind = 'audience'",
        values: [interval],
      });
    // This is repeated, because the process that still runs updates beat_at every few seconds.
    const silent = await until(async () => {
      await beat("2 minutes");
      const { data } = (await it.call("GET", `/api/v1/imports?status=cut_off&target=${id}`)).body;
      return data.length === 1 && data[0];
    }, "the import without a beat");
    expect(silent).toMatchObject({ id: answer.body.id, status: "cut_off", rows: 2_000, finished_at: null });
    expect(silent.reason).toContain("again");
    await until(async () => {
      await beat("2 minutes");
      return (await watched(answer.body.id)).status === "cut_off";
    }, "the import by its id as cut off");
    await beat("0 seconds");
    const stopped = second.service.stop();
    free();
    await stopped;
    // The batch that was being written may have been the last one.
    const ended = await watched(answer.body.id);
    expect(["cut_off", "done"]).toContain(ended.status);
    expect(ended.finished_at).not.toBeNull();
  });

  test("fails with a clear reason if its list is removed, and leaves nobody on the list", async () => {
    const id = await list("Removed");
    const free = await held(id);
    const answer = await csv(`/api/v1/audiences/${id}/import`, `${lines}bob\n`, { prefer: "respond-async" });
    await until(async () => (await watched(answer.body.id)).rows === 2_000, "two batches");
    const removed = it.call("DELETE", `/api/v1/audiences/${id}`);
    free();
    expect((await removed).status).toBe(204);
    await until(async () => (await watched(answer.body.id)).status !== "running", "the end");
    const left = { text: "select 1 from audience_members where audience_id = $1", values: [decodeId("aud", id)] };
    expect(await db.query(left)).toEqual([]);
  });

  test("is visible only in its workspace, and imports are listed in pages", async () => {
    const url = await into("Mine");
    for (let i = 0; i < 3; i++) await csv(url, "person_id\nada\n");
    const target = url.split("/")[4];
    const first = (await it.call("GET", `/api/v1/imports?limit=2&target=${target}`)).body;
    const rest = (await it.call("GET", `/api/v1/imports?limit=2&target=${target}&cursor=${first.next_cursor}`)).body;
    expect([first.data.length, rest.data.length, rest.next_cursor]).toEqual([2, 1, null]);
    const { secretKey: key } = await it.another();
    expect((await it.call("GET", `/api/v1/imports/${first.data[0].id}`, { key })).status).toBe(404);
    expect((await it.call("GET", "/api/v1/imports", { key })).body.data).toEqual([]);
    expect((await it.call("GET", "/api/v1/imports/imp_nonsense")).status).toBe(404);
    expect((await it.call("GET", "/api/v1/imports?status=lost")).status).toBe(400);
  });
});
