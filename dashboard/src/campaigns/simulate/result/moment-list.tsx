import { UnstyledButton } from "@mantine/core";
import type { TimelineEntry } from "@tidings/contract/campaigns/simulate";
import type { Step } from "@tidings/contract/campaigns/steps";
import { Fragment, useEffect, useRef } from "react";
import { useFormat, useLocale } from "../../../platform/language/format.ts";
import { useTexts } from "../../../platform/language/texts.ts";
import { Icon } from "../../../platform/look/icons.tsx";
import { useStepNames } from "../../operate/steps.ts";
import css from "../simulate.module.css";
import { texts } from "../texts.ts";
import { entryIcon, entryWords, gapBetween } from "./entry-words.ts";

interface MomentListProps {
  timeline: readonly TimelineEntry[];
  at: number;
  onAt: (at: number) => void;
  steps: Step[];
}

/** All moments below each other, with the time between them. */
export function MomentList({ timeline, at, onAt, steps }: MomentListProps) {
  const t = useTexts(texts);
  const locale = useLocale();
  const format = useFormat();
  const nameOf = useStepNames(steps);
  const several = timeline.some(({ run }) => run !== null && run > 1);
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const [place, row] = [list.current, list.current?.querySelector<HTMLElement>(`[data-moment="${at}"]`)];
    if (!place || !row) return;
    // The list scrolls by itself and not the page.
    const [top, bottom] = [row.offsetTop, row.offsetTop + row.offsetHeight];
    if (top < place.scrollTop) place.scrollTop = top;
    else if (bottom > place.scrollTop + place.clientHeight) place.scrollTop = bottom - place.clientHeight;
  }, [at]);
  return (
    <ol ref={list} className={css.list} aria-label={t("timeline")}>
      {timeline.map((entry, i) => {
        const before = timeline[i - 1];
        const gap = before && gapBetween(before.at, entry.at, locale);
        const where = [
          entry.step_id && nameOf(entry.step_id),
          several && entry.run && t("runNumber", { run: entry.run }),
        ];
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the moments of a time line keep their places
          <Fragment key={i}>
            {(gap || i === 0) && (
              <li className={css.gap}>
                {gap && `${t("gap", { time: gap })} · `}
                <time dateTime={entry.at}>{format.instant(entry.at)}</time>
              </li>
            )}
            <li data-moment={i}>
              <UnstyledButton
                className={css.entry ?? ""}
                aria-current={i === at ? "step" : undefined}
                data-kind={entry.kind}
                onClick={() => onAt(i)}
              >
                <Icon name={entryIcon[entry.kind]} />
                <span className={css.entryText}>
                  <span>{entryWords(entry, t)}</span>
                  <span className="quiet">{where.filter(Boolean).join(" · ")}</span>
                </span>
              </UnstyledButton>
            </li>
          </Fragment>
        );
      })}
    </ol>
  );
}
