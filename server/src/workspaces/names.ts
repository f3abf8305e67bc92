import type { Queries } from "../platform/db/index.ts";
import { decodeId, encodeId, type Prefix } from "../platform/ids.ts";
import type { NamesOf } from "./slice.ts";

/** Reads the names of rows by their ids. */
type ReadNames = (q: Queries, workspaceId: string, ids: string[]) => Promise<{ id: string; name: string }[]>;

/** Returns the `namesOf` of a slice whose ids have this prefix. It asks the database only for ids of its own. */
export const namesBy =
  (prefix: Prefix, read: ReadNames): NamesOf =>
  async (q, workspaceId, ids) => {
    const own = Array.from(ids, (text) => decodeId(prefix, text)).filter((id) => id !== undefined);
    if (own.length === 0) return new Map();
    return new Map((await read(q, workspaceId, own)).map(({ id, name }) => [encodeId(prefix, id), name]));
  };
