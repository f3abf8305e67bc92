import { Progress as Bar } from "@mantine/core";
import { useFormat } from "../../platform/language/format.ts";
import { useTexts } from "../../platform/language/texts.ts";
import type { Campaign } from "../campaign-shape.ts";
import css from "../campaign.module.css";
import { texts } from "../texts.ts";

/** How far the people inside are after an activation that moves or ends them, and after an archive. The stream tells it each second. */
export function Progress({ of }: { of: NonNullable<Campaign["progress"]> }) {
  const t = useTexts(texts);
  const format = useFormat();
  const { kind, total, done, seconds_left: left } = of;
  const text = t(kind, { done, total });
  return (
    <div className={css.progress}>
      <Bar.Root size={8}>
        <Bar.Section value={total === 0 ? 0 : (done / total) * 100} aria-label={text} />
      </Bar.Root>
      <p className="quiet numbers">
        {[text, left !== null && t("left", { time: format.length(left * 1_000) })].filter(Boolean).join(" · ")}
      </p>
    </div>
  );
}
