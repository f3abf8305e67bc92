import { Button, Group, NumberInput, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import type { Channel } from "@tidings/contract/facts/activity";
import type { RulesInput } from "@tidings/contract/messages/sendings";
import { type ReactNode, useEffect } from "react";
import type { Form } from "../../platform/form/form.ts";
import { faultAt } from "../../platform/form/refusals.ts";
import { useFormat } from "../../platform/language/format.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { EditionsFields } from "../../sendings/editions-fields.tsx";
import { RulesFields } from "../../sendings/rules-fields.tsx";
import css from "../broadcasts.module.css";
import { AudienceStep } from "./audience-step.tsx";
import type { DraftSearch } from "./search.ts";
import { Steps } from "./steps.tsx";
import { texts } from "./texts.ts";
import { type DraftValues, rulesOf, type Step, stepOf, steps } from "./values.ts";

interface EditorProps {
  form: Form<DraftValues>;
  channel: Channel;
  step: Step;
  off: boolean;
  /** The last step. */
  review: ReactNode;
}

/** A draft in steps. A refusal opens the step that it is about. */
export function Editor({ form, channel, step, off, review }: EditorProps) {
  const t = useTexts(texts);
  const show = useShowStep();
  const faulty = Object.keys(form.values).filter((name) => faultAt(form.faults, name));
  const [first] = faulty.map(stepOf);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another refusal is a reason
  useEffect(() => {
    if (first && !faulty.map(stepOf).includes(step)) show(first);
  }, [faulty.join()]);
  const next = steps[steps.indexOf(step) + 1];
  const before = steps[steps.indexOf(step) - 1];
  return (
    <>
      <TextInput
        className={css.name ?? ""}
        label={t("name")}
        description={t("nameHint")}
        maxLength={200}
        disabled={off}
        {...form.text("name")}
      />
      <Steps form={form} open={step} />
      <div className={css.panel}>
        {step === "audience" && <AudienceStep form={form} off={off} />}
        {step === "content" && (
          <EditionsFields
            name="editions"
            channel={channel}
            value={form.values.editions}
            onChange={(editions) => form.set("editions", editions)}
            errorOf={(pointer) => faultAt(form.faults, `editions/${pointer}`)}
            off={off}
          />
        )}
        {step === "settings" && <Settings form={form} channel={channel} off={off} />}
        {step === "review" && review}
      </div>
      <Group justify="space-between" mt="lg">
        {before ? (
          <Button variant="subtle" onClick={() => show(before)}>
            {t("back", { step: t(`step_${before}`) })}
          </Button>
        ) : (
          <span />
        )}
        {next && (
          <Button variant="default" onClick={() => show(next)}>
            {t("next", { step: t(`step_${next}`) })}
          </Button>
        )}
      </Group>
    </>
  );
}

/** Opens a step, which is in the address. */
export function useShowStep(): (step: Step) => void {
  const navigate = useNavigate();
  return (step) => void navigate({ to: ".", search: (before: DraftSearch) => ({ ...before, step }), replace: true });
}

function Settings({ form, channel, off }: Pick<EditorProps, "form" | "channel" | "off">) {
  const t = useTexts(texts);
  const format = useFormat();
  const { rate_per_second: rate } = form.values;
  const setRules = (rules: RulesInput) => {
    for (const [name, value] of Object.entries(rules)) form.set(name as keyof RulesInput, value as never);
  };
  return (
    <div className={css.settings}>
      <RulesFields
        channel={channel}
        value={rulesOf(form.values)}
        onChange={setRules}
        errorOf={(pointer) => faultAt(form.faults, pointer)}
        off={off}
      />
      <NumberInput
        label={t("speed")}
        description={t("speedHint")}
        name="rate_per_second"
        placeholder={t("noLimit")}
        min={0.1}
        max={100_000}
        disabled={off}
        value={rate}
        onChange={(value) => form.set("rate_per_second", typeof value === "number" ? value : "")}
        error={form.errorOf("rate_per_second")}
      />
      {rate !== "" && rate > 0 && (
        <p className="quiet">{t("speedMeans", { count: 10_000, time: format.length((10_000 / rate) * 1_000) })}</p>
      )}
    </div>
  );
}
