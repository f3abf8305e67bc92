import type { MessageFilter } from "@tidings/contract/audience/audiences";
import { NativeSelect } from "@mantine/core";
import { useTexts } from "../../../platform/language/texts.ts";
import type { ConditionProps } from "../state.ts";
import { behaviours } from "../model/conditions.ts";
import { fieldTexts } from "../texts.ts";
import { ChannelField } from "./channel-field.tsx";
import { PickField } from "../fields/pick-field.tsx";
import { WithinField } from "./within-field.tsx";

/** What happened with a message to the person. */
export function MessageFields({ value, onChange, errorOf }: ConditionProps<MessageFilter>) {
  const t = useTexts(fieldTexts);
  const { source_id: source, ...withoutSource } = value;
  const lists = [
    { path: "/broadcasts", title: t("broadcasts") },
    { path: "/campaigns", title: t("campaigns") },
    { path: "/transactionals", title: t("transactionals") },
    { path: "/in-app-messages", title: t("inAppMessages") },
  ];
  return (
    <>
      <PickField
        label={t("source")}
        lists={lists}
        value={source}
        onChange={(id) => onChange(id ? { ...value, source_id: id } : withoutSource)}
        placeholder={t("anySource")}
        clearable
        error={errorOf("/source_id")}
      />
      <NativeSelect
        aria-label={t("did")}
        value={value.op}
        onChange={(event) => onChange({ ...value, op: event.currentTarget.value as MessageFilter["op"] })}
        data={[
          { value: "performed", label: t("message_performed") },
          { value: "not_performed", label: t("message_not_performed") },
        ]}
        error={errorOf("/op")}
      />
      <NativeSelect
        aria-label={t("behaviour")}
        value={value.message}
        onChange={(event) => onChange({ ...value, message: event.currentTarget.value as MessageFilter["message"] })}
        data={behaviours.map((one) => ({ value: one, label: t(one) }))}
        error={errorOf("/message")}
      />
      <ChannelField value={value} onChange={onChange} any={t("anyChannel")} error={errorOf("/channel")} />
      <WithinField value={value} onChange={onChange} errorOf={errorOf} />
    </>
  );
}
