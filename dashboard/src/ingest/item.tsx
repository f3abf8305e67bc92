import type { Rejected } from "@tidings/contract/facts/ingest";
import { Link } from "@tanstack/react-router";
import type { Static } from "typebox";
import { useWorkspace } from "../platform/call/workspace.ts";
import { useFormat } from "../platform/language/format.ts";
import { useTexts } from "../platform/language/texts.ts";
import { OpeningRow } from "../platform/list/opening-row.tsx";
import { Facts, Note, Source } from "../platform/look/parts.tsx";
import { Copy } from "../platform/states/copy.tsx";
import { Said } from "../platform/states/said.tsx";
import { useCodes } from "./codes.ts";
import css from "./rejected.module.css";
import { texts } from "./texts.ts";

type RejectedRow = Static<typeof Rejected>;

/** One thing that was refused. It opens to what to do, and to the data as it arrived. */
export function Item({ row, open, onOpen }: { row: RejectedRow; open: boolean; onOpen: () => void }) {
  const codes = useCodes();
  return (
    <OpeningRow
      what={<strong>{codes.titleOf(row.code)}</strong>}
      more={<Said>{row.reason}</Said>}
      at={row.at}
      open={open}
      onOpen={onOpen}
    >
      <Body row={row} />
    </OpeningRow>
  );
}

function Body({ row }: { row: RejectedRow }) {
  const t = useTexts(texts);
  const format = useFormat();
  const codes = useCodes();
  const { id: workspace } = useWorkspace();
  const advice = codes.adviceOf(row.code);
  return (
    <div className={css.body}>
      {advice && <Note tone="warn">{advice}</Note>}
      {row.errors.length > 0 && (
        <ul className={css.errors}>
          {row.errors.map(({ pointer, parameter, message }) => (
            <li key={`${pointer} ${parameter} ${message}`}>
              <code>{pointer ?? parameter}</code> <Said>{message}</Said>
            </li>
          ))}
        </ul>
      )}
      <Facts
        of={[
          [t("route"), <code key="route">{row.route}</code>],
          [t("position"), row.item !== null && format.number(row.item)],
          [
            t("person"),
            row.person_id !== null && (
              <Link to="/w/$workspace/people/$person" params={{ workspace, person: row.person_id }}>
                {row.person_id}
              </Link>
            ),
          ],
          [t("at"), format.instant(row.at)],
          [t("code"), <code key="code">{row.code}</code>],
          [
            t("request"),
            <>
              <code className="cut">{row.request_id}</code>
              <Copy value={row.request_id} what={t("request")} />
            </>,
          ],
        ]}
      />
      <h3 className={css.dataTitle}>{t("data")}</h3>
      {row.data === null ? (
        <p className="quiet">{t("noData")}</p>
      ) : (
        <Source text={typeof row.data === "string" ? row.data : JSON.stringify(row.data, null, 2)} />
      )}
    </div>
  );
}
