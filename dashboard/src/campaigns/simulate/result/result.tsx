import type { Simulation } from "@tidings/contract/campaigns/simulate";
import { useEffect, useState } from "react";
import type { Static } from "typebox";
import { useTexts } from "../../../platform/language/texts.ts";
import { Note } from "../../../platform/look/parts.tsx";
import { Empty } from "../../../platform/states/states.tsx";
import type { Draft } from "../../campaign-shape.ts";
import { JourneyView } from "../journey-view.tsx";
import css from "../simulate.module.css";
import { texts } from "../texts.ts";
import { Moment } from "./moment.tsx";
import { MomentList } from "./moment-list.tsx";
import { Scrubber } from "./scrubber.tsx";

/** The time line of a simulation: a slider and keys go from moment to moment, and beside it is what happens then. */
export function Result({
  simulation: { timeline, stopped },
  draft,
}: {
  simulation: Static<typeof Simulation>;
  draft: Draft;
}) {
  const t = useTexts(texts);
  const [at, setAt] = useState(0);
  // Another simulation begins at its beginning.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another time line is a reason
  useEffect(() => setAt(0), [timeline]);
  const shown = Math.min(at, timeline.length - 1);
  const entry = timeline[shown];
  if (!entry)
    return (
      <Empty icon="clock" title={t("emptyLine")}>
        {t("emptyLineBody")}
      </Empty>
    );
  return (
    <div className={css.result}>
      <Scrubber timeline={timeline} at={shown} onAt={setAt} />
      <div className={css.moments}>
        <MomentList timeline={timeline} at={shown} onAt={setAt} steps={draft.steps} />
        <Moment entry={entry} steps={draft.steps} />
      </div>
      <JourneyView
        draft={draft}
        step={entry.step_id}
        onStep={(step) => {
          const found = timeline.findIndex(({ step_id }) => step_id === (step ?? null));
          if (found >= 0) setAt(found);
        }}
      />
      {stopped && <Note tone="warn">{t(`stopped_${stopped}`)}</Note>}
    </div>
  );
}
