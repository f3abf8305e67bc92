import type { MembersGround } from "../ground.ts";
import { MEMBERS_CHANGED } from "../session/sessions.ts";
import { logOwn, ownOf } from "../session/log.ts";
import { deleteSession, type FoundSession } from "../store/session-store.ts";

/** Ends a session of the same member, on every node within 5 s. Returns false if there is none with this id. */
export function endSession({ db, clock }: MembersGround, session: FoundSession, id: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const done = (await deleteSession(tx, session.member_id, id)) === 1;
    if (!done) return false;
    // A sign-out is no event: only the end of another session is.
    if (id !== session.id) await logOwn(tx, ownOf(session), "session_ended", clock.now());
    tx.signal(MEMBERS_CHANGED, [session.member_id]);
    return done;
  });
}
