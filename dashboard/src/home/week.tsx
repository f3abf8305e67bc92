import type { Series } from "@tidings/contract/facts/analytics";
import { useRead } from "../platform/call/queries.ts";
import { useFormat } from "../platform/language/format.ts";
import { useTexts } from "../platform/language/texts.ts";
import { Section } from "../platform/look/parts.tsx";
import { Answer, Loading } from "../platform/states/states.tsx";
import css from "./home.module.css";
import { texts } from "./texts.ts";

const DAY_MS = 86_400_000;
const shown = ["sent", "delivered", "shown", "opened", "clicked", "bounced"] as const;

/** What happened in the last seven days, in numbers. */
export function Week() {
  const t = useTexts(texts);
  const format = useFormat();
  const from = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS - 6 * DAY_MS).toISOString();
  const read = useRead<Series>("/analytics", { bucket: "day", from });
  return (
    <Section title={t("week")}>
      <Answer of={read} loading={<Loading rows={2} height={28} />}>
        {({ totals }) => (
          <dl className={`${css.strip} ${css.numbers} numbers`}>
            {shown.map((name) => (
              <div key={name}>
                <dt>{t(name)}</dt>
                <dd>{format.number(totals[name])}</dd>
              </div>
            ))}
          </dl>
        )}
      </Answer>
    </Section>
  );
}
