import type { Tx } from "../platform/db/index.ts";
import type { MediaGround } from "./ground.ts";
import { deleteImage, lockRemoving, lockUnfinished } from "./store.ts";

/** An upload takes 2 minutes at most; what is older was left by a process that was killed. */
const LEFT_MS = 3_600_000;

/** Removes the files of an image that is no longer shown. What fails here is done by `clear`. @throws Problem unavailable */
export async function removeFiles(ground: MediaGround, workspaceId: string, id: string): Promise<void> {
  await ground.db.transaction(async (tx) => {
    const row = await lockRemoving(tx, workspaceId, id);
    if (row) await removed(tx, ground, { workspace_id: workspaceId, ...row });
  });
}

/** Removes what uploads and removals left that did not come to their end. */
export async function clear(ground: MediaGround): Promise<void> {
  const before = new Date(ground.clock.now().getTime() - LEFT_MS);
  const one = () =>
    ground.workDb.transaction(async (tx) => {
      const row = await lockUnfinished(tx, before);
      if (row) await removed(tx, ground, row);
      return row !== undefined;
    });
  while (await one());
}

async function removed(
  tx: Tx,
  { media }: MediaGround,
  row: { workspace_id: string; id: string; file: string; thumbnail: string },
): Promise<void> {
  await media.remove(row.file);
  await media.remove(row.thumbnail);
  await deleteImage(tx, row.workspace_id, row.id);
}
