import type { Channel } from "@tidings/contract/facts/activity";
import { wholeOf } from "../analytics/metrics.ts";
import { useSourceNumbers } from "../analytics/source-numbers.ts";
import { useFormat } from "../platform/language/format.ts";
import { useTexts } from "../platform/language/texts.ts";
import css from "./broadcasts.module.css";
import { texts } from "./texts.ts";

/** How many got it, and which part of those it reached clicked. Nothing before it was sent. */
export function Figures({ id, channel }: { id: string; channel: Channel }) {
  const t = useTexts(texts);
  const format = useFormat();
  const of = useSourceNumbers(id);
  if (!of || of.sent === 0) return null;
  const reached = of[wholeOf("clicked", channel, of) ?? "sent"];
  const clicked = reached > 0 && of.clicked > 0 ? format.percent(of.clicked / reached) : undefined;
  return (
    <span className={`${css.figures} quiet numbers`}>
      {clicked ? t("figures", { sent: of.sent, clicked }) : t("figuresPlain", { sent: of.sent })}
    </span>
  );
}
