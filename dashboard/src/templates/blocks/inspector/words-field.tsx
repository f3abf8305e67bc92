import { TextInput } from "@mantine/core";
import { lazy, Suspense, useRef } from "react";
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

/**
 * The spaces and line breaks between a tag and its words, which stay as they were. They are kept with the text that was written last: a space that
 * somebody types at the end is one of the words.
 */
interface Margins {
  inner: string;
  before: string;
  after: string;
}
const marginsOf = (inner: string): Margins => ({
  inner,
  before: /^\s*/.exec(inner)?.[0] ?? "",
  after: inner.trim() === "" ? "" : (/\s*$/.exec(inner)?.[0] ?? ""),
});

/** The words of a block: as rich text, as one line for a button, and as code where neither could keep what is there. */
export function WordsField({ source, element, path, kind, acts, readOnly }: WordsFieldProps) {
  const t = useTexts(fieldTexts);
  const words = wordsOf(element);
  const inner = words.inner ? sliceOf(source, words.inner) : "";
  const own = useRef<Margins>(undefined);
  const margins = own.current?.inner === inner ? own.current : marginsOf(inner);
  const html = inner.slice(margins.before.length, inner.length - margins.after.length);
  const doc = richOf(source, words);
  const write = (next: string) => {
    own.current = { ...margins, inner: margins.before + next + margins.after };
    acts.change(withInner(source, words, own.current.inner), `words ${path}`);
  };
  if (kind === "button" && words.children.every(({ kind: of }) => of === "text" || of === "liquid"))
    return (
      <TextInput
        label={t("label")}
        value={decoded(html)}
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
        html={html}
        oneLine={words !== element}
        readOnly={readOnly}
        onChange={write}
      />
    </Suspense>
  );
}
