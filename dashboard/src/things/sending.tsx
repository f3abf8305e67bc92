import { Progress } from "@mantine/core";
import { useFormat } from "../platform/language/format.ts";
import { useTexts } from "../platform/language/texts.ts";
import type { Thing } from "./kinds.ts";
import { texts } from "./texts.ts";
import css from "./things.module.css";

interface Progressing {
  total: number | null;
  done: number;
  people_per_second: number | null;
  seconds_left: number | null;
}

/** How far a broadcast is, while it is sent or held. */
export function Sending({ thing }: { thing: Thing }) {
  const t = useTexts(texts);
  const format = useFormat();
  const { total, done, people_per_second: pace, seconds_left: left } = thing.progress as Progressing;
  if (thing.status !== "sending" && thing.status !== "paused") return null;
  const parts = [
    total === null ? t("soFar", { done }) : t("of", { done, total }),
    pace !== null && t("pace", { pace: format.number(pace) }),
    left !== null && t("left", { time: format.length(left * 1_000) }),
  ];
  return (
    <div className={css.sending}>
      <Progress.Root size={8}>
        <Progress.Section
          value={total ? (done / total) * 100 : 0}
          aria-label={t("progress")}
          {...(thing.status === "paused" && { color: "gray" })}
        />
      </Progress.Root>
      <div className="quiet numbers">{parts.filter(Boolean).join(" · ")}</div>
    </div>
  );
}
