import { Input } from "@mantine/core";
import { Editor } from "@tiptap/core";
import { useEffect, useId, useRef, useState } from "react";
import { liquidMarks } from "./liquid-marks.ts";
import type { Doc } from "./rich.ts";
import { htmlOf } from "./rich.ts";
import css from "./rich-field.module.css";
import { RichToolbar } from "./rich-toolbar.tsx";
import { extensionsOf } from "./schema.ts";

interface RichFieldProps {
  label: string;
  doc: Doc;
  /** `doc` as HTML. The field takes it over if it differs from what the field wrote last. */
  html: string;
  /** Enter makes a line, no paragraph. */
  oneLine: boolean;
  readOnly: boolean;
  onChange: (html: string) => void;
}

/** A field for words with links, lists and weight. */
export function RichField({ label, doc, html, oneLine, readOnly, onChange }: RichFieldProps) {
  const id = useId();
  const place = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<Editor>();
  const [, redraw] = useState(0);
  const written = useRef(html);
  const latest = useRef(onChange);
  latest.current = onChange;
  // biome-ignore lint/correctness/useExhaustiveDependencies: later contents are set below
  useEffect(() => {
    const made = new Editor({
      element: place.current,
      extensions: [...extensionsOf(oneLine), liquidMarks(css.liquid ?? "")],
      content: doc,
      editable: !readOnly,
      // Its style sheet has no nonce; what is needed of it is in ours.
      injectCSS: false,
      editorProps: {
        attributes: { role: "textbox", "aria-multiline": "true", "aria-labelledby": id, class: css.field ?? "" },
      },
      onUpdate({ editor: of }) {
        const next = htmlOf(of.getJSON() as unknown as Doc);
        written.current = next;
        latest.current(next);
      },
      onTransaction: () => redraw((count) => count + 1),
    });
    setEditor(made);
    return () => made.destroy();
  }, [oneLine, readOnly]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a document that this field did not write
  useEffect(() => {
    if (!editor || html === written.current) return;
    written.current = html;
    editor.commands.setContent(doc, { emitUpdate: false });
  }, [html, editor]);
  return (
    <div aria-busy={!editor}>
      <Input.Label labelElement="div" id={id}>
        {label}
      </Input.Label>
      <div className={css.box}>
        {editor && !readOnly && <RichToolbar editor={editor} lists={!oneLine} />}
        <div ref={place} />
      </div>
    </div>
  );
}
