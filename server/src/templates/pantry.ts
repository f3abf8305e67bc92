import type { Queries, Tx } from "../platform/db/index.ts";
import { Stale } from "../platform/crud.ts";
import { type Source, snippetsIn } from "./assemble.ts";
import type { Ingredients } from "./compile.ts";
import { noLayout } from "./definition.ts";
import {
  type LayoutRow,
  layoutById,
  lockLayout,
  lockSnippets,
  type SnippetRow,
  snippetsByName,
} from "./parts-store.ts";

/** A layout or snippet as it is going to be, in place of what is stored. */
export interface Edited {
  layout?: Pick<LayoutRow, "id" | "body" | "format">;
  snippet?: Pick<SnippetRow, "name" | "body">;
}

/**
 * The layouts and snippets that one change needs, each read once. Compiling takes long and holds no connection; so the
 * write afterwards holds them and finds out whether they are still what was compiled.
 */
export function openPantry(q: Queries, workspaceId: string, edited: Edited = {}) {
  const layouts = new Map<string, LayoutRow>();
  const rows = new Map<string, SnippetRow>();
  const bodies = new Map<string, string>();
  const asked = new Set<string>();

  async function layoutOf(id: string): Promise<Pick<LayoutRow, "body" | "format">> {
    const row = layouts.get(id) ?? (await layoutById(q, workspaceId, id));
    if (!row) throw noLayout();
    layouts.set(id, row);
    return edited.layout?.id === id ? edited.layout : row;
  }

  /** Snippets, the snippets in them, and so on: a round for each level, and each snippet once. */
  async function fetch(sources: Source[]): Promise<void> {
    const names = [...new Set(sources.flatMap(snippetsIn))].filter((name) => !asked.has(name));
    if (names.length === 0) return;
    const found = await snippetsByName(q, workspaceId, names);
    for (const name of names) asked.add(name);
    const next = found.map((row) => {
      const text = edited.snippet?.name === row.name ? edited.snippet.body : row.body;
      rows.set(row.name, row);
      bodies.set(row.name, text);
      return { part: `snippet ${row.name}`, text };
    });
    await fetch(next);
  }

  return {
    /** What the text and this layout are made of. @throws Problem invalid_request for a layout that is not there, template_error */
    async ingredients(text: Source, layoutId: string | null): Promise<Ingredients> {
      const layout = layoutId === null ? undefined : await layoutOf(layoutId);
      await fetch([text, ...(layout ? [{ part: "layout", text: layout.body }] : [])]);
      return { layout, snippets: bodies };
    },

    /** Locks all that was read, always in the same order, so that two writers wait and never lock each other. @throws Stale */
    async hold(tx: Tx): Promise<void> {
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

export type Pantry = ReturnType<typeof openPantry>;
