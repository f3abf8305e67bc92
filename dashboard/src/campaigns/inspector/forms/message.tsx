import { Button, NativeSelect } from "@mantine/core";
import type { StepOf } from "@tidings/contract/campaigns/steps";
import type { Channel } from "@tidings/contract/facts/activity";
import type { EditionsInput, RulesInput } from "@tidings/contract/messages/sendings";
import type { LiquidScope } from "../../../content/liquid/scope.ts";
import { useTexts } from "../../../platform/language/texts.ts";
import { Disclosure } from "../../../platform/look/disclosure.tsx";
import { Icon } from "../../../platform/look/icons.tsx";
import { EditionField } from "../../../sendings/edition-field.tsx";
import { EditionsFields } from "../../../sendings/editions-fields.tsx";
import { RulesFields } from "../../../sendings/rules-fields.tsx";
import { texts as words } from "../../words/texts.ts";
import { SpanField } from "../fields/span-field.tsx";
import { type StepFormProps, withFields } from "../form.ts";
import css from "../inspector.module.css";
import { texts } from "../texts.ts";
import { useScope } from "../use-scope.ts";
import { WhenFailed } from "./actions.tsx";

type Message = StepOf<"message">;
type Escalation = NonNullable<Message["escalate"]>[number];
const CHANNELS = ["email", "push", "sms", "in_app"] as const satisfies readonly Channel[];
const MOST_ESCALATIONS = 10;

const editionsOf = ({ content, message_id, locales, variants }: Message): EditionsInput =>
  withFields({}, { content, message_id, locales, variants } as object);
const rulesOf = (step: Message): RulesInput => {
  const { holdout_percent, topic_id, tracking, subscription_preference, when_held } = step;
  return withFields({}, { holdout_percent, topic_id, tracking, subscription_preference, when_held } as object);
};
const NO_EDITIONS = { content: undefined, message_id: undefined, locales: undefined, variants: undefined };
const NO_RULES = {
  holdout_percent: undefined,
  topic_id: undefined,
  tracking: undefined,
  subscription_preference: undefined,
  when_held: undefined,
};

/** A message: its channel, what it says, how it is sent, and what follows if nobody sees it. */
export function MessageForm({ step, set, errorOf, off, draft }: StepFormProps<Message>) {
  const t = useTexts(texts);
  const scope = useScope(draft);
  const { channel, escalate = [] } = step;
  return (
    <>
      <ChannelField
        value={channel}
        off={off}
        error={errorOf("channel")}
        onChange={(to) => set({ channel: to, ...NO_EDITIONS })}
      />
      {channel && (
        <>
          <EditionsFields
            key={channel}
            channel={channel}
            value={editionsOf(step)}
            onChange={(value) => set({ ...NO_EDITIONS, ...value })}
            errorOf={errorOf}
            scope={scope}
            off={off}
          />
          <Disclosure title={t("sending")}>
            <div className={css.stack}>
              <RulesFields
                channel={channel}
                value={rulesOf(step)}
                onChange={(value) => set({ ...NO_RULES, ...value })}
                errorOf={errorOf}
                step
                off={off}
              />
              <WhenFailed value={step.on_failure} onChange={(on_failure) => set({ on_failure })} off={off} />
            </div>
          </Disclosure>
          <section className={css.stack} aria-label={t("escalations")}>
            <h3 className={css.subtitle}>{t("escalations")}</h3>
            {escalate.length > 0 && <p className={`${css.hint} quiet`}>{t("escalationHint")}</p>}
            {escalate.map((one, i) => (
              <EscalationFields
                // biome-ignore lint/suspicious/noArrayIndexKey: what has no id is at its place
                key={i}
                value={one}
                number={i + 1}
                scope={scope}
                errorOf={(field) => errorOf(`escalate/${i}/${field}`)}
                off={off}
                onChange={(to) => set({ escalate: escalate.with(i, to) })}
                onRemove={() => set({ escalate: escalate.length > 1 ? escalate.toSpliced(i, 1) : undefined })}
              />
            ))}
            <Button
              variant="default"
              size="xs"
              disabled={off || escalate.length >= MOST_ESCALATIONS}
              leftSection={<Icon name="plus" size={14} />}
              onClick={() =>
                set({
                  escalate: [
                    ...escalate,
                    { after: { amount: 1, unit: "hours" }, channel: channel === "push" ? "email" : "push" },
                  ],
                })
              }
            >
              {t("addEscalation")}
            </Button>
          </section>
        </>
      )}
    </>
  );
}

interface EscalationProps {
  value: Escalation;
  number: number;
  scope: LiquidScope;
  errorOf: (field: string) => string | undefined;
  off: boolean;
  onChange: (value: Escalation) => void;
  onRemove: () => void;
}

function EscalationFields({ value, number, scope, errorOf, off, onChange, onRemove }: EscalationProps) {
  const t = useTexts(texts);
  const { channel, after } = value;
  return (
    <fieldset className={css.part}>
      <legend>{t("escalation", { count: number })}</legend>
      <div className={css.stack}>
        <SpanField
          label={t("after")}
          value={after}
          off={off}
          error={errorOf("after")}
          onChange={(to) => onChange(withFields(value, { after: to }))}
        />
        <ChannelField
          value={channel}
          off={off}
          error={errorOf("channel")}
          onChange={(to) =>
            to && onChange(withFields(value, { channel: to, content: undefined, message_id: undefined }))
          }
        />
        <EditionField
          key={channel}
          channel={channel}
          value={withFields({}, { content: value.content, message_id: value.message_id } as object)}
          onChange={({ content, message_id }) => onChange(withFields(value, { content, message_id }))}
          errorOf={errorOf}
          scope={scope}
          at={`escalate/${number - 1}/`}
          off={off}
        />
        <Button variant="subtle" color="red" size="compact-sm" disabled={off} onClick={onRemove}>
          {t("removeEscalation", { count: number })}
        </Button>
      </div>
    </fieldset>
  );
}

interface ChannelFieldProps {
  value: Channel | undefined;
  onChange: (channel: Channel | undefined) => void;
  error: string | undefined;
  off: boolean;
}

function ChannelField({ value, onChange, error, off }: ChannelFieldProps) {
  const t = useTexts(texts);
  const say = useTexts(words);
  return (
    <NativeSelect
      label={t("channel")}
      disabled={off}
      error={error}
      value={value ?? ""}
      onChange={(event) => onChange((event.currentTarget.value || undefined) as Channel | undefined)}
      data={[
        ...(value ? [] : [{ value: "", label: "…" }]),
        ...CHANNELS.map((one) => ({ value: one, label: say(`message_${one}`) })),
      ]}
    />
  );
}
