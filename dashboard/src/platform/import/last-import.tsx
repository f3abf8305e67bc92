import type { Import } from "@tidings/contract/imports";
import { ActionIcon, Progress } from "@mantine/core";
import { useEffect, useState } from "react";
import { useRead } from "../call/queries.ts";
import { useFormat } from "../language/format.ts";
import { useTexts } from "../language/texts.ts";
import { Icon } from "../look/icons.tsx";
import { Note } from "../look/parts.tsx";
import { Disclosure } from "../look/disclosure.tsx";
import css from "./import.module.css";
import { Said } from "../states/said.tsx";
import { texts } from "./texts.ts";

const EVERY_MS = 1_500;
/** A file that was read longer ago is no news. */
const NEWS_MS = 3_600_000;

interface LastImportProps {
  kind: Import["kind"];
  /** The audience. */
  target?: string;
  /** Called when more lines are in. */
  onProgress: () => void;
}

/** The file that is being read, or was read within the last hour: how far it came, and which lines it refused. */
export function LastImport({ kind, target, onProgress }: LastImportProps) {
  const [running, setRunning] = useState(false);
  const [hidden, setHidden] = useState<string>();
  const read = useRead<{ data: Import[] }>(
    "/imports",
    { kind, limit: 1, ...(target && { target }) },
    running ? { everyMs: EVERY_MS } : {},
  );
  const last = read.data?.data[0];
  const rows = last?.rows;
  useEffect(() => setRunning(last?.status === "running"), [last?.status]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list is read anew when more lines are in it
  useEffect(() => {
    if (rows) onProgress();
  }, [rows, last?.status]);
  if (!last || last.id === hidden) return null;
  if (last.finished_at && Date.now() - Date.parse(last.finished_at) > NEWS_MS) return null;
  return <Progressed last={last} onHide={() => setHidden(last.id)} />;
}

function Progressed({ last, onHide }: { last: Import; onHide: () => void }) {
  const t = useTexts(texts);
  const format = useFormat();
  const { status, bytes, bytes_read, started_at, errors, refused, reason } = last;
  const share = bytes > 0 ? (bytes_read / bytes) * 100 : 100;
  const took = Date.now() - Date.parse(started_at);
  const left =
    bytes_read > 0 ? new Date(Date.now() + (took * (bytes - bytes_read)) / bytes_read).toISOString() : undefined;
  const counts = t("importCounts", {
    rows: format.number(last.rows),
    added: format.number(last.added),
    known: format.number(last.known),
    refused: format.number(refused),
  });
  const tone = status === "done" ? (refused > 0 ? "warn" : "good") : status === "running" ? "plain" : "bad";
  return (
    <Note tone={tone}>
      <div className={css.told}>
        <span>
          {t(`import_${status}`)} {counts} {reason && <Said>{reason}</Said>}
          {status === "running" && left && ` ${t("left", { time: format.ago(left) })}`}
        </span>
        {status !== "running" && (
          <ActionIcon variant="subtle" color="gray" size={24} onClick={onHide} aria-label={t("hide")}>
            <Icon name="close" size={14} />
          </ActionIcon>
        )}
      </div>
      {status === "running" && <Progress className={css.progress ?? ""} value={share} aria-label={t("progress")} />}
      {errors.length > 0 && (
        <Disclosure title={t("refusedLines")}>
          {refused > errors.length && <p>{t("firstLines", { count: errors.length })}</p>}
          <ul className={css.refused}>
            {errors.map(({ line, message }) => (
              <li key={line}>{t("line", { line, message })}</li>
            ))}
          </ul>
        </Disclosure>
      )}
    </Note>
  );
}
