import { UnstyledButton } from "@mantine/core";
import { useTexts } from "../../platform/language/texts.ts";
import { Icon } from "../../platform/look/icons.tsx";
import { Section } from "../../platform/look/parts.tsx";
import { START, stepKey } from "../model/items.ts";
import type { Problem } from "../model/problems.ts";
import { stepById } from "../model/tree.ts";
import { useWords } from "../words/use-words.ts";
import css from "./editor.module.css";
import { problemTexts } from "../words/problem-texts.ts";
import { sentenceOf } from "../words/problem-words.ts";
import { texts } from "./texts.ts";
import type { Editor } from "./use-editor.ts";

/** All that is wrong, each a button that goes to its step. */
export function ProblemList({ problems, editor }: { problems: Problem[]; editor: Editor }) {
  const t = useTexts(texts);
  const say = useTexts(problemTexts);
  const words = useWords();
  if (problems.length === 0) return null;
  const { steps } = editor.draft.values;
  const titleOf = (id: string | null) => {
    const step = id === null ? undefined : stepById(steps, id);
    return step ? `${words.title(step)} (${step.id})` : t("wholeCampaign");
  };
  return (
    <Section title={t("problems", { count: problems.length })}>
      <ul className={css.problems}>
        {problems.map((problem) => (
          <li key={`${problem.stepId} ${problem.field} ${problem.code}`}>
            <UnstyledButton
              className={css.problem ?? ""}
              onClick={() => {
                editor.choose(problem.stepId === null ? START : stepKey(problem.stepId));
                editor.setOpen(true);
                editor.focusChosen();
              }}
            >
              <Icon name="warn" size={14} />
              <span>
                <strong>{titleOf(problem.stepId)}</strong>
                {": "}
                {sentenceOf(problem, say)}
              </span>
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </Section>
  );
}
