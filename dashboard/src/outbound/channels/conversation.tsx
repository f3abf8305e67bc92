import type { ConversationStep } from "@tidings/contract/messages/outbound";
import { useTexts } from "../../platform/language/texts.ts";
import css from "./channels.module.css";
import { texts } from "./texts.ts";

/** Shows the lines that the service and the provider sent each other, word for word and in order. */
export function Conversation({ steps }: { steps: readonly ConversationStep[] }) {
  const t = useTexts(texts);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keys
    <ol className={css.conversation} aria-label={t("conversation")} tabIndex={0}>
      {steps.map(({ by, text, ms }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they never move
        <li key={i} className={css.step} data-by={by} data-bad={by === "them" && /^(?:HTTP )?[45]/.test(text)}>
          <span className={css.who}>{t(by)}</span>
          <pre className={css.words}>{text}</pre>
          <span className={css.when}>{t("at", { count: ms })}</span>
        </li>
      ))}
    </ol>
  );
}
