import { parquetReadObjects } from "hyparquet";
import { expect, test } from "vitest";
import { ordered } from "./columns.ts";
import { parquetBody } from "./parquet.ts";

test("rows are written in groups, in their order, with nulls for what is not there", async () => {
  const many = Array.from({ length: 1_201 }, (_, i) => ({
    id: `e${i}`,
    name: null,
    at: "2026-01-01T00:00:00.123Z",
    properties: { i },
  }));
  const body = parquetBody("events");
  const rows = ordered("events", many);
  for (const page of [rows.slice(0, 700), rows.slice(700)]) await body.add(page);
  const file = new Uint8Array(await body.end()).buffer;
  const read = await parquetReadObjects({ file });
  expect([read.length, read[1_200]]).toEqual([
    1_201,
    {
      id: "e1200",
      name: null,
      at: new Date("2026-01-01T00:00:00.123Z"),
      received_at: null,
      person_id: null,
      properties: { i: 1_200 },
    },
  ]);
});
