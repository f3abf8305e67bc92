import type { Retention } from "@tidings/contract/workspaces";

/** The kinds of data with a retention of their own. */
type Kind = keyof Retention;

const DAY_MS = 86_400_000;

/** Who did what is asked months later, also where messages are kept for days. */
const AUDIT_DAYS = 365;

/** Returns the time since which data of a kind is kept: the kind's own days, or else the workspace's `retention_days` (the log of changes: a year). */
export function keptSince(workspace: { retention_days: number; retention: Retention }, kind: Kind, now: Date): Date {
  const days = workspace.retention[kind] ?? (kind === "audit" ? AUDIT_DAYS : workspace.retention_days);
  return new Date(now.getTime() - days * DAY_MS);
}
