import { ActionIcon } from "@mantine/core";
import type { TimelineEntry } from "@tidings/contract/campaigns/simulate";
import { useMemo } from "react";
import { useKeys } from "../../../platform/keys.ts";
import { useFormat } from "../../../platform/language/format.ts";
import { useTexts } from "../../../platform/language/texts.ts";
import { Icon } from "../../../platform/look/icons.tsx";
import css from "../simulate.module.css";
import { texts } from "../texts.ts";
import { entryWords } from "./entry-words.ts";

interface ScrubberProps {
  timeline: readonly TimelineEntry[];
  at: number;
  onAt: (at: number) => void;
}

/** Goes along the time line: by the slider, by two buttons, or by the arrow keys anywhere on the page. */
export function Scrubber({ timeline, at, onAt }: ScrubberProps) {
  const t = useTexts(texts);
  const format = useFormat();
  const last = timeline.length - 1;
  const keys = useMemo(() => {
    const go = (by: number) => () => onAt(Math.min(Math.max(at + by, 0), last));
    return Object.fromEntries([
      ["ArrowLeft", go(-1)],
      ["ArrowRight", go(1)],
    ]);
  }, [at, last, onAt]);
  useKeys(keys);
  const entry = timeline[at] as TimelineEntry;
  return (
    <div className={css.scrubber}>
      <ActionIcon
        variant="default"
        size={32}
        aria-label={t("earlier")}
        disabled={at === 0}
        onClick={() => onAt(at - 1)}
      >
        <Icon name="left" />
      </ActionIcon>
      <input
        type="range"
        className={css.slider}
        aria-label={t("timeline")}
        min={0}
        max={last}
        value={at}
        aria-valuetext={`${t("moment", { at: at + 1, count: timeline.length })}: ${format.instant(entry.at)}, ${entryWords(entry, t)}`}
        onChange={({ currentTarget }) => onAt(currentTarget.valueAsNumber)}
      />
      <ActionIcon
        variant="default"
        size={32}
        aria-label={t("later")}
        disabled={at === last}
        onClick={() => onAt(at + 1)}
      >
        <Icon name="right" />
      </ActionIcon>
      <span className={css.scrubberText}>
        <strong className="numbers">{format.instant(entry.at)}</strong>{" "}
        <span className="quiet">
          {t("moment", { at: at + 1, count: timeline.length })}. {t("keys")}
        </span>
      </span>
    </div>
  );
}
