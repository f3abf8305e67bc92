import type { Queries, Tx } from "../platform/db/index.ts";
import { Stale } from "../platform/resources/crud.ts";
import { type Source, snippetsIn } from "./assemble.ts";
import type { UsedParts } from "./compile.ts";
import { noLayout } from "./definition.ts";
import {
  type LayoutRow,
  layoutById,
  lockLayout,
  lockSnippets,
  type SnippetRow,
  snippetsByName,
} from "./parts-store.ts";

/** A layout or snippet that is being changed: the row that was read, and its new texts. */
export interface EditedPart {
  layout?: { before: LayoutRow; after: Pick<LayoutRow, "body" | "format"> };
  snippet?: { before: SnippetRow; after: Pick<SnippetRow, "body"> };
}

/**
 * Reads the layouts and snippets that one change needs, each once. Compiling takes long and must not hold a connection, so the write
 * afterwards locks them and checks that they are still what was compiled. The edited part is never read a second time: the write
 * locks the version that it was made from.
 */
export function partsReader(q: Queries, workspaceId: string, edited: EditedPart = {}) {
  const { layout: ownLayout, snippet: ownSnippet } = edited;
  const layouts = new Map(ownLayout && [[ownLayout.before.id, ownLayout.before]]);
  const rows = new Map(ownSnippet && [[ownSnippet.before.name, ownSnippet.before]]);
  const bodies = new Map(ownSnippet && [[ownSnippet.before.name, ownSnippet.after.body]]);
  const requested = new Set(rows.keys());

  async function layoutOf(id: string): Promise<Pick<LayoutRow, "body" | "format">> {
    if (ownLayout?.before.id === id) return ownLayout.after;
    const row = layouts.get(id) ?? (await layoutById(q, workspaceId, id));
    if (!row) throw noLayout();
    layouts.set(id, row);
    return row;
  }

  /** Reads snippets, the snippets in them, and so on: one statement for each level, and each snippet once. */
  async function fetch(sources: Source[]): Promise<void> {
    const names = [...new Set(sources.flatMap(snippetsIn))].filter((name) => !requested.has(name));
    if (names.length === 0) return;
    const found = await snippetsByName(q, workspaceId, names);
    for (const name of names) requested.add(name);
    for (const row of found) {
      rows.set(row.name, row);
      bodies.set(row.name, row.body);
    }
    await fetch(found.map(({ name, body }) => ({ part: `snippet ${name}`, text: body })));
  }

  return {
    /**
     * The layout and all snippets that the text and the layout use.
     * @throws Problem invalid_request for an unknown layout, template_error
     */
    async partsOf(text: Source, layoutId: string | null): Promise<UsedParts> {
      const layout = layoutId === null ? undefined : await layoutOf(layoutId);
      await fetch([text, ...(layout ? [{ part: "layout", text: layout.body }] : [])]);
      return { workspaceId, layout, snippets: bodies };
    },

    /**
     * Locks all parts that were read, always in the same order, so that two writers can't deadlock.
     * @throws Stale where one was changed since
     */
    async lock(tx: Tx): Promise<void> {
      for (const id of [...layouts.keys()].sort()) {
        if ((await lockLayout(tx, workspaceId, id)) !== layouts.get(id)?.version) throw new Stale();
      }
      if (rows.size === 0) return;
      const locked = await lockSnippets(tx, workspaceId, [...rows.keys()]);
      const same = locked.filter(
        (row) => rows.get(row.name)?.id === row.id && rows.get(row.name)?.version === row.version,
      );
      if (same.length !== rows.size) throw new Stale();
    },
  };
}

export type PartsReader = ReturnType<typeof partsReader>;
