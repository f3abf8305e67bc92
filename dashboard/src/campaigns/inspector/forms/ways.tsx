import { ActionIcon, Button, NumberInput, Radio, Stack, TextInput } from "@mantine/core";
import type { StepOf } from "@tidings/contract/campaigns/steps";
import { useTexts } from "../../../platform/language/texts.ts";
import { Icon } from "../../../platform/look/icons.tsx";
import { SpanField } from "../fields/span-field.tsx";
import type { StepFormProps } from "../form.ts";
import css from "../inspector.module.css";
import { texts } from "../texts.ts";

const MOST_ARMS = 10;

/** The arms of a random split with their weights. */
export function SplitForm({ step, set, errorOf, off }: StepFormProps<StepOf<"split">>) {
  const t = useTexts(texts);
  const { arms = [] } = step;
  const all = arms.reduce((sum, { weight }) => sum + weight, 0);
  const change = (at: number, part: Partial<(typeof arms)[number]>) =>
    set({ arms: arms.map((arm, i) => (i === at ? { ...arm, ...part } : arm)) });
  const free = "ABCDEFGHIJKLMNOP".split("").find((name) => !arms.some((arm) => arm.name === name)) ?? "Z";
  return (
    <div className={css.rows}>
      {arms.map((arm, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an arm is known by its place while its name is typed
        <span key={i} className={css.beside}>
          <TextInput
            label={t("armName", { count: i + 1 })}
            value={arm.name}
            maxLength={50}
            disabled={off}
            error={errorOf(`arms/${i}/name`)}
            onChange={(event) => change(i, { name: event.currentTarget.value })}
          />
          <NumberInput
            label={t("armWeight", { share: all > 0 ? Math.round((arm.weight / all) * 100) : 0 })}
            min={1}
            max={1_000_000}
            allowDecimal={false}
            value={arm.weight}
            disabled={off}
            error={errorOf(`arms/${i}/weight`)}
            onChange={(weight) => change(i, { weight: typeof weight === "number" ? weight : 1 })}
          />
          <ActionIcon
            className={css.besideLabel ?? ""}
            variant="subtle"
            color="gray"
            aria-label={t("removeArm", { name: arm.name })}
            disabled={off || arms.length <= 2}
            onClick={() => set({ arms: arms.filter((_, at) => at !== i) })}
          >
            <Icon name="close" size={14} />
          </ActionIcon>
        </span>
      ))}
      {errorOf("arms") && <p className={css.error}>{errorOf("arms")}</p>}
      <Button
        size="compact-sm"
        variant="subtle"
        disabled={off || arms.length >= MOST_ARMS}
        leftSection={<Icon name="plus" size={14} />}
        onClick={() => set({ arms: [...arms, { name: free, weight: 1, steps: [] }] })}
      >
        {t("addArm")}
      </Button>
    </div>
  );
}

/** What is gathered, and for how long. */
export function BatchForm({ step, set, errorOf, off }: StepFormProps<StepOf<"batch">>) {
  const t = useTexts(texts);
  return (
    <>
      <SpanField
        label={t("gatherFor")}
        value={step.window}
        off={off}
        error={errorOf("window")}
        onChange={(window) => set({ window })}
      />
      <KeyField value={step.key} onChange={(key) => set({ key })} error={errorOf("key")} off={off} />
      <NumberInput
        label={t("gatherMost")}
        description={t("optional")}
        min={1}
        max={1_000}
        allowDecimal={false}
        value={step.max ?? ""}
        disabled={off}
        error={errorOf("max")}
        onChange={(max) => set({ max: typeof max === "number" ? max : undefined })}
      />
    </>
  );
}

/** How many may pass in a time, and what becomes of the others. */
export function ThrottleForm({ step, set, errorOf, off }: StepFormProps<StepOf<"throttle">>) {
  const t = useTexts(texts);
  return (
    <>
      <NumberInput
        label={t("limit")}
        min={1}
        max={1_000_000}
        allowDecimal={false}
        value={step.limit ?? ""}
        disabled={off}
        error={errorOf("limit")}
        onChange={(limit) => set({ limit: typeof limit === "number" ? limit : undefined })}
      />
      <SpanField
        label={t("within")}
        value={step.window}
        off={off}
        error={errorOf("window")}
        onChange={(window) => set({ window })}
      />
      <KeyField value={step.key} onChange={(key) => set({ key })} error={errorOf("key")} off={off} />
      <Radio.Group
        label={t("others")}
        value={step.otherwise ?? "exit"}
        onChange={(to) => set({ otherwise: to === "wait" ? "wait" : undefined })}
      >
        <Stack gap={8} mt="xs">
          <Radio value="exit" label={t("othersExit")} disabled={off} />
          <Radio value="wait" label={t("othersWait")} disabled={off} />
        </Stack>
      </Radio.Group>
    </>
  );
}

interface KeyFieldProps {
  value: string | undefined;
  onChange: (key: string | undefined) => void;
  error: string | undefined;
  off: boolean;
}

const KeyField = ({ value, onChange, error, off }: KeyFieldProps) => {
  const t = useTexts(texts);
  return (
    <TextInput
      label={t("key")}
      description={t("keyHint")}
      value={value ?? ""}
      maxLength={200}
      disabled={off}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
    />
  );
};
