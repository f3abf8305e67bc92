import { Link } from "@tanstack/react-router";
import type { Run } from "@tidings/contract/campaigns/campaigns";
import { useWorkspace } from "../../../platform/call/workspace.ts";
import { useFormat } from "../../../platform/language/format.ts";
import { useTexts } from "../../../platform/language/texts.ts";
import { Badge, Lines } from "../../../platform/look/parts.tsx";
import css from "../operate.module.css";
import { type RunFilters, runTone } from "../search.ts";
import { texts } from "./texts.ts";

/** A link to the history of a run. */
export function RunRow({ run, filters }: { run: Run; filters: RunFilters }) {
  const t = useTexts(texts);
  const format = useFormat();
  const { id: workspace } = useWorkspace();
  const { status, step_id: step, due_at: due, entered_at: entered, ended_at: ended } = run;
  const now =
    status === "active" && step
      ? due
        ? t("atStepUntil", { step, time: format.ago(due) })
        : t("atStep", { step })
      : ended && t("ended", { time: format.ago(ended) });
  return (
    <Link
      to="/w/$workspace/campaigns/$id"
      params={{ workspace, id: run.campaign_id }}
      search={{ tab: "runs", ...filters, run: run.id }}
      className={css.row ?? ""}
      preload={false}
    >
      <Lines>
        <span className="cut">{run.person_id ?? t("erased")}</span>
        <span className="quiet cut">
          {t("entered", { time: format.ago(entered) })}
          {now && ` · ${now}`}
        </span>
      </Lines>
      <Badge tone={runTone[status]}>{t(status)}</Badge>
    </Link>
  );
}
