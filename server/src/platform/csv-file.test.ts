import fastify from "fastify";
import { expect, onTestFinished, test } from "vitest";
import { until } from "../../test/support/wait.ts";
import { csvLine } from "./csv.ts";
import { csvFile } from "./csv-file.ts";

/** A server with a file without end, which says how much of it was made and whether it still is. */
async function endless() {
  const state = { made: 0, ended: false };
  async function* lines() {
    try {
      for (;;) {
        state.made++;
        yield csvLine(["x".repeat(64 * 1024)]);
      }
    } finally {
      state.ended = true;
    }
  }
  const app = fastify();
  onTestFinished(() => app.close());
  app.get("/file", (_request, reply) => csvFile(reply, "file", lines()));
  return { state, url: `${await app.listen({ port: 0, host: "127.0.0.1" })}/file` };
}

test("a file is made no faster than it is read, and no further once the client has gone away", async () => {
  const { state, url } = await endless();
  const going = new AbortController();
  const answer = await fetch(url, { signal: going.signal });
  expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(answer.headers.get("content-disposition")).toBe('attachment; filename="file.csv"');
  const reader = answer.body?.getReader();
  expect((await reader?.read())?.value?.length).toBeGreaterThan(0);
  // What fits into the buffers on the way is made, and then it waits: without end it would never stop of itself.
  let before = -1;
  await until(() => {
    const waits = state.made === before;
    before = state.made;
    return waits;
  }, "the file waits for its reader");
  expect(state.ended).toBe(false);

  going.abort();
  await until(() => state.ended, "the end of the file");
});
