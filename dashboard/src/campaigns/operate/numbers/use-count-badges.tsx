import type { StepCounts } from "@tidings/contract/campaigns/runs";
import { type ReactNode, useCallback } from "react";
import { useRead } from "../../../platform/call/queries.ts";
import { useFormat } from "../../../platform/language/format.ts";
import { useTexts } from "../../../platform/language/texts.ts";
import type { Campaign } from "../../campaign-shape.ts";
import css from "../operate.module.css";
import { METRICS_MS, type Metrics } from "./numbers.tsx";
import { texts } from "./texts.ts";

export type Badges = (stepId: string) => ReactNode;
const shown = ["entered", "waiting", "failed"] as const;

/** Returns what stands in the box of a step: how many runs reached it, are there now, and failed there. */
export function useBadgesOf(counts: Record<string, StepCounts> | undefined): Badges | undefined {
  const t = useTexts(texts);
  const format = useFormat();
  const badges = useCallback(
    (id: string) => {
      const own = counts?.[id];
      if (!own || own.entered === 0) return null;
      return shown
        .filter((name) => name === "entered" || own[name] > 0)
        .map((name) => (
          <span key={name} className={css.badge} data-figure={name}>
            <span className="quiet">{t(name)}</span> <strong className="numbers">{format.number(own[name])}</strong>
          </span>
        ));
    },
    [counts, t, format],
  );
  return counts && badges;
}

/** The same with the numbers of now, once people enter. */
export function useCountBadges({ id, published }: Campaign): Badges | undefined {
  const metrics = useRead<Metrics>(
    `/campaigns/${id}/metrics`,
    {},
    { enabled: published !== null, everyMs: METRICS_MS },
  );
  return useBadgesOf(metrics.data?.steps);
}
