import type { TimelineEntry } from "@tidings/contract/campaigns/simulate";
import type { Format } from "../../../platform/language/format.ts";
import type { Say } from "../../../platform/language/texts.ts";
import type { IconName } from "../../../platform/look/icons.tsx";
import type { texts } from "../texts.ts";

export const entryIcon: Record<TimelineEntry["kind"], IconName> = {
  event: "pulse",
  entered: "play",
  not_entered: "refused",
  step: "right",
  wait: "clock",
  verdict: "route",
  message: "send",
  outcome: "bell",
  goal: "check",
  ended: "out",
};

const reasonOf = (reason: string | null): string => (reason ?? "").replaceAll("_", " ");

/** A step ends the run with these reasons, and with others it fails. */
const ENDINGS = ["exit", "throttled", "batched"];

/** Returns what happens at a moment, in the reader's language. */
export function entryWords(entry: TimelineEntry, t: Say<typeof texts>): string {
  const { kind, reason, way, message, event, held_by: heldBy } = entry;
  switch (kind) {
    case "event":
      return t("does", { event: event?.eventName ?? "" });
    case "entered":
    case "not_entered":
    case "goal":
      return t(kind);
    case "wait":
      return heldBy ? t(`held_${heldBy}`) : t("waits");
    case "message":
      if (message?.status === "held_out") return t("heldOut");
      if (message?.status === "failed") return t("getsNot", { reason: reasonOf(reason) });
      return t("gets", { channel: message ? t(message.channel) : "" });
    case "verdict":
      if (way === null) return t("goesOn");
      return t("takes", { way: way === "then" || way === "else" ? t(`way_${way}`) : way });
    case "step":
      if (reason === null) return t("goesOn");
      return ENDINGS.includes(reason) ? t("endedBy") : t("stepFails", { reason: reasonOf(reason) });
    case "outcome":
      return t(`outcome_${reason}` as "outcome_seen");
    case "ended":
      return t(reason === null ? "ended" : "endedBy");
  }
}

/** Returns what else is to be said of a moment: why, or until when. */
export function entryDetail(entry: TimelineEntry, { t, format }: { t: Say<typeof texts>; format: Format }): string {
  const { kind, reason, next_at: next } = entry;
  if (kind === "wait") return next ? t("waitsUntil", { time: format.instant(next) }) : "";
  if (kind === "not_entered")
    return reason === "already_entered" || reason === "event_too_old" || reason === "where"
      ? t(`not_${reason}`)
      : reasonOf(reason);
  return "";
}

const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
] as const;

/** Returns the time between two moments in its largest unit, such as "3 days"; undefined where it is less than a second. */
export function gapBetween(from: string, to: string, locale: string): string | undefined {
  const ms = Date.parse(to) - Date.parse(from);
  const found = UNITS.find(([, size]) => ms >= size);
  if (!found) return undefined;
  const [unit, size] = found;
  return new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long", maximumFractionDigits: 1 }).format(
    Math.round((ms / size) * 10) / 10,
  );
}
