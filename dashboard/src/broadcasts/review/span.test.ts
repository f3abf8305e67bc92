import { expect, test } from "vitest";
import { spanOf } from "./span.ts";

test("the first clocks show a time 26 hours before the last ones do", () => {
  expect(spanOf("2026-03-01T09:00")).toEqual({ first: "2026-02-28T19:00:00.000Z", last: "2026-03-01T21:00:00.000Z" });
});
