import type { Channel } from "@tidings/contract/facts/activity";
import type { Breakdown, BreakdownRow } from "@tidings/contract/facts/analytics";
import { useMemo } from "react";
import type { Static } from "typebox";
import { wholeOf } from "../analytics/metrics.ts";
import { useRead } from "../platform/call/queries.ts";
import { useFormat } from "../platform/language/format.ts";
import { useTexts } from "../platform/language/texts.ts";
import css from "./broadcasts.module.css";
import { texts } from "./texts.ts";

type Row = Static<typeof BreakdownRow>;

/** The newest broadcasts whose numbers the list shows; the page of each has its own. */
const MOST = 200;

/** Reads what became of the newest broadcasts, by their ids. */
export function useFigures(): ReadonlyMap<string, Row> {
  const { data } = useRead<Breakdown>("/analytics/metrics", { source: "broadcast", by: "source_id", limit: MOST });
  return useMemo(() => new Map((data?.data ?? []).map((row) => [row.source_id ?? "", row])), [data]);
}

/** How many got it, and which part of those it reached clicked. Nothing before it was sent. */
export function Figures({ of, channel }: { of: Row | undefined; channel: Channel }) {
  const t = useTexts(texts);
  const format = useFormat();
  if (!of || of.sent === 0) return null;
  const reached = of[wholeOf("clicked", channel) ?? "sent"];
  const clicked = reached > 0 && of.clicked > 0 ? format.percent(of.clicked / reached) : undefined;
  return (
    <span className={`${css.figures} quiet numbers`}>
      {clicked ? t("figures", { sent: of.sent, clicked }) : t("figuresPlain", { sent: of.sent })}
    </span>
  );
}
