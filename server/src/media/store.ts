import type { ImageKind, ImagePatch } from "@tidings/contract/messages/media";
import { type Queries, sql, type Tx } from "../platform/db/index.ts";
import { byInstant, byText, type ListSource } from "../platform/resources/lists.ts";

export interface ImageRow {
  id: string;
  file: string;
  thumbnail: string;
  name: string;
  alt: string | null;
  kind: ImageKind;
  width: number;
  height: number;
  frames: number;
  bytes: number;
  thumbnail_bytes: number;
  created_at: Date;
  updated_at: Date;
}

const columns = sql`id, file, thumbnail, name, alt, kind, width, height, frames, bytes, thumbnail_bytes, created_at, updated_at`;

export const listSource: ListSource = {
  columns,
  from: sql`media`,
  of: (workspaceId) => sql`workspace_id = ${workspaceId} and state = 'stored'`,
  id: sql`id`,
  sorts: {
    updated_at: byInstant(sql`updated_at`),
    name: byText(sql`name`),
    bytes: { by: sql`bytes`, at: (value) => sql`${value}::integer`, kind: "integer" },
  },
  facets: { kind: sql`kind` },
  texts: [sql`name`, sql`coalesce(alt, '')`],
};

/**
 * Takes a place for an image, before its bytes are stored. Returns false where the workspace has no room for it; an image that is there
 * already needs none.
 */
export async function reserve(
  q: Queries,
  workspaceId: string,
  row: Omit<ImageRow, "created_at" | "updated_at">,
  { most, mostBytes, now }: { most: number; mostBytes: number; now: Date },
): Promise<boolean> {
  const size = row.bytes + row.thumbnail_bytes;
  const made = await q.execute(sql`
    insert into media (workspace_id, id, file, thumbnail, state, name, alt, kind, width, height, frames, bytes, thumbnail_bytes,
      created_at, updated_at)
    select ${workspaceId}::uuid, ${row.id}::uuid, ${row.file}, ${row.thumbnail}, 'storing', ${row.name}, ${row.alt}, ${row.kind},
      ${row.width}, ${row.height}, ${row.frames}, ${row.bytes}, ${row.thumbnail_bytes}, ${now}, ${now}
    from (select count(*) as n, coalesce(sum(bytes::bigint + thumbnail_bytes), 0) as size from media where workspace_id = ${workspaceId})
      as used
    where used.n < ${most} and used.size + ${size} <= ${mostBytes}
    on conflict on constraint media_file do nothing`);
  if (made === 1) return true;
  const there = await q.query(sql`select from media where workspace_id = ${workspaceId} and file = ${row.file}`);
  return there.length > 0;
}

/** Locks the row of a file, whatever its state. */
export async function lockFile(
  tx: Tx,
  workspaceId: string,
  file: string,
): Promise<(ImageRow & { state: string }) | undefined> {
  return (
    await tx.query<ImageRow & { state: string }>(sql`
      select ${columns}, state from media where workspace_id = ${workspaceId} and file = ${file} for update`)
  )[0];
}

/** Shows an image whose bytes are stored. */
export async function markStored(
  tx: Tx,
  workspaceId: string,
  row: Pick<ImageRow, "file" | "name" | "alt">,
  now: Date,
): Promise<ImageRow> {
  const [stored] = await tx.query<ImageRow>(sql`
    update media set state = 'stored', name = ${row.name}, alt = ${row.alt}, created_at = ${now}, updated_at = ${now}
    where workspace_id = ${workspaceId} and file = ${row.file} returning ${columns}`);
  return stored as ImageRow;
}

export async function storedFile(q: Queries, workspaceId: string, file: string): Promise<ImageRow | undefined> {
  return (
    await q.query<ImageRow>(sql`
      select ${columns} from media where workspace_id = ${workspaceId} and file = ${file} and state = 'stored'`)
  )[0];
}

export async function imageById(q: Queries, workspaceId: string, id: string): Promise<ImageRow | undefined> {
  return (
    await q.query<ImageRow>(sql`
      select ${columns} from media where workspace_id = ${workspaceId} and id = ${id} and state = 'stored'`)
  )[0];
}

export async function lockImage(tx: Tx, workspaceId: string, id: string): Promise<ImageRow | undefined> {
  return (
    await tx.query<ImageRow>(sql`
      select ${columns} from media where workspace_id = ${workspaceId} and id = ${id} and state = 'stored' for update`)
  )[0];
}

export async function updateImage(
  tx: Tx,
  workspaceId: string,
  { id, patch, now }: { id: string; patch: ImagePatch; now: Date },
): Promise<ImageRow> {
  const given = (field: keyof ImagePatch) => Object.hasOwn(patch, field);
  const [row] = await tx.query<ImageRow>(sql`
    update media set
      name = case when ${given("name")} then ${patch.name ?? ""} else name end,
      alt = case when ${given("alt")} then ${patch.alt ?? null} else alt end,
      updated_at = ${now}
    where workspace_id = ${workspaceId} and id = ${id} returning ${columns}`);
  return row as ImageRow;
}

export const markRemoving = (tx: Tx, workspaceId: string, id: string, now: Date): Promise<number> =>
  tx.execute(sql`
    update media set state = 'removing', updated_at = ${now} where workspace_id = ${workspaceId} and id = ${id}`);

/** Locks an image that is no longer shown, or was never stored since `before`; one that another process has locked is left to it. */
export async function lockUnfinished(
  tx: Tx,
  before: Date,
): Promise<{ workspace_id: string; id: string; file: string; thumbnail: string } | undefined> {
  return (
    await tx.query<{ workspace_id: string; id: string; file: string; thumbnail: string }>(sql`
      select workspace_id, id, file, thumbnail from media
      where state <> 'stored' and updated_at <= ${before} order by updated_at limit 1 for update skip locked`)
  )[0];
}

/** Locks an image that is being removed. */
export async function lockRemoving(tx: Tx, workspaceId: string, id: string): Promise<ImageRow | undefined> {
  return (
    await tx.query<ImageRow>(sql`
      select ${columns} from media where workspace_id = ${workspaceId} and id = ${id} and state = 'removing' for update`)
  )[0];
}

export const deleteImage = (tx: Tx, workspaceId: string, id: string): Promise<number> =>
  tx.execute(sql`delete from media where workspace_id = ${workspaceId} and id = ${id}`);
