import { listsOf } from "@tidings/contract/campaigns/journey";
import type { Step } from "@tidings/contract/campaigns/steps";
import { useTexts } from "../../platform/language/texts.ts";
import type { TabProps } from "../tabs.tsx";
import { useWords, type Words } from "../words/use-words.ts";
import { texts } from "./texts.ts";

/** The journey. */
export function Journey({ draft: { values } }: TabProps) {
  const t = useTexts(texts);
  const words = useWords();
  return (
    <>
      <p>
        {words.trigger(values.trigger)} · {words.reentry(values.reentry)}
      </p>
      {values.steps.length === 0 ? <p className="quiet">{t("noSteps")}</p> : <Steps of={values.steps} words={words} />}
    </>
  );
}

function Steps({ of, words }: { of: Step[]; words: Words }) {
  return (
    <ol>
      {of.map((step) => (
        <li key={step.id}>
          {words.title(step)}: {words.detail(step)}
          {listsOf(step, "").map(({ name, steps }, i) => (
            <div key={name}>
              {words.way(step, i)}
              <Steps of={steps} words={words} />
            </div>
          ))}
        </li>
      ))}
    </ol>
  );
}
