import { mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ownFolder } from "./owner.ts";

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "tidings-owner-"));
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  return made;
}

test("a data folder is created with its parent folders, and only its owner can enter it", () => {
  const data = join(folder(), "some", "where");
  const letGo = ownFolder(data);
  expect(statSync(data).mode & 0o777).toBe(0o700);
  expect(readFileSync(join(data, "service.pid"), "utf8")).toMatch(new RegExp(`^${process.pid} `));
  letGo();
  // A folder that exists is used as it is.
  ownFolder(data)();
});

test("a path where no folder can be is refused with a clear message", () => {
  const file = join(folder(), "file");
  writeFileSync(file, "");
  for (const data of [file, join(file, "below"), "/proc/tidings", "/proc/tidings/data"])
    expect(() => ownFolder(data), data).toThrow(/DATA_DIR can't be a folder|EACCES/);
});
