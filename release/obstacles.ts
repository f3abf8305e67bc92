import { execFileSync } from "node:child_process";
import { unreleased } from "./changelog.ts";
import type { Manifest } from "./packages.ts";

/** Runs git and returns what it prints; undefined where it fails, as outside of a repository. */
function asked(root: string, ...args: string[]): string | undefined {
  try {
    return execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trimEnd();
  } catch {
    return undefined;
  }
}

/** Returns `github.com/tidings/tidings` for any form in which git or npm writes it. */
const place = (url: string): string =>
  url
    .replace(/^git\+/, "")
    .replace(/^\w+:\/\/(?:[^@/]*@)?/, "")
    .replace(/^[^@/]*@([^:/]+):/, "$1/")
    .replace(/(?:\.git)?\/?$/, "");

/** Returns the reasons why the tree can't be released now. */
export function obstacles(root: string, changelog: string, version: string, published: Manifest[]): string[] {
  const found: string[] = [];
  const branch = asked(root, "branch", "--show-current");
  if (branch !== "main") found.push(`a release is made on the branch main, and this is ${branch || "none"}`);
  const changed = asked(root, "status", "--porcelain");
  if (changed) found.push(`commit or stash first:\n${changed}`);
  if (asked(root, "rev-parse", "--verify", "--quiet", `refs/tags/v${version}`))
    found.push(`the tag v${version} exists`);
  if (unreleased(changelog) === "") found.push('CHANGELOG.md has nothing under "Unreleased"');
  const origin = asked(root, "remote", "get-url", "origin");
  for (const { name, repository } of published)
    if (origin && place(repository?.url ?? "") !== place(origin))
      found.push(`${name} names ${repository?.url ?? "no repository"}, and the remote origin is ${origin}`);
  return found;
}
