import { TextInput } from "@mantine/core";
import { lazy, Suspense } from "react";
import { useTexts } from "../../../platform/language/texts.ts";
import { Loading } from "../../../platform/states/states.tsx";
import type { Acts } from "../acts.ts";
import { type Kind, wordsOf } from "../list/block.ts";
import { withInner } from "../mjml/edit.ts";
import { decoded, encoded } from "../mjml/entities.ts";
import { type Element, sliceOf } from "../mjml/tree.ts";
import { richOf } from "../text/rich.ts";
import { fieldTexts } from "../texts.ts";
import { CodeField } from "./code-field.tsx";

const RichField = lazy(() =>
  import("../text/rich-field.tsx").then(({ RichField: default_ }) => ({ default: default_ })),
);

interface WordsFieldProps {
  source: string;
  element: Element;
  path: string;
  kind: Kind;
  acts: Acts;
  readOnly: boolean;
}

/** The words of a block: as rich text, as one line for a button, and as code where neither could keep what is there. */
export function WordsField({ source, element, path, kind, acts, readOnly }: WordsFieldProps) {
  const t = useTexts(fieldTexts);
  const words = wordsOf(element);
  const inner = words.inner ? sliceOf(source, words.inner) : "";
  const [before = ""] = /^\s*/.exec(inner) ?? [];
  const [after = ""] = inner.trim() === "" ? [] : (/\s*$/.exec(inner) ?? []);
  const doc = richOf(source, words);
  const write = (html: string) => acts.change(withInner(source, words, before + html + after), `words ${path}`);
  if (kind === "button" && words.children.every(({ kind: of }) => of === "text" || of === "liquid"))
    return (
      <TextInput
        label={t("label")}
        value={decoded(inner.slice(before.length, inner.length - after.length))}
        readOnly={readOnly}
        onChange={(event) => write(encoded(event.currentTarget.value))}
      />
    );
  if (!doc || kind === "button")
    return (
      <CodeField
        label={t("words")}
        description={t("wordsAsCode")}
        value={inner}
        readOnly={readOnly}
        onChange={(text) => acts.change(withInner(source, words, text), `words ${path}`)}
      />
    );
  return (
    <Suspense fallback={<Loading rows={2} />}>
      <RichField
        label={t("words")}
        doc={doc}
        html={inner.trim()}
        oneLine={words !== element}
        readOnly={readOnly}
        onChange={write}
      />
    </Suspense>
  );
}
