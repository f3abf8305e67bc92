import { useFormat } from "../../../platform/language/format.ts";
import { useTexts } from "../../../platform/language/texts.ts";
import { Badge, Section } from "../../../platform/look/parts.tsx";
import { Table } from "../../../platform/look/table.tsx";
import type { Metrics } from "./numbers.tsx";
import { texts } from "./texts.ts";

const tones = { open: "good", done: "plain", missed: "warn" } as const;

/** The latest days of a campaign that people enter on days. */
export function Occurrences({ of }: { of: NonNullable<Metrics["occurrences"]> }) {
  const t = useTexts(texts);
  const format = useFormat();
  return (
    <Section title={t("occurrences")}>
      <Table dense>
        <thead>
          <tr>
            <th scope="col">{t("day")}</th>
            <th scope="col" data-right>
              {t("entered")}
            </th>
            <th scope="col" data-right>
              {t("unreadable")}
            </th>
            <th scope="col">{t("state")}</th>
          </tr>
        </thead>
        <tbody>
          {of.map(({ date, entered, unreadable, status }) => (
            <tr key={date}>
              <th scope="row">{format.date(`${date}T12:00:00`)}</th>
              <td data-right className="numbers">
                {format.number(entered)}
              </td>
              <td data-right className="numbers">
                {format.number(unreadable)}
              </td>
              <td>
                <Badge tone={tones[status]}>{t(status)}</Badge>
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Section>
  );
}
