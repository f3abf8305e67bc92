import type { Tx } from "../../platform/db/index.ts";
import { encodeId } from "../../platform/ids.ts";
import { recordChange } from "../../platform/resources/changes.ts";
import { workspacesOf } from "../store/account-store.ts";

/** What a member does to their own account. */
type Done =
  | "joined"
  | "password_changed"
  | "password_reset"
  | "second_factor_set"
  | "second_factor_removed"
  | "passkey_added"
  | "passkey_removed"
  | "session_ended";

interface Own {
  id: string;
  email: string;
  name: string | null;
}

/** Records what a member did to their own account, in each of their workspaces: it decides who may act there under this name. */
export async function logOwn(tx: Tx, { id, email, name }: Own, done: Done, now: Date): Promise<void> {
  const member = encodeId("mem", id);
  const actor = { type: "member", id: member, name: name ?? email } as const;
  for (const { workspace_id: scope } of await workspacesOf(tx, id)) {
    const resource = { type: "member", id: member, name: email };
    await recordChange(tx, { scope, actor, requestId: null }, { action: `member.${done}`, resource, now });
  }
}

/** The member of a session, for `logOwn`. */
export const ownOf = ({ member_id, email, name }: { member_id: string; email: string; name: string | null }): Own => ({
  id: member_id,
  email,
  name,
});
