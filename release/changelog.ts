const HEAD = /^## Unreleased\n/m;

/** Returns the text under "Unreleased". @throws Error where there is no such heading */
export function unreleased(changelog: string): string {
  const head = HEAD.exec(changelog);
  if (!head) throw new Error('CHANGELOG.md has no heading "## Unreleased"');
  const rest = changelog.slice(head.index + head[0].length);
  const end = rest.search(/^## /m);
  return (end === -1 ? rest : rest.slice(0, end)).trim();
}

/** Returns the changelog with the unreleased text under the version and its day, and an empty "Unreleased" above. */
export const dated = (changelog: string, version: string, day: string): string =>
  changelog.replace(HEAD, `## Unreleased\n\n## ${version} - ${day}\n`);
