import { TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import { useTexts } from "../../../platform/language/texts.ts";
import type { Acts } from "../acts.ts";
import type { Block } from "../list/block.ts";
import { sliceOf } from "../mjml/tree.ts";
import { fieldTexts } from "../texts.ts";

const FOR = /^\{%(-?)\s*for\s+(\w+)\s+in\s+([^%\s]+)\s*(-?)%\}$/;
const IF = /^\{%(-?)\s*(if|unless|case)\s+([\s\S]*?)\s*(-?)%\}$/;

interface TagsProps {
  source: string;
  block: Block;
  acts: Acts;
  readOnly: boolean;
}

/** What a block is repeated for, or under which condition it shows. */
export function TagFields({ source, block, acts, readOnly }: TagsProps) {
  const t = useTexts(fieldTexts);
  const { open } = block.tags ?? { open: block };
  const text = sliceOf(source, open);
  const write = (next: string) => acts.change([{ from: open.from, to: open.to, text: next }], `tag ${block.path}`);
  const loop = FOR.exec(text);
  if (loop) {
    const [, begin, each = "", list = "", end] = loop;
    const put = (one: string, all: string) => write(`{%${begin} for ${one} in ${all} ${end}%}`);
    return (
      <>
        <TagField
          label={t("inList")}
          hint={t("inListHint")}
          value={list}
          fits={/^[\w.[\]-]+$/}
          readOnly={readOnly}
          onChange={(value) => put(each, value)}
        />
        <TagField
          label={t("each")}
          value={each}
          fits={/^\w+$/}
          readOnly={readOnly}
          onChange={(value) => put(value, list)}
        />
      </>
    );
  }
  const [, begin, word, condition] = IF.exec(text) ?? [];
  const end = IF.exec(text)?.[4] ?? "";
  if (condition !== undefined)
    return (
      <TagField
        label={t("condition")}
        hint={t("conditionHint")}
        value={condition}
        fits={/^(?!.*%\})\S(?:.*\S)?$/}
        readOnly={readOnly}
        onChange={(value) => write(`{%${begin} ${word} ${value} ${end}%}`)}
      />
    );
  return (
    <TagField
      label={t("tag")}
      value={text}
      fits={/^\{%-?\s*(?:for|if|unless|case)\b(?:(?!%\}).)*%\}$/}
      readOnly={readOnly}
      onChange={write}
    />
  );
}

interface TagFieldProps {
  label: string;
  hint?: string;
  value: string;
  /** What may be written: anything else stays in the field. */
  fits: RegExp;
  readOnly: boolean;
  onChange: (value: string) => void;
}

function TagField({ label, hint, value, fits, readOnly, onChange }: TagFieldProps) {
  const t = useTexts(fieldTexts);
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped((now) => (now.trim() === value ? now : value)), [value]);
  return (
    <TextInput
      label={label}
      description={hint}
      value={typed}
      readOnly={readOnly}
      spellCheck={false}
      error={fits.test(typed.trim()) ? undefined : t("broken")}
      onChange={(event) => {
        const next = event.currentTarget.value;
        setTyped(next);
        if (fits.test(next.trim())) onChange(next.trim());
      }}
    />
  );
}
