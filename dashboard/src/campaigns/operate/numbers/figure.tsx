import { Link } from "@tanstack/react-router";
import { useWorkspace } from "../../../platform/call/workspace.ts";
import { useFormat } from "../../../platform/language/format.ts";
import css from "../operate.module.css";
import type { RunFilters } from "../search.ts";

interface FigureProps {
  campaign: string;
  value: number;
  /** The runs that it counts; undefined where there is no list of them. */
  of: RunFilters | undefined;
  label: string;
}

/** A number that opens the list of the runs that it counts. */
export function Figure({ campaign, value, of, label }: FigureProps) {
  const format = useFormat();
  const { id: workspace } = useWorkspace();
  const written = format.number(value);
  if (value === 0 || !of) return <span className={value === 0 ? "quiet" : ""}>{written}</span>;
  return (
    <Link
      to="/w/$workspace/campaigns/$id"
      params={{ workspace, id: campaign }}
      search={{ tab: "runs", ...of }}
      className={css.figure ?? ""}
      aria-label={`${label}: ${written}`}
    >
      {written}
    </Link>
  );
}
