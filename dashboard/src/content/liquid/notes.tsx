import { UnstyledButton } from "@mantine/core";
import { useTexts } from "../../platform/language/texts.ts";
import { Icon } from "../../platform/look/icons.tsx";
import css from "./liquid.module.css";
import { texts } from "./texts.ts";
import type { Warning } from "./warnings.ts";

/** Something about a line of the text that others found, such as the service while it compiled it. */
export interface LineProblem {
  /** From 1. */
  line: number;
  column?: number | undefined;
  message: string;
  severity?: "error" | "warning" | undefined;
}

interface NotesProps {
  warnings: readonly Warning[];
  problems: readonly LineProblem[];
  /** By how many characters the text is too long, and how many fit. */
  over: number;
  most: number;
  /** Writes the near name. Undefined where nothing can be changed. */
  onReplace: ((warning: Warning) => void) | undefined;
}

const SHOWN = 3;

/** What is probably wrong with the text, under the field. */
export function Notes({ warnings, problems, over, most, onReplace }: NotesProps) {
  const t = useTexts(texts);
  const hidden = [warnings, problems].reduce((sum, { length }) => sum + Math.max(0, length - SHOWN), 0);
  return (
    <ul className={css.notes} role="status">
      {over > 0 && <li data-bad="true">{t("tooLong", { over, most })}</li>}
      {problems.slice(0, SHOWN).map(({ line, column, message, severity }) => (
        <li key={`${line} ${column} ${message}`} data-bad={severity !== "warning"}>
          {t("line", { line, message })}
        </li>
      ))}
      {warnings.slice(0, SHOWN).map((warning) => {
        const { code, name, near, from } = warning;
        return (
          <li key={from}>
            <Icon name="warn" size={13} />
            <span>
              <code>{name}</code>: {t(`warn_${code}`)}
              {near && ";"}
            </span>
            {near &&
              (onReplace ? (
                <UnstyledButton
                  className={css.near ?? ""}
                  title={t("write", { name: near })}
                  onClick={() => onReplace(warning)}
                >
                  {near}?
                </UnstyledButton>
              ) : (
                <code>{near}?</code>
              ))}
          </li>
        );
      })}
      {hidden > 0 && <li>{t("more", { count: hidden })}</li>}
    </ul>
  );
}
