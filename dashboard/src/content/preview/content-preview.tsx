import { SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { Bubble } from "../../activity/snapshot.tsx";
import { HtmlFrame } from "../../platform/html-frame.tsx";
import { useTexts } from "../../platform/language/texts.ts";
import { Facts, Source } from "../../platform/look/parts.tsx";
import { type Content, textIn } from "../channels/content.ts";
import { SmsCount } from "../channels/sms-count.tsx";
import type { PreviewContext } from "./context.ts";
import css from "./preview.module.css";
import { texts } from "./texts.ts";

interface ContentPreviewProps extends Pick<PreviewContext, "device" | "dark"> {
  channel: "email" | "push" | "sms";
  /** As the service rendered it. */
  content: Content;
}

/** A rendered message as its reader sees it. */
export function ContentPreview({ channel, content, device, dark }: ContentPreviewProps) {
  if (channel === "email") return <Email content={content} device={device} dark={dark} />;
  const text = textIn(content, "body");
  return (
    <div className={css.handset} data-dark={dark}>
      {channel === "push" ? (
        <Notification content={content} />
      ) : (
        <>
          <Bubble text={text} />
          <SmsCount text={text} />
        </>
      )}
    </div>
  );
}

function Notification({ content }: { content: Content }) {
  const t = useTexts(texts);
  const [image, link] = [textIn(content, "image_url"), textIn(content, "link")];
  return (
    <>
      <div className={css.notice}>
        <strong>{textIn(content, "title")}</strong>
        <span className={css.words}>{textIn(content, "message")}</span>
        {image && <HtmlFrame html={imageHtml(image)} title={t("image")} height={IMAGE_PX} />}
      </div>
      {link && (
        <p className={css.note}>
          {t("opens")} <code>{link}</code>
        </p>
      )}
    </>
  );
}

const IMAGE_PX = 140;
const PHONE_PX = 375;

// In a frame: the policy of the dashboard loads no images of others.
function imageHtml(address: string): string {
  const quoted = address.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return `<img src="${quoted}" alt="" style="width:100%;height:${IMAGE_PX - 16}px;object-fit:cover">`;
}

/** Asks mail programs for their dark look. Mails that say nothing about it are shown on a dark page, as most programs do. */
const DARK =
  '<meta name="color-scheme" content="dark"><style>:root{color-scheme:dark}html{background:#1b1b1b;color:#e8e8e8}</style>';

function Email({ content, device, dark }: Omit<ContentPreviewProps, "channel">) {
  const t = useTexts(texts);
  const [view, setView] = useState<"html" | "text">("html");
  const [html, plain] = [textIn(content, "body"), textIn(content, "plaintext_body")];
  return (
    <>
      <Facts
        of={[
          [t("from"), textIn(content, "from")],
          [t("replyTo"), textIn(content, "reply_to")],
          [t("subject"), <strong key="subject">{textIn(content, "subject")}</strong>],
          [t("preheader"), textIn(content, "preheader")],
        ]}
      />
      <SegmentedControl
        aria-label={t("part")}
        my="sm"
        size="xs"
        value={view}
        onChange={(next) => setView(next as typeof view)}
        data={[
          { value: "html", label: t("html") },
          { value: "text", label: t("text") },
        ]}
      />
      {view === "html" ? (
        <HtmlFrame
          html={dark ? DARK + html : html}
          title={t("html")}
          height={600}
          width={device === "phone" ? PHONE_PX : undefined}
        />
      ) : plain ? (
        <Source text={plain} />
      ) : (
        <p className={css.note}>{t("noText")}</p>
      )}
    </>
  );
}
