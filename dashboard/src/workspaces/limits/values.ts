import type { TimeWindow } from "@tidings/contract/hours";
import type { InAppCap, MarketingLimits, WorkspacePatch } from "@tidings/contract/workspaces";
import type { WorkspaceRead } from "../settings/values.ts";

export const channels = ["email", "push", "sms", "in_app"] as const;
export const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export const rates = ["ingestion", "triggers", "in_app", "product", "new_people_per_hour"] as const;
export const units = ["minutes", "hours", "days"] as const;
/** `same`: the window over all channels, which for in-app messages means none. */
export type WindowMode = "same" | "own" | "none";

/** A limit as it is typed; nothing typed is no limit. */
export type Typed = number | string;
/** What is typed of the limits over all channels, or of one channel. */
export interface LimitValues {
  per_day: Typed;
  per_week: Typed;
  mode: WindowMode;
  from: string;
  to: string;
  days: string[];
}
export type LimitsValues = {
  all: LimitValues;
  email: LimitValues;
  push: LimitValues;
  sms: LimitValues;
  in_app: LimitValues;
  cap_per_day: Typed;
  cap_amount: Typed;
  cap_unit: string;
} & Record<`rate_limits/${(typeof rates)[number]}`, Typed>;

type Own = { per_day?: number; per_week?: number; window?: TimeWindow | null };
const limitOf = (own: Own = {}): LimitValues => ({
  per_day: own.per_day ?? "",
  per_week: own.per_week ?? "",
  mode: own.window === null ? "none" : own.window ? "own" : "same",
  from: own.window?.from ?? "",
  to: own.window?.to ?? "",
  days: own.window?.days ?? [],
});

/** What the form has of the settings. */
export function valuesOf({ marketing_limits: limits, in_app_cap: cap, rate_limits }: WorkspaceRead): LimitsValues {
  const each = Object.fromEntries(channels.map((name) => [name, limitOf(limits.channels?.[name] as Own)]));
  const rate = Object.fromEntries(rates.map((name) => [`rate_limits/${name}`, rate_limits[name] ?? ""]));
  return {
    all: limitOf(limits as Own),
    ...each,
    cap_per_day: cap?.max_per_day ?? "",
    cap_amount: cap?.min_interval?.amount ?? "",
    cap_unit: cap?.min_interval?.unit ?? "hours",
    ...rate,
  } as LimitsValues;
}

/** Returns those of the fields in which something is typed. */
const given = (fields: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== "" && !(Array.isArray(value) && value.length === 0)),
  );

function limitsBody({ per_day, per_week, mode, from, to, days }: LimitValues) {
  const window = mode === "own" ? { window: given({ from, to, days }) } : mode === "none" ? { window: null } : {};
  return { ...given({ per_day, per_week }), ...window };
}

export function patchOf(values: LimitsValues, typed: (keyof LimitsValues)[]): WorkspacePatch {
  const named = (test: (name: string) => boolean) => typed.some((name) => test(name));
  const patch: WorkspacePatch = {};
  if (named((name) => name === "all" || channels.some((channel) => channel === name))) {
    const own = channels.map((name) => [name, limitsBody(values[name])] as const);
    const used = own.filter(([, body]) => Object.keys(body).length > 0);
    const each = used.length > 0 ? { channels: Object.fromEntries(used) } : {};
    patch.marketing_limits = { ...limitsBody(values.all), ...each } as MarketingLimits;
  }
  if (named((name) => name.startsWith("cap_"))) {
    const { cap_per_day, cap_amount: amount, cap_unit: unit } = values;
    const cap = { ...given({ max_per_day: cap_per_day }), ...(amount !== "" && { min_interval: { amount, unit } }) };
    patch.in_app_cap = Object.keys(cap).length > 0 ? (cap as InAppCap) : null;
  }
  if (named((name) => name.startsWith("rate_limits/")))
    patch.rate_limits = given(Object.fromEntries(rates.map((name) => [name, values[`rate_limits/${name}`]])));
  return patch;
}

/** Returns the field of the form for a pointer of the service: the form has fields that do not stand for one of the body. */
export function fieldOf(pointer: string): string {
  const [, channel = "all"] = /^\/marketing_limits\/channels\/(\w+)/.exec(pointer) ?? [];
  if (pointer.startsWith("/marketing_limits")) return channel;
  if (pointer.startsWith("/in_app_cap/max_per_day")) return "cap_per_day";
  if (pointer.startsWith("/in_app_cap")) return "cap_amount";
  return pointer.slice(1);
}
