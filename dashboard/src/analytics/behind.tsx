import { Link } from "@tanstack/react-router";
import type { DeliveriesSearch } from "../activity/filters/search.ts";
import { useWorkspace } from "../platform/call/workspace.ts";
import { useFormat } from "../platform/language/format.ts";
import css from "./analytics.module.css";

/** A number that opens the deliveries that it counts. */
export function Behind({ value, of, label }: { value: number; of: DeliveriesSearch | undefined; label: string }) {
  const format = useFormat();
  const { id: workspace } = useWorkspace();
  const written = format.number(value);
  if (value === 0 || !of) return <span className={value === 0 ? "quiet" : ""}>{written}</span>;
  return (
    <Link
      to="/w/$workspace/deliveries"
      params={{ workspace }}
      search={of}
      className={css.behind ?? ""}
      aria-label={`${label}: ${written}`}
    >
      {written}
    </Link>
  );
}
