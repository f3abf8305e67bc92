import { SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { HtmlFrame } from "../platform/html-frame.tsx";
import { useTexts } from "../platform/language/texts.ts";
import { Facts, Source } from "../platform/look/parts.tsx";
import css from "./activity.module.css";
import type { DeliveryDetail } from "./delivery.ts";
import { texts } from "./texts.ts";

/** A text message, as telephones show it. */
export const Bubble = ({ text }: { text: string | undefined }) => <p className={css.bubble}>{text}</p>;

const textOf = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

/** What was rendered for this person, as its channel shows it. */
export function Snapshot({ delivery: { channel, content } }: { delivery: DeliveryDetail }) {
  const t = useTexts(texts);
  if (!content) return <p className="quiet">{t("noContent")}</p>;
  if (channel === "email") return <Email content={content} />;
  const body = textOf(content.body) ?? textOf(content.message);
  if (channel === "sms")
    return (
      <>
        <Bubble text={body} />
        {typeof content.segments === "number" && <p className="quiet">{t("segments", { count: content.segments })}</p>}
      </>
    );
  return (
    <div className={css.notice}>
      <strong>{textOf(content.title)}</strong>
      {body}
    </div>
  );
}

const views = ["preview", "text", "markup"] as const;

function Email({ content }: { content: Record<string, unknown> }) {
  const t = useTexts(texts);
  const [view, setView] = useState<(typeof views)[number]>("preview");
  const html = textOf(content.body) ?? "";
  const text = textOf(content.plain_text) ?? textOf(content.text);
  const shown = views.filter((name) => name !== "text" || text);
  return (
    <>
      <Facts
        of={[
          [t("subject"), textOf(content.subject)],
          [t("from"), textOf(content.from)],
        ]}
      />
      <SegmentedControl
        size="xs"
        my="sm"
        value={view}
        onChange={(value) => setView(value as typeof view)}
        data={shown.map((value) => ({ value, label: t(value) }))}
      />
      {view === "preview" ? (
        <HtmlFrame html={html} title={t("preview")} />
      ) : (
        <Source text={view === "text" ? text : html} />
      )}
    </>
  );
}
