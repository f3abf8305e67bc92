import type { Reentry, Trigger } from "@tidings/contract/campaigns/campaigns";
import type { Step } from "@tidings/contract/campaigns/steps";
import { useMemo } from "react";
import { useLocale } from "../../platform/language/format.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { detailOf, reentryOf, titleOf, triggerOf, wayOf } from "./step-words.ts";
import { texts } from "./texts.ts";

/** A Monday. */
const MONDAY = Date.UTC(2024, 0, 1);
const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

export interface Words {
  trigger(trigger: Trigger): string;
  reentry(reentry: Reentry): string;
  title(step: Step): string;
  detail(step: Step): string;
  /** The name of the step's way to continue with this place among its ways. */
  way(step: Step, list: number): string;
}

const unnamed = (): undefined => undefined;

/** Returns the functions that say the parts of a journey in the reader's language. `nameOf` knows the names of what it refers to by id. */
export function useWords(nameOf: (id: string) => string | undefined = unnamed): Words {
  const t = useTexts(texts);
  const locale = useLocale();
  return useMemo(() => {
    const day = new Intl.DateTimeFormat(locale, { weekday: "short", timeZone: "UTC" });
    const dayOf = (name: string) => day.format(MONDAY + DAYS.indexOf(name) * 86_400_000);
    const saying = { t, nameOf, dayOf };
    return {
      trigger: (trigger) => triggerOf(trigger, saying),
      reentry: (reentry) => reentryOf(reentry, saying),
      title: (step) => titleOf(step, saying),
      detail: (step) => detailOf(step, saying),
      way: (step, list) => wayOf(step, list, saying),
    };
  }, [t, locale, nameOf]);
}
