import { Progress as Bar } from "@mantine/core";
import { useFormat } from "../../platform/language/format.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Note } from "../../platform/look/parts.tsx";
import type { Broadcast } from "../broadcast.ts";
import css from "../broadcasts.module.css";
import { texts } from "./texts.ts";

/** How far it is while it is sent or paused. The stream tells it about each second. */
export function Progress({ broadcast: { status, progress } }: { broadcast: Broadcast }) {
  const t = useTexts(texts);
  const format = useFormat();
  const { total, done, people_per_second: pace, seconds_left: left } = progress;
  const paused = status === "paused";
  const parts = [
    total === null ? t("collecting", { count: done }) : t("of", { done, total }),
    pace !== null && t("pace", { pace: format.number(pace) }),
    left !== null && t("left", { time: format.length(left * 1_000) }),
    !paused && total !== null && done < total && pace === null && left === null && t("waiting"),
  ];
  return (
    <div className={css.progress}>
      {paused && <Note tone="warn">{t("isPaused")}</Note>}
      <Bar.Root size={10}>
        <Bar.Section
          value={total ? (done / total) * 100 : 0}
          aria-label={t("progress")}
          {...(paused && { color: "gray" })}
        />
      </Bar.Root>
      <p className={`${css.progressText} numbers`}>{parts.filter(Boolean).join(" · ")}</p>
    </div>
  );
}
