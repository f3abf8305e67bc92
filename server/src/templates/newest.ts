import { LRUCache } from "lru-cache";
import type { Queries } from "../platform/db/index.ts";
import type { Content } from "./definition.ts";
import { contentsOf, newestVersions } from "./store.ts";

/** A version of a template and its content before it is rendered. */
export interface TemplateContent {
  version: number;
  content: Content;
}

/** Characters of content that a process caches; the least recently used content is dropped first. */
const MOST_CACHED = 32 * 1024 * 1024;
/** What an entry takes besides its long texts. */
const LEAST = 1_000;

// The whole process shares it and it is never invalidated, because a version never changes.
const cached = new LRUCache<string, Content>({
  maxSize: MOST_CACHED,
  sizeCalculation: (content) => content.body.length + (content.plaintext_body?.length ?? 0) + LEAST,
});

const keyOf = (workspaceId: string, id: string, version: number): string => `${workspaceId} ${id} ${version}`;

/** The newest versions of these templates, in order; undefined for one that this workspace does not have. */
export async function newestTemplates(
  q: Queries,
  wanted: { workspaceId: string; id: string }[],
): Promise<(TemplateContent | undefined)[]> {
  const found = await load(q, await newestVersions(q, wanted));
  return wanted.map(({ workspaceId, id }) => found.get(`${workspaceId} ${id}`));
}

/** A version of a template, also of one that is deleted; undefined where there never was one. */
export async function templateAt(
  q: Queries,
  workspaceId: string,
  id: string,
  version: number,
): Promise<TemplateContent | undefined> {
  return (await load(q, [{ workspace_id: workspaceId, id, version }])).get(`${workspaceId} ${id}`);
}

/** The contents of these versions by workspace and id. One statement reads those that are not cached. */
async function load(
  q: Queries,
  rows: { workspace_id: string; id: string; version: number }[],
): Promise<Map<string, TemplateContent>> {
  const found = new Map<string, TemplateContent>();
  const missing = rows.filter((row) => {
    const content = cached.get(keyOf(row.workspace_id, row.id, row.version));
    if (content) found.set(`${row.workspace_id} ${row.id}`, { version: row.version, content });
    return !content;
  });
  if (missing.length > 0) {
    for (const { workspace_id, id, version, content } of await contentsOf(q, missing)) {
      found.set(`${workspace_id} ${id}`, { version, content });
      cached.set(keyOf(workspace_id, id, version), content);
    }
  }
  return found;
}
