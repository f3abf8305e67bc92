import { LRUCache } from "lru-cache";
import type { Queries } from "../platform/db/index.ts";
import type { Content } from "./definition.ts";
import { contentsOf, newestVersions } from "./store.ts";

/** The version of a template that is sent now, and what it says before it is rendered. */
export interface Newest {
  version: number;
  content: Content;
}

/** Characters of content kept in a process, the least recently used go first. */
const KEPT = 32 * 1024 * 1024;

// Shared by all that runs in this process and never invalidated, because a version never changes.
const kept = new LRUCache<string, Content>({
  maxSize: KEPT,
  sizeCalculation: (content) => content.body.length + (content.plaintext_body?.length ?? 0) + 1,
});

const keyOf = (workspaceId: string, id: string, version: number): string => `${workspaceId} ${id} ${version}`;

/** The newest versions of these templates, in order; undefined for one that this workspace does not have. */
export async function newestTemplates(
  q: Queries,
  wanted: { workspaceId: string; id: string }[],
): Promise<(Newest | undefined)[]> {
  const found = await loaded(q, await newestVersions(q, wanted));
  return wanted.map(({ workspaceId, id }) => found.get(`${workspaceId} ${id}`));
}

/** A version of a template, also of one that was taken out of use since; undefined where there never was one. */
export async function templateAt(
  q: Queries,
  workspaceId: string,
  id: string,
  version: number,
): Promise<Newest | undefined> {
  return (await loaded(q, [{ workspace_id: workspaceId, id, version }])).get(`${workspaceId} ${id}`);
}

/** What these versions say, under workspace and id: those that are not kept here in one statement. */
async function loaded(
  q: Queries,
  rows: { workspace_id: string; id: string; version: number }[],
): Promise<Map<string, Newest>> {
  const found = new Map<string, Newest>();
  const missing = rows.filter((row) => {
    const content = kept.get(keyOf(row.workspace_id, row.id, row.version));
    if (content) found.set(`${row.workspace_id} ${row.id}`, { version: row.version, content });
    return !content;
  });
  if (missing.length > 0) {
    for (const { workspace_id, id, version, content } of await contentsOf(q, missing)) {
      found.set(`${workspace_id} ${id}`, { version, content });
      kept.set(keyOf(workspace_id, id, version), content);
    }
  }
  return found;
}
