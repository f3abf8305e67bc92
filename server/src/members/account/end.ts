import type { MembersGround } from "../ground.ts";
import { MEMBERS_CHANGED } from "../session/sessions.ts";
import { deleteSession, type SessionRow } from "../store/session-store.ts";

/** Ends a session of the same member, on every node within 5 s. Returns false if there is none with this id. */
export function endSession({ db }: MembersGround, { member_id }: SessionRow, id: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const done = (await deleteSession(tx, member_id, id)) === 1;
    if (done) tx.signal(MEMBERS_CHANGED, [member_id]);
    return done;
  });
}
