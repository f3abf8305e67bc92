import type { Workspace, WorkspacePatch } from "@tidings/contract/workspaces";
import type { Static } from "typebox";

export type WorkspaceRead = Static<typeof Workspace>;

export const kinds = ["deliveries", "events", "activity", "runs", "audit", "content"] as const;
export type Kind = (typeof kinds)[number];
/** The log of changes is kept for a year where nothing else is said. */
const AUDIT_DAYS = 365;
const NIGHT = { timezone_mode: "device", start: "22:00", end: "08:00" } as const;

/** What the form has of the settings; each name is the pointer of its field. */
export function valuesOf(workspace: WorkspaceRead) {
  const { sender_defaults: sender, quiet_defaults: quiet, retention } = workspace;
  return {
    name: workspace.name,
    timezone: workspace.timezone,
    "sender_defaults/email_from": sender.email_from ?? "",
    "sender_defaults/email_reply_to": sender.email_reply_to ?? "",
    "sender_defaults/country": sender.country ?? "",
    allow_in_app: workspace.allow_in_app,
    quiet_defaults: quiet !== null,
    "quiet_defaults/timezone_mode": (quiet ?? NIGHT).timezone_mode,
    "quiet_defaults/start": (quiet ?? NIGHT).start,
    "quiet_defaults/end": (quiet ?? NIGHT).end,
    retention_days: workspace.retention_days as number | string,
    "retention/deliveries": daysOf(retention.deliveries),
    "retention/events": daysOf(retention.events),
    "retention/activity": daysOf(retention.activity),
    "retention/runs": daysOf(retention.runs),
    "retention/audit": daysOf(retention.audit),
    "retention/content": daysOf(retention.content),
  };
}
const daysOf = (days: number | undefined): number | string => days ?? "";
export type SettingsValues = ReturnType<typeof valuesOf>;
export type Name = keyof SettingsValues;

/** Returns the fields below a name that are not empty. */
const below = (values: SettingsValues, name: string) =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([one, value]) => one.startsWith(`${name}/`) && value !== "")
      .map(([one, value]) => [one.slice(name.length + 1), value]),
  );

/** Returns the settings that were typed. Those of one object are sent together, because the service replaces it as a whole. */
export function patchOf(values: SettingsValues, typed: Name[]): WorkspacePatch {
  const names = new Set(typed.map((name) => name.split("/")[0] as keyof WorkspacePatch));
  const bodies = [...names].map((name) => {
    if (name === "quiet_defaults") return [name, values.quiet_defaults ? below(values, name) : null];
    if (name === "retention" || name === "sender_defaults") return [name, below(values, name)];
    return [name, values[name as Name]];
  });
  return Object.fromEntries(bodies);
}

/** For how many days a kind of data is kept by these values. */
export const keptDays = (values: SettingsValues, kind: Kind): number =>
  Number(values[`retention/${kind}`] || (kind === "audit" ? AUDIT_DAYS : values.retention_days));

/** What of a change can't be taken back: the kinds that are kept shorter, and whether in-app messages stop. */
export const consequencesOf = (before: SettingsValues, after: SettingsValues) => ({
  shorter: kinds.filter((kind) => keptDays(after, kind) < keptDays(before, kind)),
  stopsInApp: before.allow_in_app && !after.allow_in_app,
});
