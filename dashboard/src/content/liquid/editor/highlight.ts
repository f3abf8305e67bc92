import { type Range, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
import { scan, type TokenKind } from "../scan.ts";

const kinds: readonly TokenKind[] = ["edge", "tag", "filter", "word", "name", "text", "number", "sign", "comment"];
const marks = Object.fromEntries(kinds.map((kind) => [kind, Decoration.mark({ class: `lq-${kind}` })])) as Record<
  TokenKind,
  Decoration
>;
const block = Decoration.mark({ class: "lq-block" });

function marked(text: string): DecorationSet {
  const { blocks, tokens } = scan(text);
  const ranges: Range<Decoration>[] = [
    ...blocks.map(({ from, to }) => block.range(from, to)),
    ...tokens.map(({ kind, from, to }) => marks[kind].range(from, to)),
  ];
  return Decoration.set(ranges, true);
}

/** The colours of Liquid, over those of the markup around it. */
export const liquidColours = StateField.define<DecorationSet>({
  create: (state) => marked(state.doc.toString()),
  update: (before, { docChanged, state }) => (docChanged ? marked(state.doc.toString()) : before),
  provide: (field) => EditorView.decorations.from(field),
});
