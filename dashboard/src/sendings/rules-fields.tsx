import { NativeSelect, NumberInput, Radio, Stack, Switch } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Topic as TopicShape } from "@tidings/contract/audience/subscriptions";
import type { Channel } from "@tidings/contract/facts/activity";
import type { RulesInput } from "@tidings/contract/messages/sendings";
import type { Static } from "typebox";
import { useList } from "../platform/call/queries.ts";
import { useWorkspace } from "../platform/call/workspace.ts";
import { useTexts } from "../platform/language/texts.ts";
import { Note } from "../platform/look/parts.tsx";
import css from "./sendings.module.css";
import { texts } from "./texts.ts";

type Topic = Static<typeof TopicShape>;

interface RulesFieldsProps {
  channel: Channel;
  /** What is left out is the service's default. */
  value: RulesInput;
  onChange: (value: RulesInput) => void;
  /** What the service refused at a pointer into the value, without the first slash. */
  errorOf: (pointer: string) => string | undefined;
  /** A step of a campaign also waits for room in a limit; a broadcast does not. */
  step?: boolean;
  /** Whether the member may only look. */
  off?: boolean;
}

/** How a sending is sent: to whom, under which topic, what is measured, and who is left out. */
export function RulesFields({ channel, value, onChange, errorOf, step = false, off = false }: RulesFieldsProps) {
  const set = (part: Partial<RulesInput>) => onChange({ ...value, ...part });
  const part = { value, set, errorOf, off };
  return (
    <div className={css.rules}>
      <TopicField {...part} />
      <Preference {...part} />
      {channel === "email" && <TrackingFields {...part} />}
      <Holdout {...part} />
      <WhenHeld {...part} step={step} />
    </div>
  );
}

interface Part {
  value: RulesInput;
  set: (part: Partial<RulesInput>) => void;
  errorOf: RulesFieldsProps["errorOf"];
  off: boolean;
}

function TopicField({ value: { topic_id: id }, set, errorOf, off }: Part) {
  const t = useTexts(texts);
  const { rows } = useList<Topic>("/topics", { limit: 200, sort: "name" });
  const chosen = rows.find((topic) => topic.id === id);
  const options = rows.map((topic) => ({ value: topic.id, label: topic.name }));
  return (
    <NativeSelect
      label={t("topic")}
      name="topic_id"
      description={chosen?.exempt_from_limits ? `${t("topicHint")} ${t("topicExempt")}` : t("topicHint")}
      disabled={off}
      value={id ?? ""}
      onChange={(event) => set({ topic_id: event.currentTarget.value || null })}
      // Before the topics are read, and where there are more than are listed.
      data={[{ value: "", label: t("noTopic") }, ...options, ...(id && !chosen ? [{ value: id, label: id }] : [])]}
      error={errorOf("topic_id")}
    />
  );
}

function Preference({ value, set, errorOf, off }: Part) {
  const t = useTexts(texts);
  const chosen = value.subscription_preference ?? "subscribed";
  return (
    <Radio.Group
      label={t("preference")}
      value={chosen}
      onChange={(to) => set({ subscription_preference: to as typeof chosen })}
      error={errorOf("subscription_preference")}
    >
      <Stack gap={8} mt="xs">
        <Radio value="subscribed" label={t("subscribed")} description={t("subscribedHint")} disabled={off} />
        <Radio value="all" label={t("all")} description={t("allHint")} disabled={off} />
        {chosen === "all" && <Note tone="warn">{t("allWarning")}</Note>}
      </Stack>
    </Radio.Group>
  );
}

function TrackingFields({ value, set, off }: Part) {
  const t = useTexts(texts);
  const tracking = value.tracking ?? { opens: false, clicks: false };
  return (
    <fieldset className={css.fieldset}>
      <legend className={css.legend}>{t("tracking")}</legend>
      {(["opens", "clicks"] as const).map((what) => (
        <Switch
          key={what}
          label={t(what)}
          description={t(`${what}Hint`)}
          disabled={off}
          checked={tracking[what]}
          onChange={(event) => set({ tracking: { ...tracking, [what]: event.currentTarget.checked } })}
        />
      ))}
    </fieldset>
  );
}

function Holdout({ value, set, errorOf, off }: Part) {
  const t = useTexts(texts);
  return (
    <NumberInput
      label={t("holdout")}
      description={t("holdoutHint")}
      name="holdout_percent"
      className={css.number ?? ""}
      min={0}
      max={50}
      decimalScale={2}
      suffix=" %"
      disabled={off}
      value={value.holdout_percent ?? 0}
      onChange={(percent) => set({ holdout_percent: typeof percent === "number" ? percent : 0 })}
      error={errorOf("holdout_percent")}
    />
  );
}

function WhenHeld({ value, set, step, off }: Part & { step: boolean }) {
  const t = useTexts(texts);
  const { id: workspace } = useWorkspace();
  const chosen = value.when_held ?? "wait";
  return (
    <Radio.Group
      label={t("whenHeld")}
      description={
        <Link to="/w/$workspace/limits" params={{ workspace }}>
          {t("limits")}
        </Link>
      }
      value={chosen}
      onChange={(to) => set({ when_held: to as typeof chosen })}
    >
      <Stack gap={8} mt="xs">
        <Radio value="wait" label={t("wait")} description={t(step ? "waitHintStep" : "waitHint")} disabled={off} />
        <Radio value="drop" label={t("drop")} description={t("dropHint")} disabled={off} />
      </Stack>
    </Radio.Group>
  );
}
