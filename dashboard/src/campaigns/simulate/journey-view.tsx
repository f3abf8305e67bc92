import { useMediaQuery } from "@mantine/hooks";
import { useTexts } from "../../platform/language/texts.ts";
import { Section } from "../../platform/look/parts.tsx";
import type { Draft } from "../campaign-shape.ts";
import { Canvas } from "../canvas/canvas.tsx";
import type { Badges } from "../canvas/context.ts";
import { useNames } from "../editor/names.ts";
import { START, stepKey, stepOfKey } from "../model/items.ts";
import css from "./simulate.module.css";
import { texts } from "./texts.ts";

/** A drawing needs this room; on a phone the list and the table say the same. */
const WIDE = "(min-width: 720px)";

interface JourneyViewProps {
  draft: Draft;
  /** The step that is marked. */
  step: string | null;
  onStep: (step: string | undefined) => void;
  badges?: Badges | undefined;
}

/** The journey as it is drawn in the editor, with one step marked. */
export function JourneyView({ draft, step, onStep, badges }: JourneyViewProps) {
  const t = useTexts(texts);
  const nameOf = useNames();
  const wide = useMediaQuery(WIDE, window.matchMedia(WIDE).matches, { getInitialValueInEffect: false });
  if (!wide) return null;
  return (
    <Section title={t("journey")}>
      <div className={css.canvas}>
        <Canvas
          draft={draft}
          chosen={step === null ? START : stepKey(step)}
          onChoose={(key) => onStep(stepOfKey(key))}
          badges={badges}
          nameOf={nameOf}
        />
      </div>
    </Section>
  );
}
