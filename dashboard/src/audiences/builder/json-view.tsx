import { Textarea } from "@mantine/core";
import { useState } from "react";
import { useTexts } from "../../platform/language/texts.ts";
import css from "./builder.module.css";
import type { Part } from "./model/tree.ts";
import { useBuilding } from "./state.ts";
import { texts } from "./texts.ts";

const written = (value: Part | null): string => (value === null ? "" : JSON.stringify(value, null, 2));

/** The filter as JSON. What is typed counts as soon as it is valid; until then the filter stays as it was. */
export function JsonView({ value, onChange }: { value: Part | null; onChange: (filter: Part) => void }) {
  const t = useTexts(texts);
  const { errorOf } = useBuilding();
  const [typed, setTyped] = useState(() => written(value));
  const [problem, setProblem] = useState<string>();
  const [given, setGiven] = useState(value);
  if (given !== value) {
    setGiven(value);
    // Somebody else's change, such as taking a newer version; one's own is there as it is typed.
    if (!problem && written(value) !== compact(typed)) setTyped(written(value));
  }
  const type = (text: string) => {
    setTyped(text);
    try {
      const read: unknown = JSON.parse(text);
      if (typeof read !== "object" || read === null || Array.isArray(read)) return setProblem(t("jsonObject"));
      setProblem(undefined);
      onChange(read as Part);
    } catch (error) {
      setProblem(t("jsonBad", { message: (error as Error).message }));
    }
  };
  return (
    <Textarea
      aria-label={t("json")}
      classNames={{ input: css.json ?? "" }}
      autosize
      minRows={6}
      maxRows={28}
      spellCheck={false}
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
      error={problem ?? errorOf("")}
    />
  );
}

/** Returns JSON as this view indents it; a text that is no JSON is returned unchanged. */
function compact(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
