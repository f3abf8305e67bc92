import type { Tx } from "../platform/db/index.ts";
import { locked } from "./definition/campaign.ts";
import { remove } from "./definition/store.ts";
import { moved } from "./rules/status.ts";

/** Removes a draft or an archived campaign; what it sent stays. @throws Problem not_found, wrong_status */
export async function discard(tx: Tx, workspaceId: string, id: string): Promise<void> {
  moved((await locked(tx, workspaceId, id)).status, "remove");
  await remove(tx, workspaceId, id);
}
