import type { TimeWindow } from "@tidings/contract/hours";
import type { MarketingLimits, WorkspacePatch } from "@tidings/contract/workspaces";
import { announced, type Db, type Tx } from "../platform/db/index.ts";
import { badField, notFound } from "../platform/http/index.ts";
import { encodeId, newId } from "../platform/ids.ts";
import { mailbox } from "../platform/mailbox.ts";
import { type Origin, recordChange } from "../platform/resources/changes.ts";
import { isZone } from "../platform/time/zones.ts";
import { addKey } from "./keys/api-keys.ts";
import { WORKSPACES_CHANGED } from "./keys/authenticate.ts";
import {
  allWorkspaces,
  insertWorkspace,
  lockWorkspaceRow,
  lockWorkspaces,
  setStatus,
  updateWorkspace,
  type WorkspaceRow,
} from "./tenant/store.ts";

/** Creates a workspace with its first two keys. */
export async function createWorkspace(
  tx: Tx,
  name: string,
  keys: { secret?: string | undefined; public?: string | undefined } = {},
) {
  const workspace = await insertWorkspace(tx, newId(), name);
  const secret = await addKey(tx, workspace.id, { kind: "secret", ...(keys.secret && { key: keys.secret }) });
  const pub = await addKey(tx, workspace.id, { kind: "public", ...(keys.public && { key: keys.public }) });
  return { workspace, secretKey: secret.key, publicKey: pub.key };
}

/** Creates the first workspace if the database has none. Returns undefined if there is one already. */
export function bootstrap(db: Db, keys: { secret: string | undefined; public: string | undefined }) {
  return db.transaction(async (tx) => {
    await lockWorkspaces(tx);
    if ((await allWorkspaces(tx)).length > 0) return undefined;
    return createWorkspace(tx, "My workspace", keys);
  });
}

/** Changes settings, on every node within 5 s. @throws Problem invalid_request for a value that the schema can't check */
export async function changeSettings(
  tx: Tx,
  workspaceId: string,
  patch: WorkspacePatch,
  now: Date,
): Promise<WorkspaceRow> {
  if (patch.timezone !== undefined && !isZone(patch.timezone))
    throw badField("/timezone", "must be an IANA time zone such as Europe/Berlin");
  if (patch.quiet_defaults && patch.quiet_defaults.start === patch.quiet_defaults.end) {
    throw badField("/quiet_defaults/end", "must differ from start");
  }
  if (patch.in_app_cap && !patch.in_app_cap.max_per_day && !patch.in_app_cap.min_interval)
    throw badField("/in_app_cap", "needs max_per_day or min_interval; null removes the cap");
  if (patch.marketing_limits) checkLimits(patch.marketing_limits);
  for (const name of ["email_from", "email_reply_to"] as const) {
    const sender = patch.sender_defaults?.[name];
    // A wrong sender would be ignored silently with every email.
    if (sender !== undefined && !mailbox(sender))
      throw badField(`/sender_defaults/${name}`, "must be one address, such as `Acme <hello@acme.test>`");
  }
  const row = await updateWorkspace(tx, workspaceId, patch, now);
  if (!row) throw notFound("workspace");
  tx.signal(WORKSPACES_CHANGED, [workspaceId]);
  // The windows of people without a zone of their own are in the workspace's.
  if (patch.marketing_limits !== undefined || patch.timezone !== undefined)
    await tx.announce(LIMITS_CHANGED, [workspaceId], () => [{ workspaceId }]);
  return row;
}

/** Announces that the limits which hold messages back have changed, or the zone of their windows, in the transaction that changes them. */
export const LIMITS_CHANGED = announced<{ workspaceId: string }>("workspaces.limits_changed");

/** @throws Problem invalid_request for a window that never closes or that names nothing */
function checkLimits({ window, channels = {} }: MarketingLimits): void {
  checkWindow(window, "/marketing_limits/window");
  for (const [channel, own] of Object.entries(channels))
    checkWindow(own.window ?? undefined, `/marketing_limits/channels/${channel}/window`);
}

function checkWindow(window: TimeWindow | undefined, at: string): void {
  if (!window) return;
  const { from, to, days } = window;
  if (from === undefined && to === undefined && days === undefined) throw badField(at, "needs from, to or days");
  if ((from ?? "00:00") === to)
    throw badField(`${at}/to`, "must differ from the beginning: leave from and to out for whole days");
}

/** Deliveries of a suspended workspace are held for this long and then canceled. */
export const SUSPENSION_HOURS = 24;

/** Whether a workspace has been suspended for that long. */
export const isLongSuspended = ({ suspended_at }: Pick<WorkspaceRow, "suspended_at">, now: Date): boolean =>
  suspended_at !== null && now.getTime() - suspended_at.getTime() >= SUSPENSION_HOURS * 3_600_000;

/** Suspends or resumes the workspace of the origin. Returns false if there is no such workspace. */
export async function setSuspended(tx: Tx, origin: Origin, suspended: boolean, now: Date): Promise<boolean> {
  const { scope } = origin;
  const before = await lockWorkspaceRow(tx, scope);
  if (!before) return false;
  const status = suspended ? "suspended" : "active";
  if (before.status !== status) {
    const resource = { type: "workspace", id: encodeId("ws", scope), name: before.name };
    const changes = [{ field: "/status", from: before.status, to: status }];
    await recordChange(tx, origin, {
      action: `workspace.${suspended ? "suspended" : "resumed"}`,
      resource,
      changes,
      now,
    });
  }
  await setStatus(tx, scope, status);
  tx.signal(WORKSPACES_CHANGED, [scope]);
  return true;
}
