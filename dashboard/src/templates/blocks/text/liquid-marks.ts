import { Extension } from "@tiptap/core";
import { Plugin } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";

const LIQUID = /\{\{[^{}]*\}\}|\{%[^{}]*%\}/g;

/** Gives Liquid in a rich text a class, so that one sees what will be replaced. */
export const liquidMarks = (className: string) =>
  Extension.create({
    name: "liquidMarks",
    addProseMirrorPlugins: () => [
      new Plugin({
        props: {
          decorations({ doc }) {
            const found: Decoration[] = [];
            doc.descendants((node, at) => {
              for (const { 0: text, index } of node.text?.matchAll(LIQUID) ?? [])
                found.push(Decoration.inline(at + index, at + index + text.length, { class: className }));
            });
            return DecorationSet.create(doc, found);
          },
        },
      }),
    ],
  });
