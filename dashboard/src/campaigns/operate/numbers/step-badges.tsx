import { Link } from "@tanstack/react-router";
import type { StepCounts } from "@tidings/contract/campaigns/runs";
import { useCallback } from "react";
import { useRead } from "../../../platform/call/queries.ts";
import { useWorkspace } from "../../../platform/call/workspace.ts";
import { useFormat } from "../../../platform/language/format.ts";
import { useTexts } from "../../../platform/language/texts.ts";
import type { Campaign } from "../../campaign-shape.ts";
import type { Badges } from "../../canvas/context.ts";
import css from "../operate.module.css";
import { METRICS_MS, type Metrics } from "./numbers.tsx";
import { runsOfStep } from "./step-table.tsx";
import { texts } from "./texts.ts";

const figures = ["entered", "waiting", "failed"] as const;

interface BadgeProps {
  step: string;
  figure: (typeof figures)[number];
  value: number;
  /** The campaign whose runs it opens; a replay has none. */
  campaign: string | undefined;
  /** Whether Tab reaches it. */
  reached: boolean;
}

/** A number of a step, which opens the people that it counts. */
function Badge({ step, figure, value, campaign, reached }: BadgeProps) {
  const t = useTexts(texts);
  const format = useFormat();
  const { id: workspace } = useWorkspace();
  const said = (
    <>
      <span className="quiet">{t(figure)}</span> <strong className="numbers">{format.number(value)}</strong>
    </>
  );
  if (campaign === undefined)
    return (
      <span className={css.badge} data-figure={figure}>
        {said}
      </span>
    );
  return (
    <Link
      to="/w/$workspace/campaigns/$id"
      params={{ workspace, id: campaign }}
      search={{ tab: "runs", ...runsOfStep(step, figure) }}
      className={css.badge ?? ""}
      data-figure={figure}
      aria-label={`${step}, ${t(figure)} ${format.number(value)}`}
      title={t("openPeople")}
      tabIndex={reached ? 0 : -1}
      // The row around it opens the form of its step.
      onClick={(event) => event.stopPropagation()}
    >
      {said}
    </Link>
  );
}

/** Returns what stands at a step: how many runs reached it, are there now, and failed there; with a campaign each opens its people. */
export function useBadgesOf(counts: Record<string, StepCounts> | undefined, campaign?: string): Badges | undefined {
  const t = useTexts(texts);
  const format = useFormat();
  const badges = useCallback<Badges>(
    (step, reached) => {
      const own = counts?.[step];
      if (!own || own.entered === 0) return undefined;
      const shown = figures.filter((figure) => figure === "entered" || own[figure] > 0);
      return {
        said: shown.map((figure) => `${t(figure)} ${format.number(own[figure])}`).join(" "),
        // With spaces between them, as they are said.
        shown: shown.flatMap((figure) => [
          <Badge key={figure} {...{ step, figure, campaign, reached }} value={own[figure]} />,
          " ",
        ]),
      };
    },
    [counts, campaign, t, format],
  );
  return counts && badges;
}

/** Returns the badges with the numbers of now, once people enter. */
export function useCountBadges({ id, published }: Campaign): Badges | undefined {
  const metrics = useRead<Metrics>(
    `/campaigns/${id}/metrics`,
    {},
    { enabled: published !== null, everyMs: METRICS_MS },
  );
  return useBadgesOf(metrics.data?.steps, id);
}
