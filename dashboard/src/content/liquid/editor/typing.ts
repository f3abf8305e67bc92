import { startCompletion } from "@codemirror/autocomplete";
import { EditorState, Prec } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";

/** Closes what `{{` and `{%` open, with the cursor between, and steps over the closing edge that one types all the same. */
export const edges = EditorView.inputHandler.of((view, from, to, text) => {
  if (text.length !== 1 || from !== to || view.state.readOnly || view.compositionStarted) return false;
  const before = view.state.sliceDoc(Math.max(0, from - 3), from);
  const after = view.state.sliceDoc(from, from + 3);
  const move = (insert: string, cursor: number) => {
    view.dispatch({ changes: { from, insert }, selection: { anchor: from + cursor }, userEvent: "input.type" });
    return true;
  };
  if ((text === "{" || text === "%") && /(?:^|[^{])\{$/.test(before) && !/^\s*[}%]/.test(after)) {
    move(`${text}  ${text === "{" ? "}" : "%"}}`, 2);
    startCompletion(view);
    return true;
  }
  // Whoever is used to write the space does not get two of them.
  if (text === " " && /\{[{%] $/.test(before) && /^ [}%]\}/.test(after)) return true;
  if (text === "}" || text === "%") {
    const closes = text === "}" ? /^ ?\}\}/ : /^ ?%\}/;
    const over = closes.exec(after)?.[0].length;
    if (over) {
      // A space before it was written too.
      if (over === 3 && before.endsWith(" "))
        view.dispatch({ changes: { from, to: from + 1 }, selection: { anchor: from + 1 }, userEvent: "input.type" });
      else move("", over - 1);
      return true;
    }
    if (text === "}" && /[}%]$/.test(before) && after.startsWith("}")) return move("", 1);
  }
  return false;
});

/**
 * Writes over a selection without the browser. Chromium gives what is typed there the colours of what was selected as a style of its own, which
 * the policy of the page refuses and reports.
 */
export const overSelected = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { main, ranges } = view.state.selection;
    if (event.inputType !== "insertText" || !event.data || event.isComposing || view.compositionStarted) return false;
    if (main.empty || ranges.length > 1 || view.state.readOnly) return false;
    event.preventDefault();
    view.dispatch(view.state.replaceSelection(event.data), { userEvent: "input.type", scrollIntoView: true });
    return true;
  },
});

/** A field of one line: what is pasted comes without its line breaks, and Enter saves the form as in any field. */
export const oneLine = [
  EditorState.transactionFilter.of((transaction) => {
    if (!transaction.docChanged || transaction.newDoc.lines === 1) return transaction;
    const text = transaction.newDoc.toString().replaceAll(/\s*\n\s*/g, " ");
    return {
      changes: { from: 0, to: transaction.startState.doc.length, insert: text },
      selection: { anchor: Math.min(transaction.newSelection.main.head, text.length) },
      userEvent: "input",
    };
  }),
  EditorView.contentAttributes.of({ "aria-multiline": "false" }),
  Prec.low(
    keymap.of([
      {
        key: "Enter",
        run: (view) => {
          view.dom.closest("form")?.requestSubmit();
          return true;
        },
      },
    ]),
  ),
];
