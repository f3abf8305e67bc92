import type { RejectedCounts } from "@tidings/contract/facts/ingest";
import type { Static } from "typebox";
import { useRead } from "../platform/call/queries.ts";
import { useFormat } from "../platform/language/format.ts";
import { useTexts } from "../platform/language/texts.ts";
import { Section } from "../platform/look/parts.tsx";
import { Table } from "../platform/look/table.tsx";
import { Answer, Loading } from "../platform/states/states.tsx";
import { useCodes } from "./codes.ts";
import css from "./rejected.module.css";
import type { Change, RejectedSearch } from "./search.ts";
import { texts } from "./texts.ts";

interface CountsProps {
  since: string;
  search: RejectedSearch;
  onChange: (change: Change) => void;
}

/** How much was refused, by what is wrong and where it came in. A row shows only its items. */
export function Counts({ since, search, onChange }: CountsProps) {
  const t = useTexts(texts);
  const format = useFormat();
  const codes = useCodes();
  const read = useRead<Static<typeof RejectedCounts>>(
    "/ingestion/rejected/counts",
    { since },
    { keep: true, everyMs: 15_000 },
  );
  return (
    <Answer of={read} loading={<Loading rows={3} />}>
      {({ data, rejected }) =>
        data.length > 0 && (
          <Section title={t("counts")} aside={<span className="quiet numbers">{t("total", { count: rejected })}</span>}>
            <Table>
              <thead>
                <tr>
                  <th scope="col">{t("code")}</th>
                  <th scope="col">{t("route")}</th>
                  <th scope="col" data-right>
                    {t("count")}
                  </th>
                  <th scope="col" data-right>
                    {t("last")}
                  </th>
                </tr>
              </thead>
              <tbody>
                {data.map(({ code, route, rejected: count, not_kept: uncounted, last_at: last }) => (
                  <tr key={`${code} ${route}`} data-chosen={search.code === code && search.route === route}>
                    <th scope="row">
                      <button
                        type="button"
                        className={css.choose}
                        aria-pressed={search.code === code && search.route === route}
                        onClick={() => onChange({ code, route, open: undefined })}
                      >
                        {codes.titleOf(code)}
                      </button>
                    </th>
                    <td className="mono">{route}</td>
                    <td data-right className="numbers">
                      {format.number(count)}
                      {uncounted > 0 && <div className={css.uncounted}>{t("notKept", { count: uncounted })}</div>}
                    </td>
                    <td data-right className="quiet">
                      <time dateTime={last} title={format.instant(last)}>
                        {format.ago(last)}
                      </time>
                    </td>
                  </tr>
                ))}
              </tbody>
            </Table>
          </Section>
        )
      }
    </Answer>
  );
}
