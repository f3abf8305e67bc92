import type { Gate, GateFacts } from "@tidings/contract/inapp/explain";
import { texts as activityTexts } from "../../activity/texts.ts";
import { useFormat } from "../../platform/language/format.ts";
import { type Say, useTexts } from "../../platform/language/texts.ts";
import { gateTexts } from "./texts.ts";

interface GateDetailProps {
  of: { gate: Gate; detail: string; facts?: GateFacts | undefined; pass?: boolean };
}

const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** What a gate looked at, in the member's language. What an older version of the service noted has English words only. */
export function GateDetail({ of }: GateDetailProps) {
  const format = useFormat();
  const words = useGateWords();
  const said = words(of);
  return said === undefined ? (
    <span lang="en">{of.detail.replaceAll(INSTANT, (iso) => format.instant(iso))}</span>
  ) : (
    <span>{said}</span>
  );
}

function useGateWords(): (of: GateDetailProps["of"]) => string | undefined {
  const t = useTexts(gateTexts);
  const status = useTexts(activityTexts);
  const format = useFormat();
  const until = (facts: GateFacts, none: "noPause" | "room", some: "rests" | "capped") =>
    facts.until ? t(some, { time: format.instant(facts.until) }) : t(none);
  return ({ gate, facts, pass = false }) => {
    if (!facts) return undefined;
    if (gate === "screen") return facts.include && screenWords(t, facts);
    if (gate === "interval") return until(facts, "noPause", "rests");
    if (gate === "cap") return facts.exempt ? t("exempt") : until(facts, "room", "capped");
    if (gate === "expiry")
      return facts.expires_at ? t("expires", { time: format.instant(facts.expires_at) }) : t("neverExpires");
    if (gate === "quiet_hours") {
      const { clock, ...times } = facts.quiet ?? {};
      return clock ? t(`quiet_${clock}`, times) : t("noQuiet");
    }
    if (gate === "impressions") {
      const { impressions: count = 0, max_impressions: most } = facts;
      return most ? t("shownOf", { count, most }) + (pass ? "" : t("overAll")) : t("shownAny", { count });
    }
    const { status: is } = facts;
    if (is === undefined || !(is in activityTexts)) return undefined;
    const said = status(is as keyof typeof activityTexts);
    return pass ? said : t("over", { status: said });
  };
}

function screenWords(t: Say<typeof gateTexts>, { screen, include = [], exclude = [], nearly = [] }: GateFacts): string {
  const names = (list: string[]) => ({ names: list.join(", ") });
  return [
    screen ? t("onScreen", { screen }) : t("noScreen"),
    "; ",
    include.length === 0 ? t("allScreens") : t("onlyScreens", names(include)),
    exclude.length === 0 ? "" : t("except", names(exclude)),
    nearly.length === 0 ? "" : t("nearly", names(nearly)),
  ].join("");
}
