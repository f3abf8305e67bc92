import { expect, test } from "vitest";
import { texts } from "./told.ts";

test("what was typed comes back late, and undoes nothing that was typed since", () => {
  const { tell, isSet } = texts();
  tell("a");
  tell("ab");
  expect(isSet("a", "ab")).toBe(false);
  expect(isSet("ab", "ab")).toBe(false);
});

test("a page that takes back what was typed sets the text before it", () => {
  const { tell, isSet } = texts();
  tell("draft");
  expect(isSet("draft", "draft")).toBe(false);
  expect(isSet("", "draft")).toBe(true);
});

test("a text that came back once is set when the page gives it later", () => {
  const { tell, isSet } = texts();
  for (const text of ["a", "", "a"]) tell(text);
  expect(isSet("a", "a")).toBe(false);
  expect(isSet("", "a")).toBe(true);
});
