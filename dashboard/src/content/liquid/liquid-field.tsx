import { Input } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { type ReactNode, useEffect, useId, useMemo, useRef, useState } from "react";
import { type Say, useTexts } from "../../platform/language/texts.ts";
import type { Editor, EditorModule, Live } from "./editor/editor.ts";
import css from "./liquid.module.css";
import { Mounted } from "./mounted.tsx";
import { type LineProblem, Notes } from "./notes.tsx";
import { scan } from "./scan.ts";
import type { LiquidScope } from "./scope.ts";
import { snippetsAt, suggestionsAt } from "./suggestions.ts";
import { texts } from "./texts.ts";
import { useKnown } from "./use-known.ts";
import { type Warning, warningsOf } from "./warnings.ts";

export interface LiquidFieldProps {
  label: string;
  description?: ReactNode;
  /** The name by which a refusal of the service finds the field. */
  name?: string;
  value: string;
  onChange: (text: string) => void;
  error?: string | undefined;
  /** So many lines are seen at least. A field of one line takes no line breaks, and Enter saves its form. */
  lines?: number;
  language?: "text" | "html" | "mjml";
  scope: LiquidScope;
  /** More is said under the field, and not cut. */
  maxLength?: number;
  readOnly?: boolean;
  placeholder?: string;
  /** What others found wrong, marked at its line. */
  problems?: readonly LineProblem[];
  /** A line to go to. Each new object is a wish to go there again. */
  jump?: { line: number } | undefined;
  /** The names that `{% snippet "..." %}` takes here. */
  snippets?: readonly string[];
  /** Names that only this text has, such as `content` of a layout. */
  own?: readonly string[];
}

// Loaded once, when the first field of a visit is shown.
let loaded: EditorModule | undefined;
const load = async (): Promise<EditorModule> => {
  loaded ??= await import("./editor/editor.ts");
  return loaded;
};

/** Nobody wants to read that half a name does not exist. */
const PAUSE_MS = 600;
const NONE: readonly never[] = [];

/**
 * A field for a text with Liquid: it colours it, completes names from the catalogs, and warns about names that nobody has. Until its editor is
 * loaded, and where that can't be loaded, it is a plain field.
 */
export function LiquidField(props: LiquidFieldProps) {
  const { label, description, name, value, onChange, error, scope, lines = 1, language = "text" } = props;
  const {
    maxLength = Number.POSITIVE_INFINITY,
    readOnly = false,
    placeholder = "",
    problems = NONE,
    jump,
    snippets,
    own = NONE,
  } = props;
  const t = useTexts(texts);
  const id = useId();
  const known = useKnown(scope);
  const [paused] = useDebouncedValue(value, PAUSE_MS);
  const warnings = useMemo(
    () => (paused === value ? warningsOf(scan(paused), known) : []),
    [paused, value, known],
  ).filter(({ name: word }) => !own.includes(word) && !(snippets && word === "snippet"));
  const [editor, setEditor] = useState(loaded);
  const plain = useRef<HTMLTextAreaElement>(null);
  const typing = useRef<readonly [number, number]>(undefined);
  useEffect(() => {
    if (editor) return;
    const take = (module: EditorModule) => {
      const field = plain.current;
      if (field && field === document.activeElement) typing.current = [field.selectionStart, field.selectionEnd];
      setEditor(module);
    };
    load().then(take, () => undefined);
  }, [editor]);
  const described = [error && `${id}-error`, description && `${id}-description`].filter(Boolean).join(" ");
  const attributes: Record<string, string> = {
    "aria-labelledby": `${id}-label`,
    ...(described && { "aria-describedby": described }),
    ...(error && { "aria-invalid": "true" }),
    ...(readOnly && { "aria-readonly": "true", tabindex: "0" }),
  };
  const opened = useRef<Editor>(undefined);
  const live: Live = {
    ...{ text: value, attributes, readOnly, placeholder, problems, onChange },
    warnings: readOnly ? [] : warnings,
    suggest: (text, cursor) =>
      (snippets && snippetsAt(text, cursor, snippets)) ?? suggestionsAt(text, cursor, known, t),
    say: ({ code, name: wrong }) => `${wrong}: ${t(`warn_${code}`)}`,
    write: (near) => t("write", { name: near }),
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: a wish is followed once, as soon as there is an editor
  useEffect(() => {
    if (jump) opened.current?.focus(...lineOf(value, jump.line));
  }, [jump, editor]);
  const replace = ({ from, to, near = "" }: Warning) => {
    onChange(value.slice(0, from) + near + value.slice(to));
    // The button goes away with its warning, and the focus would go with it.
    opened.current?.focus(from, from);
  };
  return (
    <Input.Wrapper
      id={id}
      label={label}
      labelElement="div"
      labelProps={{ onClick: () => (opened.current ?? plain.current)?.focus() }}
      description={description}
      error={error}
    >
      <div className={css.input}>
        {name && <input type="hidden" name={name} value={value} />}
        {editor ? (
          <Mounted
            module={editor}
            opened={opened}
            live={live}
            fixed={{ lines, language, offered: t("offered"), phrases: phrasesOf(t) }}
            typing={typing.current}
          />
        ) : (
          <Input
            component="textarea"
            multiline
            ref={plain}
            rows={lines}
            value={value}
            placeholder={placeholder}
            readOnly={readOnly}
            onChange={({ currentTarget }) => onChange(currentTarget.value)}
            {...attributes}
          />
        )}
      </div>
      <Notes
        warnings={live.warnings}
        problems={problems}
        over={value.length - maxLength}
        most={maxLength}
        onReplace={readOnly ? undefined : replace}
      />
    </Input.Wrapper>
  );
}

/** The words of the editor's own parts, such as its search. */
const phrasesOf = (t: Say<typeof texts>): Record<string, string> => ({
  Find: t("find"),
  Replace: t("replace"),
  next: t("findNext"),
  previous: t("findPrevious"),
  all: t("findAll"),
  "match case": t("matchCase"),
  "by word": t("byWord"),
  regexp: t("regexp"),
  replace: t("replaceOne"),
  "replace all": t("replaceAll"),
  close: t("close"),
  "current match": t("currentMatch"),
  "on line": t("onLine"),
  "Fold line": t("fold"),
  "Unfold line": t("unfold"),
  "folded code": t("folded"),
});

/** The places where a line begins and ends. */
function lineOf(text: string, line: number): [from: number, to: number] {
  const before = text.split("\n").slice(0, line);
  const to = before.join("\n").length;
  return [to - (before.at(-1)?.length ?? 0), to];
}
