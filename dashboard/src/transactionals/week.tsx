import { useFormat } from "../platform/language/format.ts";
import { useTexts } from "../platform/language/texts.ts";
import { texts } from "./texts.ts";
import css from "./transactionals.module.css";
import { useWeek } from "./use-week.ts";

/** What a transactional sent in a week, and how much of it failed. */
export function Week({ id }: { id: string }) {
  const t = useTexts(texts);
  const format = useFormat();
  const numbers = useWeek(id);
  if (numbers === undefined) return null;
  const { sent = 0, failed = 0 } = numbers ?? {};
  return (
    <span className={`${css.week} numbers`}>
      <span className={sent === 0 ? "quiet" : undefined}>{t("weekSent", { count: sent })}</span>
      {failed > 0 && <span className={css.failed}>{t("weekFailed", { number: format.number(failed) })}</span>}
    </span>
  );
}
