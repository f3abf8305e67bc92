import { Problem } from "../../platform/http/index.ts";
import { encodeId } from "../../platform/ids.ts";
import { byItself, recordChange } from "../../platform/resources/changes.ts";
import type { MembersGround } from "../ground.ts";
import { memberByEmail, workspacesOf } from "../store/account-store.ts";

interface Failure {
  /** As accounts are looked up by it. */
  email: string;
  address: string;
  error: unknown;
}

/**
 * Records in the workspaces of an account that a sign-in with it failed, or was refused after too many; once in 15 minutes for a network, so
 * that nobody can fill the log. Nothing waits for it: an account that exists must not answer later than one that does not.
 */
export function logFailure(ground: MembersGround, { email, address, error }: Failure): void {
  const done = error instanceof Problem ? FAILURES[error.code] : undefined;
  if (!done || !ground.members.attempts.isFirst(done, email, address)) return;
  const recorded = ground.db.transaction(async (tx) => {
    const member = await memberByEmail(tx, email);
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
