import { Fieldset, TextInput } from "@mantine/core";
import { useTexts } from "../../../platform/language/texts.ts";
import css from "../simulate.module.css";
import { texts } from "../texts.ts";
import type { ResponseValues } from "./values.ts";

/** What a system answers where nothing else is said. */
const ANSWERED = "200";

interface ResponseFieldsProps {
  /** The webhook steps. */
  steps: readonly string[];
  value: ResponseValues[];
  onChange: (value: ResponseValues[]) => void;
}

/** What the called systems answer. */
export function ResponseFields({ steps, value, onChange }: ResponseFieldsProps) {
  const t = useTexts(texts);
  return (
    <Fieldset legend={t("responses")} variant="unstyled">
      <p className={`${css.hint} quiet`}>{t("responsesHint")}</p>
      {steps.map((step) => {
        const own = value.find((one) => one.step === step) ?? { step, status: "", body: "" };
        const set = (changed: Partial<ResponseValues>) =>
          onChange([...value.filter((one) => one.step !== step), { ...own, ...changed }]);
        const said = t("response", { step });
        return (
          <div key={step} className={css.response}>
            <TextInput
              size="xs"
              type="number"
              min={100}
              max={599}
              label={`${said}: ${t("status")}`}
              placeholder={ANSWERED}
              value={own.status}
              onChange={({ currentTarget }) => set({ status: currentTarget.value })}
            />
            <TextInput
              size="xs"
              label={`${said}: ${t("body")}`}
              placeholder='{"code": "A1"}'
              value={own.body}
              onChange={({ currentTarget }) => set({ body: currentTarget.value })}
            />
          </div>
        );
      })}
    </Fieldset>
  );
}
