import type { RunCounts } from "@tidings/contract/campaigns/runs";
import { useTexts } from "../../../platform/language/texts.ts";
import css from "../operate.module.css";
import type { RunFilters } from "../search.ts";
import { Figure } from "./figure.tsx";
import { texts } from "./texts.ts";

const filters = {
  entered: {},
  active: { status: "active" },
  completed: { status: "completed" },
  exited: { status: "exited" },
  failed: { status: "failed" },
  canceled: { status: "canceled" },
  converted: { converted: true },
} as const satisfies Record<keyof RunCounts, RunFilters>;

/** The numbers of the whole campaign. */
export function Totals({ campaign, runs }: { campaign: string; runs: RunCounts }) {
  const t = useTexts(texts);
  const names = Object.keys(filters) as (keyof RunCounts)[];
  return (
    <dl className={css.totals} aria-label={t("runs")}>
      {names
        .filter((name) => runs[name] !== undefined)
        .map((name) => (
          <div key={name} className={css.total}>
            <dt>{t(name)}</dt>
            <dd className="numbers">
              <Figure campaign={campaign} value={runs[name] ?? 0} of={filters[name]} label={t(name)} />
            </dd>
          </div>
        ))}
    </dl>
  );
}
