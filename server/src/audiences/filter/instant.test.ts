import fc from "fast-check";
import { expect, test } from "vitest";
import { testService } from "../../../test/support/service.ts";
import { instantOf } from "./instant.ts";

const it = await testService();
const { db } = it.service.ground;
const text = fc.constantFrom(
  "2026-03-29T11:00:00Z",
  "2026-03-29T13:00:00.1234567+01:00",
  "2026-02-30",
  "2026-13-01",
  "0000-01-01",
  "2024-02-29",
  "2026-03-29T11:00:00",
  "2026-03-29T24:00:00Z",
  "9999-12-31T23:59:59.999999999-14:59",
  "0001-01-01",
  "",
  "null",
  "5",
  "pro",
);

test("SQL and TypeScript accept the same texts as instants", async () => {
  const piece = fc.constantFrom(
    "2026-03-29",
    "2023-02-29",
    "2000-02-29",
    "1900-02-29",
    "T",
    "10:00:00",
    ".5",
    "Z",
    "+14:59",
    "-15:00",
    " ",
  );
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        text,
        fc.array(piece, { maxLength: 5 }).map((all) => all.join("")),
        fc.jsonValue(),
      ),
      async (value: unknown) => {
        const [row] = await db.query<{ at: Date | null }>({
          text: "select instant_of($1::jsonb #>> '{}') as at",
          values: [JSON.stringify(value)],
        });
        expect(row?.at?.getTime()).toBe(instantOf(value)?.getTime());
      },
    ),
    { numRuns: 300 },
  );
});
