import type { SubscribedFilter } from "@tidings/contract/audience/audiences";
import { NativeSelect } from "@mantine/core";
import { useTexts } from "../../../platform/language/texts.ts";
import type { ConditionProps } from "../state.ts";
import { fieldTexts } from "../texts.ts";
import { ChannelField } from "./channel-field.tsx";
import { PickField } from "../fields/pick-field.tsx";

const TOPICS = [{ path: "/topics" }] as const;

/** Whether somebody receives messages, of a channel and a topic or of any. */
export function SubscribedFields({ value, onChange, errorOf }: ConditionProps<SubscribedFilter>) {
  const t = useTexts(fieldTexts);
  const { topic: _, ...withoutTopic } = value;
  return (
    <>
      <NativeSelect
        aria-label={t("subscribedTo")}
        value={String(value.subscribed)}
        onChange={(event) => onChange({ ...value, subscribed: event.currentTarget.value === "true" })}
        data={[
          { value: "true", label: t("receives") },
          { value: "false", label: t("receivesNot") },
        ]}
        error={errorOf("/subscribed")}
      />
      <ChannelField value={value} onChange={onChange} any={t("allChannels")} error={errorOf("/channel")} />
      <PickField
        label={t("topic")}
        lists={TOPICS}
        value={value.topic}
        onChange={(topic) => onChange(topic ? { ...value, topic } : withoutTopic)}
        placeholder={t("anyTopic")}
        clearable
        error={errorOf("/topic")}
      />
    </>
  );
}
