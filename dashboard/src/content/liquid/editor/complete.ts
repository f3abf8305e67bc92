import {
  type Completion,
  type CompletionContext,
  type CompletionSource,
  pickedCompletion,
  startCompletion,
} from "@codemirror/autocomplete";
import type { EditorView } from "@codemirror/view";
import type { Suggestion, Suggestions } from "../suggestions.ts";

/** The names that can stand at the cursor, by the catalogs. */
export function completing(of: () => { suggest: (text: string, cursor: number) => Suggestions | undefined }) {
  const source: CompletionSource = ({ state, pos }: CompletionContext) => {
    const found = of().suggest(state.doc.toString(), pos);
    // In the order in which they are given: names that more people have come first.
    const options = found?.of.map((one, i) => optionOf(one, found.of.length - i));
    return found && options ? { from: found.from, options, validFor: /^[\w-]*$/ } : null;
  };
  return source;
}

const optionOf = ({ name, detail, open = false }: Suggestion, rank: number): Completion => ({
  label: name,
  ...(detail && { detail }),
  boost: Math.min(99, rank / 20),
  ...(open && { apply: goOn }),
});

/** Writes a name below which there are others, and offers those. */
function goOn(view: EditorView, completion: Completion, from: number, to: number): void {
  const point = view.state.sliceDoc(to, to + 1) === "." ? "" : ".";
  view.dispatch({
    changes: { from, to, insert: completion.label + point },
    selection: { anchor: from + completion.label.length + 1 },
    userEvent: "input.complete",
    annotations: pickedCompletion.of(completion),
  });
  startCompletion(view);
}
