import { execFile, execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, describe, expect, test, vi } from "vitest";
import { dated, unreleased } from "./changelog.ts";
import { nextVersion } from "./version.ts";

/** npm packs and installs in 3 s on an idle machine, and takes a multiple of that on a loaded one. */
vi.setConfig({ testTimeout: 120_000 });
const program = fileURLToPath(new URL("release.ts", import.meta.url));
const at = await mkdtemp(join(tmpdir(), "tidings-release-test-"));
afterAll(() => rm(at, { recursive: true, force: true }));

const env = {
  ...process.env,
  ...{ GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
  ...{ GIT_AUTHOR_NAME: "Ada", GIT_AUTHOR_EMAIL: "ada@example.test" },
  ...{ GIT_COMMITTER_NAME: "Ada", GIT_COMMITTER_EMAIL: "ada@example.test" },
};
const git = (root: string, ...args: string[]) => execFileSync("git", args, { cwd: root, env, encoding: "utf8" }).trim();
const json = async (root: string, path: string) => JSON.parse(await readFile(join(root, path), "utf8"));
/** Runs the script; a failure resolves too, with its code. */
const release = (root: string, ...args: string[]) =>
  promisify(execFile)(process.execPath, [program, ...args], { cwd: root, env }).then(
    ({ stdout }) => ({ code: 0, stdout, stderr: "" }),
    ({ code, stdout, stderr }) => ({ code: code as number, stdout, stderr }) as never,
  );

/** Makes a repository of two packages, one of which is published. */
async function repository(name: string, exports: object = { import: "./index.js", types: "./index.d.ts" }) {
  const root = join(at, name);
  const one = { name: "one", version: "1.2.3", type: "module", exports: { ".": exports }, files: ["index.*"] };
  const app = { name: "app", version: "1.2.3", private: true, dependencies: { one: "1.2.3", far: "1.2.3" } };
  const all = { name: "all", version: "1.2.3", private: true, workspaces: ["one", "app"] };
  const files = {
    "package.json": all,
    "package-lock.json": { ...all, packages: { "": all, one, app } },
    "one/package.json": one,
    "one/index.js": "export const answer = 42;\n",
    "one/index.d.ts": "export declare const answer: number;\n",
    "app/package.json": app,
    "CHANGELOG.md": "# Changelog\n\n## Unreleased\n\n- It answers.\n",
    ".gitignore": "dist/\n",
  };
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(root, path, ".."), { recursive: true });
    await writeFile(join(root, path), typeof content === "string" ? content : JSON.stringify(content));
  }
  git(root, "init", "-q", "-b", "main");
  git(root, "add", ".");
  git(root, "commit", "-qm", "All there is");
  return root;
}

test.each([
  ["patch", "1.2.4"],
  ["minor", "1.3.0"],
  ["major", "2.0.0"],
  ["1.2.3", "1.2.3"],
  ["1.10.0", "1.10.0"],
])("%s after 1.2.3 is %s", (wanted, version) => {
  expect(nextVersion("1.2.3", wanted)).toBe(version);
});

test.each(["1.2.2", "0.9.9", "1.1.9"])("%s is refused after 1.2.3", (wanted) => {
  expect(() => nextVersion("1.2.3", wanted)).toThrow(`${wanted} is lower than 1.2.3`);
});

test.each(["next", "v1.2.4", "1.2", ""])("%j is no version", (wanted) => {
  expect(() => nextVersion("1.2.3", wanted)).toThrow("is no version");
});

test("what was unreleased gets its version and day, and older versions stay", () => {
  const before = "# Changelog\n\n## Unreleased\n\n- New.\n\n## 1.2.3 - 2026-01-01\n\n- Old.\n";
  const after = dated(before, "1.3.0", "2026-02-01");
  expect(after).toBe(before.replace("## Unreleased\n", "## Unreleased\n\n## 1.3.0 - 2026-02-01\n"));
  expect([unreleased(before), unreleased(after)]).toEqual(["- New.", ""]);
});

describe("npm run release", () => {
  test("tries the packages outside, then commits one version everywhere, tags it and prints how to publish", async () => {
    const root = await repository("whole");
    const { code, stdout, stderr } = await release(root, "minor");
    expect(code, stderr).toBe(0);
    expect(stdout).toContain("git push --follow-tags origin main");
    expect(stdout).toContain("npm publish --access public dist/one-1.3.0.tgz");
    expect(git(root, "status", "--porcelain")).toBe("");
    expect(git(root, "log", "-1", "--format=%s %D")).toBe("Release 1.3.0 HEAD -> main, tag: v1.3.0");
    for (const folder of ["", "one", "app"])
      expect((await json(root, join(folder, "package.json"))).version).toBe("1.3.0");
    expect((await json(root, "app/package.json")).dependencies).toEqual({ one: "1.3.0", far: "1.2.3" });
    const lock = await json(root, "package-lock.json");
    expect(lock).toMatchObject({
      version: "1.3.0",
      packages: { "": { version: "1.3.0" }, one: { version: "1.3.0" }, app: { dependencies: { one: "1.3.0" } } },
    });
    expect(await readFile(join(root, "CHANGELOG.md"), "utf8")).toMatch(
      /^## Unreleased\n\n## 1\.3\.0 - \d{4}-\d\d-\d\d\n\n- It answers\.$/m,
    );
  });

  test("a dry run tries them too and leaves everything as it was, on any branch and with changes", async () => {
    const root = await repository("dry");
    git(root, "switch", "-qc", "mine");
    await writeFile(join(root, "new.txt"), "new");
    const { code, stdout, stderr } = await release(root, "patch", "--dry-run");
    expect(code, stderr).toBe(0);
    expect(stdout).toContain("A release would stop here: a release is made on the branch main, and this is mine");
    expect(stdout).toContain("1 packages of version 1.2.4 work in a project of their own");
    expect(git(root, "status", "--porcelain")).toBe("?? new.txt");
    expect(git(root, "log", "--format=%s")).toBe("All there is");
  });

  test("packages that do not work outside change nothing", async () => {
    const root = await repository("broken", { import: "./index.js", types: "./types.d.ts" });
    const { code, stderr } = await release(root, "patch");
    expect(code).toBe(1);
    expect(stderr).toContain("one has no ./types.d.ts, which its package.json names");
    expect([git(root, "status", "--porcelain"), git(root, "tag")]).toEqual(["", ""]);
  });

  test("is refused, before anything is built, for what stands in the way", async () => {
    const root = await repository("refused");
    git(root, "switch", "-qc", "mine");
    git(root, "tag", "v1.2.4");
    git(root, "remote", "add", "origin", "git@forge.example:somebody/else.git");
    await writeFile(join(root, "CHANGELOG.md"), "# Changelog\n\n## Unreleased\n");
    const { code, stderr } = await release(root, "patch");
    expect(code).toBe(1);
    for (const reason of [
      "made on the branch main, and this is mine",
      "commit or stash first:\n M CHANGELOG.md",
      "the tag v1.2.4 exists",
      'CHANGELOG.md has nothing under "Unreleased"',
      "one names no repository, and the remote origin is git@forge.example:somebody/else.git",
    ])
      expect(stderr).toContain(reason);
  });
});
