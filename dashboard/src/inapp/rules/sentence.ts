import type { Say } from "../../platform/language/texts.ts";
import type { Persistence } from "./persistence-field.tsx";
import type { texts } from "./texts.ts";

/** Sums up in words how often a message shows. */
export function sentenceOf(value: Persistence, t: Say<typeof texts>): string {
  const { mode, per, max_impressions: most, min_interval: pause } = value;
  const limited = most !== "";
  const count = Number(most);
  // A delivery of a one-time message shows once, whatever its limit says; the limit counts over several deliveries only.
  const shared = per === "person" && (limited || pause !== null);
  const often =
    mode === "one_time"
      ? shared && limited
        ? t("sumOnceMore", { count })
        : t("sumOnce")
      : limited
        ? t("sumUntilMost", { count })
        : t("sumUntil");
  const between = pause && pause.amount !== "" && (mode !== "one_time" || shared);
  return [
    often,
    between && t("sumPause", { length: t(`n_${pause.unit}`, { count: Number(pause.amount) }) }),
    shared ? t("sumPerson") : (limited || pause) && mode !== "one_time" && t("sumDelivery"),
  ]
    .filter(Boolean)
    .join(" ");
}
