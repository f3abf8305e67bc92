import { Anchor, SegmentedControl } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Bubble } from "../activity/snapshot.tsx";
import { useWorkspace } from "../platform/call/workspace.ts";
import { HtmlFrame } from "../platform/html-frame.tsx";
import { useFormat } from "../platform/language/format.ts";
import { useTexts } from "../platform/language/texts.ts";
import { Card, Facts, Source } from "../platform/look/parts.tsx";
import { addressOf, type Captured, htmlOf, textOf, titleOf } from "./captured.ts";
import css from "./outbox.module.css";
import { texts } from "./texts.ts";

const PHONE_PX = 375;
const views = ["desktop", "phone", "text", "source", "headers"] as const;
type View = (typeof views)[number];

/** A captured message as its reader sees it, and as the provider would get it. */
export function Message({ captured }: { captured: Captured }) {
  const t = useTexts(texts);
  const format = useFormat();
  const { id: workspace } = useWorkspace();
  const { channel, recipient, delivery_id: delivery, captured_at: at } = captured;
  return (
    <article>
      <h2 className={css.title}>{titleOf(captured) ?? t("noSubject")}</h2>
      <Facts
        of={[
          [t("from"), addressOf(captured.message.from)],
          [t("to"), recipient],
          [t("captured"), format.instant(at)],
          [
            t(channel),
            <Anchor
              key="delivery"
              size="sm"
              renderRoot={(props) => (
                <Link to="/w/$workspace/deliveries" params={{ workspace }} search={{ open: delivery }} {...props} />
              )}
            >
              {t("delivery")}
            </Anchor>,
          ],
        ]}
      />
      {channel === "email" ? <Email captured={captured} /> : <Plain captured={captured} />}
    </article>
  );
}

function Email({ captured }: { captured: Captured }) {
  const t = useTexts(texts);
  const [view, setView] = useState<View>("desktop");
  const html = htmlOf(captured) ?? "";
  return (
    <>
      <div className={css.views}>
        <SegmentedControl
          aria-label={t("view")}
          size="xs"
          value={view}
          onChange={(value) => setView(value as View)}
          data={views.map((value) => ({ value, label: t(value) }))}
        />
      </div>
      {(view === "desktop" || view === "phone") && (
        <HtmlFrame html={html} title={t("preview")} height={600} width={view === "phone" ? PHONE_PX : undefined} />
      )}
      {view === "text" && <Source text={textOf(captured) ?? t("noText")} />}
      {view === "source" && <Source text={html} />}
      {view === "headers" && <Headers message={captured.message} />}
    </>
  );
}

/** Everything but the texts themselves: addresses, headers, attachments. */
function Headers({ message }: { message: Record<string, unknown> }) {
  const t = useTexts(texts);
  const { html: _html, text: _text, headers, attachments, ...others } = message;
  const all = { ...others, ...(headers as Record<string, unknown> | undefined) };
  const files = Array.isArray(attachments)
    ? attachments.map((file) => file?.filename ?? file?.name).filter(Boolean)
    : [];
  return (
    <Card>
      <Facts
        of={[
          ...Object.entries(all)
            .filter(([, value]) => !(Array.isArray(value) && value.length === 0))
            .map(
              ([name, value]) => [name, <code key={name}>{addressOf(value) ?? JSON.stringify(value)}</code>] as const,
            ),
          [t("attachments"), files.join(", ")],
        ]}
      />
    </Card>
  );
}

function Plain({ captured: { channel, message } }: { captured: Captured }) {
  const body = String(message.body ?? message.message ?? "");
  return (
    <div className={css.handset}>
      {channel === "sms" ? (
        <Bubble text={body} />
      ) : (
        <div className={css.notice}>
          <strong>{String(message.title ?? "")}</strong>
          {body}
        </div>
      )}
    </div>
  );
}
