// WHERE: the workspace, its settings and its keys. The caller's key determines the workspace for all slices above.
import { jobs } from "./jobs.ts";
import { validCallers } from "./keys/keys-store.ts";
import { product } from "./product.ts";
import type { Slice } from "./slice.ts";

export { identityMetrics } from "./identity/monitoring.ts";
export { identityGuard, VERIFIED, type Vouch } from "./identity/identity.ts";
export { liveSigners } from "./identity/secrets-store.ts";
export { unverifiedCalls } from "./identity/unverified.ts";
export { createKey, removeKey, revokeKey, rollKey } from "./keys/api-keys.ts";
export {
  authenticator,
  byCommand,
  type Caller,
  originOf,
  assertActive,
  permit,
  WORKSPACES_CHANGED,
  workspaceOf,
} from "./keys/authenticate.ts";
export { type CallerRef, keysOf, liveKeys } from "./keys/keys-store.ts";
export { namesBy } from "./names.ts";
export { networkOf } from "./keys/strangers.ts";
export {
  type ConnectedGround,
  type LogEntry,
  type LogOf,
  connect,
  type NamesOf,
  type ProgressOf,
  type TasksOf,
  type Slice,
  type Started,
  type Users,
} from "./slice.ts";
export {
  type Canceled,
  held,
  type Held,
  type HeldTable,
  heldTables,
  holdInTurns,
  inTurns,
  keysIn,
  type Merge,
  moveAll,
  personBusy,
  TURNS,
  type ExportPage,
  type Whose,
} from "./tenant/held.ts";
export { type PersonTable, type Rows, rowsOf } from "./tenant/held-store.ts";
export { namedAfterMerges } from "./tenant/merges-store.ts";
export { personEntry, personKey } from "./tenant/person-key.ts";
export { keptSince } from "./tenant/retention.ts";
export {
  allWorkspaces,
  type WorkspaceRow as Workspace,
  workspaceById,
  workspaceOfKey,
  WORKSPACES,
} from "./tenant/store.ts";
export {
  bootstrap,
  createWorkspace,
  isLongSuspended,
  LIMITS_CHANGED,
  SUSPENSION_HOURS,
  setSuspended,
} from "./workspace.ts";

/** The routes that the roof mounts. */
export const slice: Slice = { name: "workspaces", product, jobs, validCallers };

declare module "../platform/ids.ts" {
  interface Prefixes {
    ws: true;
    key: true;
    chg: true;
  }
}
