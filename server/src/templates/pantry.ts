import type { Queries, Tx } from "../platform/db/index.ts";
import { Stale } from "../platform/resources/crud.ts";
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

/** A layout or snippet that is being changed: the row that was read, and what is going to be in its place. */
export interface Edited {
  layout?: { before: LayoutRow; after: Pick<LayoutRow, "body" | "format"> };
  snippet?: { before: SnippetRow; after: Pick<SnippetRow, "body"> };
}

/**
 * The layouts and snippets that one change needs, each read once. Compiling takes long and holds no connection; so the
 * write afterwards holds them and finds out whether they are still what was compiled. What is edited is never read a
 * second time: the version that the write is made from is the one that it holds.
 */
export function openPantry(q: Queries, workspaceId: string, { layout: frame, snippet: piece }: Edited = {}) {
  const layouts = new Map(frame && [[frame.before.id, frame.before]]);
  const rows = new Map(piece && [[piece.before.name, piece.before]]);
  const bodies = new Map(piece && [[piece.before.name, piece.after.body]]);
  const asked = new Set(rows.keys());

  async function layoutOf(id: string): Promise<Pick<LayoutRow, "body" | "format">> {
    if (frame?.before.id === id) return frame.after;
    const row = layouts.get(id) ?? (await layoutById(q, workspaceId, id));
    if (!row) throw noLayout();
    layouts.set(id, row);
    return row;
  }

  /** Snippets, the snippets in them, and so on: a round for each level, and each snippet once. */
  async function fetch(sources: Source[]): Promise<void> {
    const names = [...new Set(sources.flatMap(snippetsIn))].filter((name) => !asked.has(name));
    if (names.length === 0) return;
    const found = await snippetsByName(q, workspaceId, names);
    for (const name of names) asked.add(name);
    for (const row of found) {
      rows.set(row.name, row);
      bodies.set(row.name, row.body);
    }
    await fetch(found.map(({ name, body }) => ({ part: `snippet ${name}`, text: body })));
  }

  return {
    /** What the text and this layout are made of. @throws Problem invalid_request for a layout that is not there, template_error */
    async ingredients(text: Source, layoutId: string | null): Promise<Ingredients> {
      const layout = layoutId === null ? undefined : await layoutOf(layoutId);
      await fetch([text, ...(layout ? [{ part: "layout", text: layout.body }] : [])]);
      return { workspaceId, layout, snippets: bodies };
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
