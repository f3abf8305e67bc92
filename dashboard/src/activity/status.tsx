import type { Channel, DeliveryStatus } from "@tidings/contract/facts/activity";
import { useTexts } from "../platform/language/texts.ts";
import { Icon } from "../platform/look/icons.tsx";
import { Badge } from "../platform/look/parts.tsx";
import { channelIcon, toneOf } from "./delivery.ts";
import css from "./activity.module.css";
import { texts } from "./texts.ts";

export function Status({ of }: { of: DeliveryStatus }) {
  const t = useTexts(texts);
  return <Badge tone={toneOf(of)}>{t(of)}</Badge>;
}

export function ChannelName({ of }: { of: Channel }) {
  const t = useTexts(texts);
  return (
    <span className={css.channel}>
      <Icon name={channelIcon[of]} size={14} />
      {t(of)}
    </span>
  );
}
