import type { Channel } from "@tidings/contract/facts/activity";
import { ContentPreview } from "../../content/preview/content-preview.tsx";
import type { PreviewContext } from "../../content/preview/context.ts";
import { type Drawn, InAppPreview } from "../../inapp/preview/in-app-preview.tsx";
import { useLocale } from "../../platform/language/format.ts";
import { namesIn } from "../../platform/language/languages.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { texts } from "./texts.ts";

/** The answer of the service to a preview. */
export interface Rendered {
  content: Record<string, unknown>;
  recipient?: string | null;
  variant: string | null;
  locale: string | null;
  held_out: boolean;
  /** Of an in-app message, as sync returns it. */
  render_type?: string;
  ctas?: unknown[];
}

interface RenderedMessageProps extends Pick<PreviewContext, "device" | "dark"> {
  channel: Channel;
  of: Rendered;
}

/** What a person gets, as its channel shows it. */
export function RenderedMessage({ channel, of, device, dark }: RenderedMessageProps) {
  const t = useTexts(texts);
  const nameOf = namesIn(useLocale());
  const what = [of.variant && t("shownVariant", { name: of.variant }), of.locale && nameOf(of.locale)].filter(Boolean);
  return (
    <>
      <p className="quiet">
        {channel !== "in_app" && `${t("to")} ${of.recipient ?? t("noAddress")}. `}
        {what.length > 0 && t("shown", { what: what.join(", ") })}
      </p>
      {channel === "in_app" ? (
        <InAppPreview message={of as unknown as Drawn} device={device} dark={dark} />
      ) : (
        <ContentPreview channel={channel} content={of.content} device={device} dark={dark} />
      )}
    </>
  );
}
