import { Input } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { type ReactNode, type RefObject, useEffect, useId, useMemo, useRef } from "react";
import { useTexts } from "../../platform/language/texts.ts";
import type { Editor, Live } from "./editor/editor.ts";
import css from "./liquid.module.css";
import { Mounted } from "./mounted.tsx";
import { type LineProblem, Notes } from "./notes.tsx";
import { phrasesOf } from "./phrases.ts";
import { scan } from "./scan.ts";
import type { LiquidScope } from "./scope.ts";
import { snippetsAt, suggestionsAt } from "./suggestions.ts";
import { texts } from "./texts.ts";
import { useEditorModule } from "./use-editor-module.ts";
import { useKnown } from "./use-known.ts";
import { type Warning, warningsOf } from "./warnings.ts";

export interface LiquidFieldProps {
  label: string;
  /** Only a screen reader says it: the place of the field shows what it is. */
  labelHidden?: boolean;
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

/** Nobody wants to read that half a name does not exist. */
const PAUSE_MS = 600;
const NONE: readonly never[] = [];

/**
 * A field for a text with Liquid: it colours it, completes names from the catalogs, and warns about names that nobody has. Until its editor is
 * loaded, and where that can't be loaded, it is a plain field.
 */
export function LiquidField(props: LiquidFieldProps) {
  const { label, labelHidden, description, name, value, onChange, error, lines = 1, language = "text" } = props;
  const { maxLength = Number.POSITIVE_INFINITY, readOnly = false, problems = NONE, jump } = props;
  const t = useTexts(texts);
  const id = useId();
  const { editor, plain, typing } = useEditorModule();
  const opened = useRef<Editor>(undefined);
  const live = useLive(props, attributesOf(id, props));
  // biome-ignore lint/correctness/useExhaustiveDependencies: a wish is followed once, as soon as there is an editor
  useEffect(() => {
    if (jump) opened.current?.focus(...lineOf(value, jump.line));
  }, [jump, editor]);
  const replace = ({ from, to, near = "" }: Warning) => {
    onChange(value.slice(0, from) + near + value.slice(to));
    // The button goes away with its warning, and the focus would go with it.
    opened.current?.focus(from, from);
  };
  const focus = () => (opened.current ?? plain.current)?.focus();
  return (
    <Input.Wrapper
      id={id}
      label={label}
      labelElement="div"
      labelProps={{ onClick: focus, ...(labelHidden && { className: "visually-hidden" }) }}
      description={description}
      error={error}
    >
      <div className={css.input} data-bare={labelHidden}>
        {name && <input type="hidden" name={name} value={value} />}
        {editor ? (
          <Mounted
            module={editor}
            opened={opened}
            live={live}
            fixed={{ lines, language, offered: t("offered"), phrases: phrasesOf(t) }}
            typing={typing}
          />
        ) : (
          <Plain of={live} field={plain} lines={lines} />
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

/** Returns what the editor is told at each change: the text, what is wrong with it, and what may be typed next. */
function useLive(props: LiquidFieldProps, attributes: Live["attributes"]): Live {
  const { value: text, onChange, scope, readOnly = false, placeholder = "", problems = NONE } = props;
  const { snippets, own = NONE } = props;
  const t = useTexts(texts);
  const known = useKnown(scope);
  const [paused] = useDebouncedValue(text, PAUSE_MS);
  const warnings = useMemo(
    () => (paused === text ? warningsOf(scan(paused), known) : []),
    [paused, text, known],
  ).filter(({ name: word }) => !own.includes(word) && !(snippets && word === "snippet"));
  return {
    ...{ text, attributes, readOnly, placeholder, problems, onChange },
    warnings: readOnly ? [] : warnings,
    suggest: (typed, cursor) =>
      (snippets && snippetsAt(typed, cursor, snippets)) ?? suggestionsAt(typed, cursor, known, t),
    say: ({ code, name: wrong }) => `${wrong}: ${t(`warn_${code}`)}`,
    write: (near) => t("write", { name: near }),
  };
}

/** The field until the editor is there. */
function Plain({ of, field, lines }: { of: Live; field: RefObject<HTMLTextAreaElement | null>; lines: number }) {
  const { text, placeholder, readOnly, onChange, attributes } = of;
  return (
    <Input
      component="textarea"
      multiline
      ref={field}
      rows={lines}
      value={text}
      placeholder={placeholder}
      readOnly={readOnly}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      {...attributes}
    />
  );
}

function attributesOf(id: string, { description, error, readOnly }: LiquidFieldProps): Live["attributes"] {
  const described = [error && `${id}-error`, description && `${id}-description`].filter(Boolean).join(" ");
  return {
    "aria-labelledby": `${id}-label`,
    ...(described && { "aria-describedby": described }),
    ...(error && { "aria-invalid": "true" }),
    ...(readOnly && { "aria-readonly": "true", tabindex: "0" }),
  };
}

/** The places where a line begins and ends. */
function lineOf(text: string, line: number): [from: number, to: number] {
  const before = text.split("\n").slice(0, line);
  const to = before.join("\n").length;
  return [to - (before.at(-1)?.length ?? 0), to];
}
