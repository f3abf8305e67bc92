import { pino } from "pino";
import { expect, test } from "vitest";
import { onceASecond } from "./repeats.ts";

test("the same error is written once a second with the number of repeats; other errors are always written", () => {
  let now = 0;
  const lines: Record<string, unknown>[] = [];
  const log = pino(
    { base: null, timestamp: false, hooks: { logMethod: onceASecond(() => now) } },
    { write: (line: string) => void lines.push(JSON.parse(line)) },
  );
  for (let i = 0; i < 100; i++) log.warn({ request_id: `r${i}`, err: "no room" }, "refused");
  log.warn({ request_id: "other", err: "no answer" }, "refused");
  log.error({ err: new Error("no room") }, "failed");
  log.info({ err: "no room" }, "refused");
  log.warn({ provider: "a" }, "rests");
  log.warn({ provider: "b" }, "rests");
  now = 1_001;
  log.warn({ request_id: "late", err: "no room" }, "refused");
  expect(lines).toMatchObject([
    { level: 40, request_id: "r0", err: "no room", msg: "refused" },
    { request_id: "other" },
    { level: 50, err: { message: "no room" }, msg: "failed" },
    { level: 30 },
    { provider: "a" },
    { provider: "b" },
    { request_id: "late", repeated: 99, msg: "refused" },
  ]);
});
