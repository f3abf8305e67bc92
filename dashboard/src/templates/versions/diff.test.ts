import fc from "fast-check";
import { expect, test } from "vitest";
import { diffOf, foldedOf } from "./diff.ts";

const shown = (before: string, after: string) =>
  diffOf(before, after).map(({ left, right, same }) =>
    same ? left?.text : `${left ? `-${left.text}` : ""}${right ? `+${right.text}` : ""}`,
  );

test("a changed line stands beside what it was, a new one alone", () => {
  expect(shown("a\nb\nc", "a\nB\nc\nd")).toEqual(["a", "-b+B", "c", "+d"]);
  expect(shown("a\nb\nc", "a\nc")).toEqual(["a", "-b", "c"]);
  expect(shown("x", "x")).toEqual(["x"]);
});

test("both texts can be read from it, and each line that is said to be the same is", () => {
  const text = fc.array(fc.constantFrom("a", "b", "c", "")).map((lines) => lines.join("\n"));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const rows = diffOf(before, after);
      const side = (name: "left" | "right") => rows.flatMap((row) => (row[name] ? [row[name]] : []));
      expect(
        side("left")
          .map((one) => one.text)
          .join("\n"),
      ).toBe(before);
      expect(
        side("right")
          .map((one) => one.text)
          .join("\n"),
      ).toBe(after);
      expect(side("left").map((one) => one.line)).toEqual(side("left").map((_, i) => i + 1));
      expect(rows.filter(({ same, left, right }) => same && left?.text !== right?.text)).toEqual([]);
    }),
  );
});

test("lines far from a change are left out", () => {
  const lines = Array.from({ length: 20 }, (_, i) => String(i));
  const folded = foldedOf(diffOf(lines.join("\n"), lines.with(10, "x").join("\n")), 2);
  expect(folded.filter((row) => typeof row === "number")).toEqual([8, 7]);
  expect(folded).toHaveLength(7);
});
