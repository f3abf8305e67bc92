import { SegmentedControl, useComputedColorScheme } from "@mantine/core";
import type { SimulatedMessage } from "@tidings/contract/campaigns/simulate";
import { useState } from "react";
import { ContentPreview } from "../../../content/preview/content-preview.tsx";
import { type Drawn, InAppPreview } from "../../../inapp/preview/in-app-preview.tsx";
import { useTexts } from "../../../platform/language/texts.ts";
import { Facts } from "../../../platform/look/parts.tsx";
import css from "../simulate.module.css";
import { texts } from "../texts.ts";

const devices = ["phone", "desktop"] as const;

/** The rendered message as the person would see it, and to whom it goes. */
export function MessagePreview({ message }: { message: SimulatedMessage }) {
  const t = useTexts(texts);
  const dark = useComputedColorScheme() === "dark";
  const [device, setDevice] = useState<(typeof devices)[number]>("phone");
  const { channel, to, variant, locale, content } = message;
  return (
    <>
      <Facts
        of={[
          [t("to"), to],
          [t("variant"), variant],
          [t("locale"), locale],
        ]}
      />
      {content && (
        <div className={css.preview}>
          {(channel === "in_app" || channel === "email") && (
            <SegmentedControl
              size="xs"
              aria-label={t("device")}
              value={device}
              onChange={(chosen) => setDevice(chosen as typeof device)}
              data={devices.map((value) => ({ value, label: t(value) }))}
            />
          )}
          {channel === "in_app" ? (
            <InAppPreview message={content as unknown as Drawn} device={device} dark={dark} />
          ) : (
            <ContentPreview channel={channel} content={content} device={device} dark={dark} />
          )}
        </div>
      )}
    </>
  );
}
