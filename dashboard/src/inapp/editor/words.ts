import { useTexts } from "../../platform/language/texts.ts";
import { renderTypeTexts } from "../message.ts";
import type { Length } from "../rules/length.ts";
import { texts as ruleTexts } from "../rules/texts.ts";
import { texts as own } from "./texts.ts";
import { actions, type Name } from "./values.ts";

const texts = { ...ruleTexts, ...renderTypeTexts, ...own };

/** Says the fields of the editor and their values in words, where somebody else changed them meanwhile. */
export function useWords(): {
  labels: Record<Name, string>;
  say: (name: Name, value: unknown) => string | undefined;
} {
  const t = useTexts(texts);
  const quiet = t("quiet");
  const labels: Record<Name, string> = {
    name: t("name"),
    render_type: t("kind"),
    title: t("title"),
    body: t("body"),
    image_url: t("image"),
    "cta/action": t("cta"),
    "cta/label": t("ctaLabel"),
    "cta/value": `${t("cta")}: ${t("value_deep_link")}`,
    priority: t("priority"),
    expiry: t("expiry"),
    "screens/include": t("include"),
    "screens/exclude": t("exclude"),
    "quiet_hours/enabled": quiet,
    "quiet_hours/timezone_mode": `${quiet}: ${t("zone")}`,
    "quiet_hours/start": `${quiet}: ${t("start")}`,
    "quiet_hours/end": `${quiet}: ${t("end")}`,
    "persistence/mode": t("persistence"),
    "persistence/per": t("per"),
    "persistence/max_impressions": t("max"),
    "persistence/min_interval": t("interval"),
  };
  const lengthOf = ({ amount, unit }: Length) => t(`n_${unit}`, { count: Number(amount) });
  const say = (name: Name, value: unknown): string | undefined => {
    if (name === "expiry") return value ? lengthOf(value as Length) : t("never");
    if (name === "persistence/min_interval") return value ? lengthOf(value as Length) : t("noInterval");
    if (name === "persistence/per") return t(value === "delivery" ? "per_delivery" : "per_person");
    if (name === "cta/action") return t(actions.find((one) => one === value) ?? "noCta");
    if (name === "render_type" || name === "persistence/mode") return t(value as keyof typeof texts);
    return undefined;
  };
  return { labels, say };
}
