import { Problem } from "../../platform/http/index.ts";
import { encodeId } from "../../platform/ids.ts";
import { byItself, recordChange } from "../../platform/resources/changes.ts";
import type { MembersGround } from "../ground.ts";
import { memberByEmail, memberById, workspacesOf } from "../store/account-store.ts";

/** Whose account it is: by the address that was typed, as accounts are looked up by it, or by the passkey. */
type Whose = { email: string } | { memberId: string };

interface Failure {
  address: string;
  error: unknown;
}

/**
 * Records in the workspaces of an account that a sign-in with it failed, or was refused after too many; once in 15 minutes for a network, so
 * that nobody can fill the log. Nothing waits for it: an account that exists must not answer later than one that does not.
 */
export function logFailure(ground: MembersGround, whose: Whose, { address, error }: Failure): void {
  const done = error instanceof Problem ? FAILURES[error.code] : undefined;
  if (!done || !ground.members.attempts.isFirst(done, "email" in whose ? whose.email : whose.memberId, address)) return;
  const recorded = ground.db.transaction(async (tx) => {
    const member = await ("email" in whose ? memberByEmail(tx, whose.email) : memberById(tx, whose.memberId));
    if (!member) return;
    const resource = { type: "member", id: encodeId("mem", member.id), name: member.email };
    const changes = [{ field: "/address", to: address }];
    for (const { workspace_id } of await workspacesOf(tx, member.id))
      await recordChange(tx, byItself(workspace_id), {
        action: `member.${done}`,
        resource,
        changes,
        now: ground.clock.now(),
      });
  });
  recorded.catch((cause) => ground.log.warn({ err: String(cause) }, "a failed sign-in could not be recorded"));
}

const FAILURES: Record<string, string> = { sign_in_failed: "sign_in_failed", rate_limited: "sign_in_limited" };
