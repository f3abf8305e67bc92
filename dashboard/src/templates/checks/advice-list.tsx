import { UnstyledButton } from "@mantine/core";
import { useFormat } from "../../platform/language/format.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Icon } from "../../platform/look/icons.tsx";
import { List, Section } from "../../platform/look/parts.tsx";
import type { Advice } from "./advice.ts";
import css from "./checks.module.css";
import { texts } from "./texts.ts";

interface AdviceListProps {
  of: readonly Advice[];
  /** Goes to the place of one. Undefined where the texts can't be reached. */
  onJump: ((advice: Advice) => void) | undefined;
}

/** What to consider before an email is sent. Nothing of it keeps anybody from sending. */
export function AdviceList({ of, onJump }: AdviceListProps) {
  const t = useTexts(texts);
  return (
    <Section title={of.length > 0 ? t("advice", { count: of.length }) : t("adviceTitle")}>
      {of.length === 0 ? (
        <p className={`${css.fine} quiet`}>
          <Icon name="check" size={14} />
          {t("fine")}
        </p>
      ) : (
        <List>
          {of.map((advice, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two may say the same of one line
            <li key={`${advice.code} ${advice.line} ${i}`}>
              <OneAdvice advice={advice} onJump={onJump} />
            </li>
          ))}
        </List>
      )}
    </Section>
  );
}

function OneAdvice({ advice, onJump }: { advice: Advice; onJump: AdviceListProps["onJump"] }) {
  const t = useTexts(texts);
  const format = useFormat();
  const { code, part, line, values = {} } = advice;
  const said = t(code, {
    ...values,
    ...(typeof values.bytes === "number" && { bytes: format.bytes(values.bytes) }),
  });
  const place = line === undefined ? t(`in_${part}`) : t("line", { place: t(`in_${part}`), line });
  const bad = code === "clipped" || code === "link_empty" || code === "no_unsubscribe";
  return (
    <div className={css.one} data-bad={bad}>
      <Icon name={bad ? "warn" : "question"} size={14} />
      <span className={css.said}>{said}</span>
      {onJump ? (
        <UnstyledButton className={css.jump ?? ""} onClick={() => onJump(advice)}>
          {place}
        </UnstyledButton>
      ) : (
        <span className="quiet">{place}</span>
      )}
    </div>
  );
}
