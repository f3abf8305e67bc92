import type { audienceChannels } from "@tidings/contract/audience/audiences";
import { NativeSelect } from "@mantine/core";
import { useTexts } from "../../../platform/language/texts.ts";
import { channels } from "../model/conditions.ts";
import { fieldTexts } from "../texts.ts";

type Channel = (typeof audienceChannels)[number];

interface ChannelFieldProps<T extends { channel?: Channel }> {
  value: T;
  onChange: (value: T) => void;
  /** What no channel means. */
  any: string;
  error: string | undefined;
}

/** The channel of a condition, or any. */
export function ChannelField<T extends { channel?: Channel }>({ value, onChange, any, error }: ChannelFieldProps<T>) {
  const t = useTexts(fieldTexts);
  const { channel, ...others } = value;
  return (
    <NativeSelect
      aria-label={t("channel")}
      value={channel ?? ""}
      onChange={({ currentTarget: { value: next } }) => onChange((next ? { ...value, channel: next } : others) as T)}
      data={[{ value: "", label: any }, ...channels.map((one) => ({ value: one, label: t(one) }))]}
      error={error}
    />
  );
}
