import type { MembersGround } from "../ground.ts";
import { MEMBERS_CHANGED } from "../session/sessions.ts";
import { setName } from "../store/account-store.ts";

/** Changes what a member is called, in all workspaces; null removes the name. */
export const changeName = ({ db, clock }: MembersGround, memberId: string, name: string | null): Promise<void> =>
  db.transaction(async (tx) => {
    await setName(tx, memberId, name, clock.now());
    tx.signal(MEMBERS_CHANGED, [memberId]);
  });
