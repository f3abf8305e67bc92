import "@tidings/react/styles.css";
import type { ShownMessage } from "@tidings/contract/inapp/messages";
import { useElementSize } from "@mantine/hooks";
import { type CSSProperties, type ReactNode, useState } from "react";
import type { Static } from "typebox";
import { ownAddress } from "../../media/address.ts";
import { useTexts } from "../../platform/language/texts.ts";
import css from "./preview.module.css";
import { texts } from "./texts.ts";

/** What an application needs to draw a message. */
export type Drawn = Pick<Static<typeof ShownMessage>, "render_type" | "content" | "ctas">;

interface InAppPreviewProps {
  /** As sync returns it, or a preview. */
  message: Drawn;
  device: "desktop" | "phone";
  dark: boolean;
}

/** The screens in pixels, of which the preview is a smaller picture. */
const SCREENS = { phone: { width: 360, height: 640 }, desktop: { width: 960, height: 600 } } as const;

/** A message on the screen of an application, with the look that `@tidings/react` gives it. An application may style it otherwise. */
export function InAppPreview({ message, device, dark }: InAppPreviewProps) {
  const t = useTexts(texts);
  const { ref, width: room } = useElementSize();
  const { width, height } = SCREENS[device];
  const scale = Math.min(1, (room || width) / width);
  // The style sheet of the components asks this property which theme it has.
  const theme = { "--tidings-color-scheme": dark ? "dark" : "light" } as CSSProperties;
  return (
    <div ref={ref} className={css.around} data-device={device}>
      <div className={css.device} data-device={device} style={{ width: width * scale, height: height * scale }}>
        <section
          className={css.screen}
          aria-label={t(device)}
          data-dark={dark}
          data-device={device}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a long message scrolls, also by keys
          tabIndex={0}
          style={{ width, height, transform: `scale(${scale})`, ...theme }}
        >
          <OnScreen message={message} />
        </section>
      </div>
    </div>
  );
}

/** The message at the place where its kind has it, over or within the page of some application. */
function OnScreen({ message }: { message: Drawn }) {
  const t = useTexts(texts);
  const { render_type: kind } = message;
  const content = <Content message={message} />;
  if (kind === "modal")
    return (
      <>
        <Page />
        <div className={css.backdrop}>
          <div className={`tidings-modal ${css.modal}`}>
            <div className="tidings-modal-inside">{content}</div>
          </div>
        </div>
      </>
    );
  if (kind === "banner")
    return (
      <>
        <Page />
        <div className={css.strip}>
          <div className="tidings-banner">{content}</div>
        </div>
      </>
    );
  if (kind === "inline")
    return (
      <Page>
        <div className="tidings-inline">{content}</div>
      </Page>
    );
  return (
    <Page>
      <p className={css.inbox}>{t("inbox")}</p>
      <div className="tidings-card tidings-card--unread">
        {content}
        <span className="tidings-link">{t("markRead")}</span>
      </div>
    </Page>
  );
}

/** An application, in grey: a bar, and lines around what it contains. */
const Page = ({ children }: { children?: ReactNode }) => (
  <div className={css.page} data-behind={children === undefined}>
    <span className={css.bar} />
    <span className={css.block} />
    {children}
    <span className={css.text} />
    <span className={css.text} />
    <span className={css.short} />
    <span className={css.block} />
    <span className={css.text} />
  </div>
);

/** Title, text, image and button. They look like those of an application, and do nothing. */
function Content({ message: { content, ctas } }: { message: Drawn }) {
  const { title, body, image_url: image } = content;
  return (
    <>
      {image && <Picture key={image} address={image} />}
      <div className="tidings-text">
        {title && <p className="tidings-title">{title}</p>}
        <p className="tidings-body">{body}</p>
      </div>
      {ctas.length > 0 && (
        <div className="tidings-actions">
          {ctas.map(({ id, label }) => (
            <span key={id} className={`tidings-cta ${css.button}`}>
              {label}
            </span>
          ))}
        </div>
      )}
      <span className="tidings-close">
        <svg aria-hidden="true" className="tidings-icon" viewBox="0 0 24 24">
          <path d="M6 6 18 18M18 6 6 18" />
        </svg>
      </span>
    </>
  );
}

/** An image that can't be loaded takes no room, as in an application. */
function Picture({ address }: { address: string }) {
  const [broken, setBroken] = useState(false);
  if (broken) return null;
  return <img alt="" className="tidings-image" src={ownAddress(address)} onError={() => setBroken(true)} />;
}
