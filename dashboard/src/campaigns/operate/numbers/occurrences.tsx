import { useFormat } from "../../../platform/language/format.ts";
import { useTexts } from "../../../platform/language/texts.ts";
import { Badge, Section } from "../../../platform/look/parts.tsx";
import css from "../operate.module.css";
import type { Metrics } from "./numbers.tsx";
import { texts } from "./texts.ts";

const tones = { open: "good", done: "plain", missed: "warn" } as const;

/** The latest days of a campaign that people enter on days. */
export function Occurrences({ of }: { of: NonNullable<Metrics["occurrences"]> }) {
  const t = useTexts(texts);
  const format = useFormat();
  return (
    <Section title={t("occurrences")}>
      <div className={css.scroll} data-scrolls-sideways>
        <table className={css.table}>
          <thead>
            <tr>
              <th scope="col">{t("day")}</th>
              <th scope="col" className={css.right}>
                {t("entered")}
              </th>
              <th scope="col" className={css.right}>
                {t("unreadable")}
              </th>
              <th scope="col">{t("state")}</th>
            </tr>
          </thead>
          <tbody>
            {of.map(({ date, entered, unreadable, status }) => (
              <tr key={date}>
                <th scope="row">{format.date(`${date}T12:00:00`)}</th>
                <td className={`${css.right} numbers`}>{format.number(entered)}</td>
                <td className={`${css.right} numbers`}>{format.number(unreadable)}</td>
                <td>
                  <Badge tone={tones[status]}>{t(status)}</Badge>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}
