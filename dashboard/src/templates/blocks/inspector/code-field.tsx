import { Textarea } from "@mantine/core";
import { useEffect, useState } from "react";
import { useTexts } from "../../../platform/language/texts.ts";
import css from "../blocks.module.css";
import { readTree } from "../mjml/tree.ts";
import { fieldTexts } from "../texts.ts";

interface CodeFieldProps {
  label: string;
  description: string;
  value: string;
  readOnly: boolean;
  onChange: (value: string) => void;
}

/** A slice of the email as it is written. What would break the email around it is kept here until it is whole. */
export function CodeField({ label, description, value, readOnly, onChange }: CodeFieldProps) {
  const t = useTexts(fieldTexts);
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  return (
    <Textarea
      label={label}
      description={description}
      value={typed}
      readOnly={readOnly}
      autosize
      minRows={3}
      maxRows={20}
      spellCheck={false}
      classNames={{ input: css.source ?? "" }}
      error={isWhole(typed) ? undefined : t("broken")}
      onChange={(event) => {
        const next = event.currentTarget.value;
        setTyped(next);
        if (isWhole(next)) onChange(next);
      }}
    />
  );
}

const BLOCK = /\{%-?\s*(end)?(for|if|unless|case|capture|tablerow)\b/g;

/** Whether each element and each tag of Liquid that begins here also ends here. */
function isWhole(text: string): boolean {
  try {
    readTree(text);
  } catch {
    return false;
  }
  const open: string[] = [];
  for (const [, end, name = ""] of text.matchAll(BLOCK))
    if (!end) open.push(name);
    else if (open.pop() !== name) return false;
  return open.length === 0;
}
