import type { Retention } from "@tidings/contract/workspaces";

/** The kinds of data with a retention of their own. */
type Kind = keyof Retention;

const DAY_MS = 86_400_000;

/** Returns the time since which data of a kind is kept: the kind's own days, or else the workspace's `retention_days`. */
export function keptSince(workspace: { retention_days: number; retention: Retention }, kind: Kind, now: Date): Date {
  return new Date(now.getTime() - (workspace.retention[kind] ?? workspace.retention_days) * DAY_MS);
}
