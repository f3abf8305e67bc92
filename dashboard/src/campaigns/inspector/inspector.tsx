import { Stack } from "@mantine/core";
import type { Step, StepType } from "@tidings/contract/campaigns/steps";
import { memo, type ReactNode } from "react";
import { useTexts } from "../../platform/language/texts.ts";
import { Icon } from "../../platform/look/icons.tsx";
import { Note } from "../../platform/look/parts.tsx";
import type { Campaign } from "../campaign-shape.ts";
import { iconOf } from "../canvas/icons.ts";
import { problemTexts } from "../words/problem-texts.ts";
import { sentenceOf } from "../words/problem-words.ts";
import { type ChosenEdit, chosenStep } from "../editor/use-editor.ts";
import { type Problems, useErrorOf } from "../editor/use-problems.ts";
import { useWords } from "../words/use-words.ts";
import { type Part, type StepFormProps, withFields } from "./form.ts";
import { ListForm, StartForm, UpdateForm, WebhookForm } from "./forms/actions.tsx";
import { BranchForm } from "./forms/branch.tsx";
import { MessageForm } from "./forms/message.tsx";
import { WaitForm, WaitUntilForm, WaitWindowForm } from "./forms/waits.tsx";
import { BatchForm, SplitForm, ThrottleForm } from "./forms/ways.tsx";
import { IdField } from "./id-field.tsx";
import css from "./inspector.module.css";
import { texts } from "./texts.ts";
import { TriggerForm } from "./trigger-form.tsx";
import { triggerTexts } from "./trigger-texts.ts";

interface InspectorProps {
  editor: ChosenEdit;
  campaign: Campaign;
  problems: Problems;
  nameOf: (id: string) => string | undefined;
}

/** The form of what is chosen in the journey. It is long: it is drawn again only if something of it has changed. */
export const Inspector = memo(function Inspector({ editor, campaign, problems, nameOf }: InspectorProps) {
  const t = useTexts(texts);
  const say = useTexts(triggerTexts);
  const step = chosenStep(editor);
  const words = useWords(nameOf);
  const own = problems.of(step?.id ?? null);
  return (
    <div className={css.inspector}>
      <h2 className={css.title}>
        <Icon name={step ? iconOf(step) : "play"} />
        {step ? words.title(step) : say("who")}
      </h2>
      {editor.draft.off && <Note tone="plain">{t(campaign.status === "archived" ? "isArchived" : "onlyRead")}</Note>}
      <Problematic problems={own} />
      <Stack gap="md">
        {step ? (
          <StepForm key={step.id} step={step} editor={editor} campaign={campaign} problems={problems} />
        ) : (
          <Start editor={editor} problems={problems} />
        )}
      </Stack>
    </div>
  );
});

/** The problems that no field of the form shows: of the whole step. */
function Problematic({ problems }: { problems: ReturnType<Problems["of"]> }) {
  const say = useTexts(problemTexts);
  if (problems.length === 0) return null;
  return (
    <Note tone="warn">
      <ul className={css.problems}>
        {problems.map((problem) => (
          <li key={`${problem.field} ${problem.code}`}>{sentenceOf(problem, say)}</li>
        ))}
      </ul>
    </Note>
  );
}

function Start({ editor, problems }: { editor: ChosenEdit; problems: Problems }) {
  return <TriggerForm draft={editor.draft} errorOf={useErrorOf(problems, null)} />;
}

const FORMS: { [T in StepType]?: (props: StepFormProps<Extract<Step, { type: T }>>) => ReactNode } = {
  message: MessageForm,
  branch: BranchForm,
  wait: WaitForm,
  wait_until: WaitUntilForm,
  wait_window: WaitWindowForm,
  split: SplitForm,
  batch: BatchForm,
  throttle: ThrottleForm,
  update: UpdateForm,
  list: ListForm,
  webhook: WebhookForm,
  start: StartForm,
};

interface StepFormOf {
  step: Step;
  editor: ChosenEdit;
  campaign: Campaign;
  problems: Problems;
}

function StepForm({ step, editor, campaign, problems }: StepFormOf) {
  const t = useTexts(texts);
  const errorOf = useErrorOf(problems, step.id);
  const Form = FORMS[step.type] as ((props: StepFormProps<Step>) => ReactNode) | undefined;
  const set = (part: Part<Step>) =>
    editor.changeStep(step.id, (before) => withFields(before, part), Object.keys(part).join(" "));
  return (
    <>
      {Form && (
        <Form
          step={step}
          set={set}
          errorOf={errorOf}
          off={editor.draft.off}
          draft={editor.draft.values}
          campaign={campaign}
        />
      )}
      {step.type === "exit" && <p className="quiet">{t("exitHint")}</p>}
      <IdField key={step.id} step={step} editor={editor} campaign={campaign} />
    </>
  );
}
