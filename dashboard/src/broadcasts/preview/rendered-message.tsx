import type { Channel } from "@tidings/contract/facts/activity";
import { Snapshot } from "../../activity/snapshot.tsx";
import { type Drawn, InAppPreview } from "../../inapp/preview/in-app-preview.tsx";
import { useLocale } from "../../platform/language/format.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { namesIn } from "../../sendings/languages.ts";
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

/** What a person gets, as its channel shows it. */
export function RenderedMessage({ channel, of }: { channel: Channel; of: Rendered }) {
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
        <InAppPreview message={of as unknown as Drawn} device="phone" dark={false} />
      ) : (
        <Snapshot delivery={{ channel, content: of.content }} />
      )}
    </>
  );
}
