import { NativeSelect, Radio, Stack, TextInput } from "@mantine/core";
import type { StepOf } from "@tidings/contract/campaigns/steps";
import { useTexts } from "../../../platform/language/texts.ts";
import { DaysField } from "../fields/days-field.tsx";
import { EventField } from "../fields/event-field.tsx";
import { SpanField } from "../fields/span-field.tsx";
import { WhereField } from "../fields/where-field.tsx";
import type { StepFormProps } from "../form.ts";
import { texts } from "../texts.ts";

type Wait = StepOf<"wait">;

/** A length of time, or a date of the person or of the trigger. */
export function WaitForm({ step, set, errorOf, off }: StepFormProps<Wait>) {
  const t = useTexts(texts);
  const isUntil = step.until !== undefined;
  const { offset } = step;
  return (
    <>
      <Radio.Group
        label={t("waitHow")}
        value={isUntil ? "until" : "for"}
        onChange={(to) =>
          set(
            to === "until"
              ? { for: undefined, until: "person." }
              : { for: { amount: 1, unit: "days" }, until: undefined, offset: undefined },
          )
        }
      >
        <Stack gap={8} mt="xs">
          <Radio value="for" label={t("waitFor")} disabled={off} />
          <Radio value="until" label={t("waitUntil")} disabled={off} />
        </Stack>
      </Radio.Group>
      {isUntil ? (
        <>
          <TextInput
            label={t("waitDay")}
            description={t("waitDayHint")}
            value={step.until ?? ""}
            disabled={off}
            error={errorOf("until")}
            onChange={(event) => set({ until: event.currentTarget.value })}
          />
          <NativeSelect
            label={t("waitWhen")}
            disabled={off}
            value={offset ? (offset.direction ?? "after") : "on"}
            onChange={(event) => {
              const to = event.currentTarget.value;
              const span = offset ?? { amount: 1, unit: "days" as const };
              set({ offset: to === "on" ? undefined : { ...span, direction: to as "before" | "after" } });
            }}
            data={[
              { value: "on", label: t("whenOn") },
              { value: "before", label: t("whenBefore") },
              { value: "after", label: t("whenAfter") },
            ]}
          />
          {offset && (
            <SpanField
              label={t("distance")}
              value={offset}
              off={off}
              error={errorOf("offset")}
              onChange={(span) => set({ offset: span && { ...offset, ...span } })}
            />
          )}
        </>
      ) : (
        <SpanField
          label={t("length")}
          value={step.for}
          off={off}
          error={errorOf("for")}
          onChange={(span) => set({ for: span })}
        />
      )}
    </>
  );
}

/** An event of the person, and how long to wait for it. */
export function WaitUntilForm({ step, set, errorOf, off }: StepFormProps<StepOf<"wait_until">>) {
  const t = useTexts(texts);
  return (
    <>
      <EventField
        label={t("event")}
        value={step.event ?? ""}
        off={off}
        error={errorOf("event")}
        onChange={(event) => set({ event: event || undefined })}
      />
      <WhereField
        event={step.event}
        value={step.where}
        off={off}
        errorOf={(pointer) => errorOf(`where${pointer}`)}
        onChange={(where) => set({ where })}
      />
      <SpanField
        label={t("timeout")}
        value={step.timeout}
        off={off}
        error={errorOf("timeout")}
        onChange={(timeout) => set({ timeout })}
      />
      <Radio.Group
        label={t("countsFrom")}
        value={step.counts_from ?? "step"}
        onChange={(to) => set({ counts_from: to === "entry" ? "entry" : undefined })}
      >
        <Stack gap={8} mt="xs">
          <Radio value="step" label={t("countsFromStep")} disabled={off} />
          <Radio value="entry" label={t("countsFromEntry")} disabled={off} />
        </Stack>
      </Radio.Group>
    </>
  );
}

/** Hours and days of the week, where the person is. */
export function WaitWindowForm({ step, set, errorOf, off }: StepFormProps<StepOf<"wait_window">>) {
  const t = useTexts(texts);
  return (
    <>
      <TextInput
        type="time"
        label={t("from")}
        value={step.from ?? ""}
        disabled={off}
        error={errorOf("from")}
        onChange={(event) => set({ from: event.currentTarget.value || undefined })}
      />
      <TextInput
        type="time"
        label={t("to")}
        value={step.to ?? ""}
        disabled={off}
        error={errorOf("to")}
        onChange={(event) => set({ to: event.currentTarget.value || undefined })}
      />
      <DaysField
        label={t("days")}
        description={t("daysHint")}
        value={step.days ?? []}
        off={off}
        error={errorOf("days")}
        onChange={(days) => set({ days: days.length > 0 ? days : undefined })}
      />
    </>
  );
}
