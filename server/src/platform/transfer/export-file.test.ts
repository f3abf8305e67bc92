import { connect } from "node:net";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { until } from "../../../test/support/wait.ts";
import type { Db } from "../db/index.ts";
import { createApp } from "../http/index.ts";
import { createShares } from "../limits/shares.ts";
import { groundMetrics } from "../metrics.ts";
import { csvLine } from "./csv.ts";
import { sendFile } from "./export-file.ts";

const exportDb: Db = {
  distributed: false,
  query: async () => [],
  execute: async () => 0,
  transaction: () => Promise.reject(new Error("an export only reads")),
  isTaken: () => false,
  wake: () => {},
  writes: async () => true,
  close: async () => {},
};

/** A server of endless files. It counts the pages that were made and the files that are still being made. */
async function endless(stalledMs?: number) {
  const state = { made: 0, open: 0 };
  async function* pages() {
    state.open++;
    try {
      for (;;) {
        state.made++;
        yield csvLine(["x".repeat(64 * 1024)]);
      }
    } finally {
      state.open--;
    }
  }
  const app = createApp(pino({ level: "silent" }), groundMetrics(), stalledMs === undefined ? {} : { stalledMs });
  onTestFinished(() => app.close());
  const ground = { shares: createShares(), lagging: { interactiveDb: exportDb, exportDb } };
  app.get("/file", (_request, reply) => sendFile(ground, reply, "one", { name: "file.csv", pages }));
  const origin = await app.listen({ port: 0, host: "127.0.0.1" });
  /** A client that never reads its response. */
  const neverReading = () => {
    const socket = connect(Number(new URL(origin).port), "127.0.0.1", () =>
      socket.write("GET /file HTTP/1.1\r\nHost: localhost\r\n\r\n"),
    );
    onTestFinished(() => void socket.destroy());
    return socket.on("error", () => {}).pause();
  };
  return { state, url: `${origin}/file`, neverReading };
}

test("a file is made no faster than the client reads it, and no further after the client has gone", async () => {
  const { state, url } = await endless();
  const going = new AbortController();
  const answer = await fetch(url, { signal: going.signal });
  expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(answer.headers.get("content-disposition")).toBe('attachment; filename="file.csv"');
  const reader = answer.body?.getReader();
  expect((await reader?.read())?.value?.length).toBeGreaterThan(0);
  // Pages are made until the buffers are full. Then the file waits: it has no end, so it would not stop by itself.
  let before = -1;
  await until(() => {
    const waits = state.made === before;
    before = state.made;
    return waits;
  }, "the file waits for its reader");
  expect(state.open).toBe(1);

  going.abort();
  await until(() => state.open === 0, "the end of the file");
});

test("a workspace makes two files at once, and another one as soon as one's client is gone", async () => {
  const { state, url, neverReading } = await endless();
  const [first] = [neverReading(), neverReading()];
  await until(() => state.open === 2, "two files");
  const refused = await fetch(url);
  expect(refused.status).toBe(429);
  expect(refused.headers.get("retry-after")).toBe("5");
  expect(await refused.json()).toMatchObject({ code: "busy" });
  first.destroy();
  await until(() => state.open === 1, "the end of the first");
  neverReading();
  await until(() => state.open === 2, "another file in its place");
});

test("a file that nobody reads is ended, and another one may start", async () => {
  const { state, neverReading } = await endless(200);
  const sockets = [neverReading(), neverReading()];
  await until(() => state.open === 2, "two files");
  await until(() => state.open === 0, "the end of both");
  for (const socket of sockets) await until(() => socket.resume().destroyed, "the end of the connection");
  neverReading();
  await until(() => state.open === 1, "another file in their place");
});
