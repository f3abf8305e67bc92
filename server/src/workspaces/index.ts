// Storey 0, WHERE: the workspace, its settings and its keys. Everything above is told its workspace by the caller's key.
export { authenticator, type Caller, WORKSPACES_CHANGED, workspaceOf } from "./authenticate.ts";
export { identityGuard, VERIFIED, type Vouch } from "./identity.ts";
export { personKey } from "./person-key.ts";
export { product } from "./product.ts";
export { createKey, revokeKey, rollKey } from "./api-keys.ts";
export { keysOf, liveKeys } from "./keys-store.ts";
export {
  allWorkspaces,
  type WorkspaceRow as Workspace,
  workspaceById,
  workspaceOfKey,
} from "./store.ts";
export { bootstrap, createWorkspace, isLongSuspended, setSuspended, SUSPENSION_HOURS } from "./workspace.ts";
export { keptSince } from "./retention.ts";
export { liveSigners } from "./secrets-store.ts";
export { unverifiedCalls } from "./unverified.ts";
