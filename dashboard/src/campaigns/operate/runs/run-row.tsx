import { Link } from "@tanstack/react-router";
import type { Run } from "@tidings/contract/campaigns/campaigns";
import { RunBadge, RunPlace } from "../../../people/runs/run-state.tsx";
import { useWorkspace } from "../../../platform/call/workspace.ts";
import { useTexts } from "../../../platform/language/texts.ts";
import { Lines } from "../../../platform/look/parts.tsx";
import css from "../operate.module.css";
import type { RunFilters } from "../search.ts";
import { texts } from "./texts.ts";

/** A link to the history of a run. */
export function RunRow({ run, filters }: { run: Run; filters: RunFilters }) {
  const t = useTexts(texts);
  const { id: workspace } = useWorkspace();
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
          <RunPlace run={run} />
        </span>
      </Lines>
      <RunBadge status={run.status} />
    </Link>
  );
}
