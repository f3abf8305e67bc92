import { Button, TagsInput } from "@mantine/core";
import { useState } from "react";
import { useRead } from "../../platform/call/queries.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Icon } from "../../platform/look/icons.tsx";
import { missesOf, type Screens, showsOn } from "./match.ts";
import css from "./rules.module.css";
import { texts } from "./texts.ts";

interface ScreensFieldProps {
  value: Screens;
  onChange: (list: "include" | "exclude", patterns: string[]) => void;
  errorOf: (list: "include" | "exclude") => string | undefined;
  disabled: boolean;
}

/** The most names of the catalog that are compared, those named as fitting, and the most names of a rule. */
const [KNOWN, NAMED, MOST] = [200, 6, 100];

/** Returns the screens that applications reported; undefined until they are read. */
export function useKnownScreens(): string[] | undefined {
  const { data } = useRead<{ data: { name: string }[] }>("/screens", { limit: KNOWN });
  return data?.data.map(({ name }) => name);
}

/** On which screens the message shows, with those of the catalog that fit and the names that fit none. */
export function ScreensField({ value, onChange, errorOf, disabled }: ScreensFieldProps) {
  const t = useTexts(texts);
  const known = useKnownScreens();
  return (
    <div className={css.group}>
      {(["include", "exclude"] as const).map((list) => (
        <div key={list}>
          <Patterns
            list={list}
            value={[...value[list]]}
            known={known ?? []}
            onChange={(patterns) => onChange(list, patterns)}
            error={errorOf(list)}
            disabled={disabled}
          />
          {known && known.length > 0 && (
            <Misses
              patterns={value[list]}
              known={known}
              onChange={(patterns) => onChange(list, patterns)}
              off={disabled}
            />
          )}
        </div>
      ))}
      <p className={css.sum} role="status">
        {known && (known.length > 0 ? <Fitting rules={value} known={known} /> : t("matchUnknown"))}
      </p>
    </div>
  );
}

interface PatternsProps {
  list: "include" | "exclude";
  value: string[];
  known: string[];
  onChange: (patterns: string[]) => void;
  error: string | undefined;
  disabled: boolean;
}

function Patterns({ list, value, known, onChange, error, disabled }: PatternsProps) {
  const t = useTexts(texts);
  const [typed, setTyped] = useState("");
  return (
    <TagsInput
      label={t(list)}
      description={t(`${list}Hint`)}
      placeholder={value.length === 0 ? t("addScreen") : ""}
      name={`screens/${list}`}
      value={value}
      onChange={onChange}
      searchValue={typed}
      onSearchChange={setTyped}
      data={known}
      limit={20}
      maxTags={MOST}
      maxLength={200}
      acceptValueOnBlur
      clearable={false}
      error={error}
      disabled={disabled}
    />
  );
}

/** Names that no known screen fits, each with those that were probably meant. */
function Misses({
  patterns,
  known,
  onChange,
  off,
}: {
  patterns: readonly string[];
  known: string[];
  onChange: (to: string[]) => void;
  off: boolean;
}) {
  const t = useTexts(texts);
  const misses = missesOf(patterns, known);
  if (misses.length === 0) return null;
  return (
    <ul className={css.misses}>
      {misses.map(({ pattern, near }) => (
        <li key={pattern} className={css.miss}>
          <Icon name="warn" size={14} />
          {t("miss", { pattern: `“${pattern}”` })} {near.length > 0 && t("mean")}
          {near.map((name) => (
            <Button
              key={name}
              variant="default"
              size="compact-sm"
              disabled={off}
              aria-label={t("useInstead", { name, pattern })}
              onClick={() => onChange([...new Set(patterns.map((one) => (one === pattern ? name : one)))])}
            >
              {name}
            </Button>
          ))}
        </li>
      ))}
    </ul>
  );
}

/** In a sentence, on which of the known screens the message shows. */
function Fitting({ rules, known }: { rules: Screens; known: string[] }) {
  const t = useTexts(texts);
  if (rules.include.length + rules.exclude.length === 0) return t("matchAll");
  const fitting = known.filter((screen) => showsOn(rules, screen));
  if (fitting.length === 0) return t("matchNone", { all: known.length });
  const others = fitting.length - NAMED;
  return (
    <>
      {t("matchSome", { count: fitting.length, all: known.length })}{" "}
      {fitting.slice(0, NAMED).map((name, i) => (
        <span key={name}>
          {i > 0 && ", "}
          <code>{name}</code>
        </span>
      ))}
      {others > 0 && ` ${t("more", { count: others })}`}
    </>
  );
}
