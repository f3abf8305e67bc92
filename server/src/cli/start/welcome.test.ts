import { expect, test } from "vitest";
import { firstWelcome } from "./welcome.ts";

const made = { secretKey: "tid_sec_made-by-the-start", publicKey: "tid_pub_made-by-the-start" };

test("the first start shows the keys that it made, in calls that work as they stand", () => {
  const text = firstWelcome("http://localhost:4000", made);
  expect(text).toContain(`secret key  ${made.secretKey}`);
  expect(text.match(/^curl .*Bearer tid_(sec|pub)_made-by-the-start'.*$/gm)).toHaveLength(3);
});

test("keys that the environment gave are named and not repeated", () => {
  const text = firstWelcome("http://localhost:4000", made, made);
  expect(text).not.toContain("made-by-the-start");
  // In double quotes, so that the shell fills them in.
  expect(text.match(/^curl .*"Authorization: Bearer \$BOOTSTRAP_(SECRET|PUBLIC)_KEY".*$/gm)).toHaveLength(3);
});
