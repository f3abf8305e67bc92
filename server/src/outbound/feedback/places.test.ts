import { expect, test } from "vitest";
import { byPlace } from "./places-store.ts";

/** Reads deliveries of which each stands for itself. Returns what was asked: the ids, with the persons of the condition. */
async function asked(distributed: boolean, there: string[]) {
  const questions: unknown[] = [];
  const rows = await byPlace(
    { distributed },
    [{ deliveryId: "placed", personKey: "p1" }, { deliveryId: "merged", personKey: "p2" }, { deliveryId: "unplaced" }],
    async ({ ids, within }) => {
      questions.push([ids, within.values]);
      return ids.filter((id) => within.values.length === 0 || there.includes(id)).map((id) => ({ id }));
    },
  );
  return { questions, found: rows.map(({ id }) => id).sort() };
}

test("one PostgreSQL is asked for ids alone", async () => {
  expect(await asked(false, [])).toEqual({
    questions: [[["placed", "merged", "unplaced"], []]],
    found: ["merged", "placed", "unplaced"],
  });
});

test("shards are asked by person, and all of them only for what is not there", async () => {
  expect(await asked(true, ["placed"])).toEqual({
    questions: [
      [["placed", "merged"], [["p1", "p2"]]],
      [["merged", "unplaced"], []],
    ],
    found: ["merged", "placed", "unplaced"],
  });
});
