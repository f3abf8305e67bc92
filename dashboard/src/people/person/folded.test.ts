import { expect, test } from "vitest";
import { folded } from "./folded.ts";

const entry = (id: string, minute: number, delivery_id: string | null) => ({
  id,
  at: new Date(Date.UTC(2026, 2, 1, 12, minute)).toISOString(),
  delivery_id,
});

test("what happened to a message within ten minutes is one row, also between entries of others", () => {
  const rows = folded([
    entry("clicked", 50, "a"),
    entry("sent a", 12, "a"),
    entry("sent b", 11, "b"),
    entry("queued a", 10, "a"),
    entry("tracked", 9, null),
    entry("identified", 8, null),
    entry("queued b", 2, "b"),
  ]);
  expect(rows.map((row) => row.map(({ id }) => id))).toEqual([
    ["clicked"],
    ["sent a", "queued a"],
    ["sent b", "queued b"],
    ["tracked"],
    ["identified"],
  ]);
});
