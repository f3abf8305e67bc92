import { autocompletion, closeCompletion, completionKeymap, completionStatus } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, foldGutter, foldKeymap, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { search, searchKeymap } from "@codemirror/search";
import { Annotation, Compartment, EditorState, type Extension } from "@codemirror/state";
import { EditorView, keymap, lineNumbers, placeholder as placeholderOf, tooltips } from "@codemirror/view";
import type { LineProblem } from "../notes.tsx";
import type { Suggestions } from "../suggestions.ts";
import type { Warning } from "../warnings.ts";
import { completing } from "./complete.ts";
import { liquidColours } from "./highlight.ts";
import { colours, look } from "./look.ts";
import { texts } from "./told.ts";
import { edges, oneLine, overSelected } from "./typing.ts";

/** What a page tells an editor, and may change at any time. */
export interface Live {
  text: string;
  attributes: Record<string, string>;
  readOnly: boolean;
  placeholder: string;
  warnings: readonly Warning[];
  problems: readonly LineProblem[];
  onChange: (text: string) => void;
  suggest: (text: string, cursor: number) => Suggestions | undefined;
  /** A warning in words, and what writes the near name. */
  say: (warning: Warning) => string;
  write: (near: string) => string;
}

/** What stays as long as the editor is open. */
export interface Fixed {
  lines: number;
  language: "text" | "html" | "mjml";
  nonce: string;
  /** What a screen reader calls the list of names. */
  offered: string;
  /** The words of the editor's search, by those of the library. */
  phrases: Record<string, string>;
}

export interface Editor {
  update: (live: Live) => void;
  /** Also selects, where something was selected before. */
  focus: (from?: number, to?: number) => void;
  destroy: () => void;
}
export interface EditorModule {
  openEditor: typeof openEditor;
}

/** Marks a change that the page made: it is not told to the page again. */
const FromPage = Annotation.define<boolean>();

/** Opens an editor in an element of the page. */
export function openEditor(parent: HTMLElement, first: Live, fixed: Fixed): Editor {
  let live = first;
  const told = texts();
  const [changing, markup] = [new Compartment(), new Compartment()];
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: first.text,
      extensions: [
        changing.of(changeable(first)),
        markup.of([]),
        edges,
        overSelected,
        autocompletion({ override: [completing(() => live)], icons: false }),
        ...(fixed.lines === 1 ? oneLine : [EditorView.lineWrapping]),
        ...(fixed.language === "text" ? [] : [lineNumbers(), foldGutter(), bracketMatching(), search({ top: true })]),
        history(),
        keymap.of(fixed.language === "text" ? [] : [...searchKeymap, ...foldKeymap]),
        keymap.of([...completionKeymap, ...historyKeymap, ...lintKeymap, ...defaultKeymap]),
        liquidColours,
        syntaxHighlighting(colours),
        look(fixed.lines),
        tooltips({ parent: document.body }),
        EditorState.phrases.of({ Completions: fixed.offered, ...fixed.phrases }),
        EditorView.cspNonce.of(fixed.nonce),
        // Esc first closes the names that are offered, and only then the dialog around the field.
        EditorView.contentAttributes.of(({ state }) =>
          completionStatus(state) === null ? null : { "data-mantine-stop-propagation": "true" },
        ),
        EditorView.domEventHandlers({ blur: (_, of) => void closeCompletion(of) }),
        EditorView.updateListener.of(({ docChanged, state, transactions }) => {
          if (!docChanged || transactions.every((one) => one.annotation(FromPage))) return;
          told.tell(state.doc.toString());
          live.onChange(state.doc.toString());
        }),
      ],
    }),
  });
  if (fixed.language !== "text")
    void import("./markup.ts").then(({ markupOf }) =>
      view.dispatch({ effects: markup.reconfigure(markupOf(fixed.language)) }),
    );
  return {
    update(next) {
      const before = live;
      live = next;
      // The same text as before says nothing: what was typed since is on its way.
      if (next.text !== before.text && told.isSet(next.text, view.state.doc.toString())) replaceText(view, next.text);
      if (differ(before, next)) view.dispatch({ effects: changing.reconfigure(changeable(next)) });
      if (before.warnings !== next.warnings || before.problems !== next.problems)
        view.dispatch(setDiagnostics(view.state, diagnosticsOf(view, next)));
    },
    focus(from, to = from) {
      view.focus();
      if (from !== undefined) view.dispatch({ selection: { anchor: from, head: to ?? from }, scrollIntoView: true });
    },
    destroy: () => view.destroy(),
  };
}

const changeable = ({ attributes, readOnly, placeholder }: Live): Extension => [
  EditorView.contentAttributes.of({ ...attributes, spellcheck: "true" }),
  EditorState.readOnly.of(readOnly),
  EditorView.editable.of(!readOnly),
  placeholder === "" ? [] : placeholderOf(placeholder),
];

const differ = (a: Live, b: Live): boolean =>
  a.readOnly !== b.readOnly ||
  a.placeholder !== b.placeholder ||
  JSON.stringify(a.attributes) !== JSON.stringify(b.attributes);

/** Takes another text from the page. Only the part that differs is replaced, so that the cursor stays where it was. */
function replaceText(view: EditorView, text: string): void {
  const now = view.state.doc.toString();
  let start = 0;
  while (start < Math.min(now.length, text.length) && now[start] === text[start]) start++;
  let end = 0;
  while (end < Math.min(now.length, text.length) - start && now.at(-1 - end) === text.at(-1 - end)) end++;
  view.dispatch({
    changes: { from: start, to: now.length - end, insert: text.slice(start, text.length - end) },
    annotations: FromPage.of(true),
  });
}

function diagnosticsOf(view: EditorView, { warnings, problems, say, write }: Live): Diagnostic[] {
  const { doc } = view.state;
  const ofWarning = (warning: Warning): Diagnostic => {
    const { from, to, near } = warning;
    const apply = (of: EditorView, start: number, end: number) =>
      of.dispatch({ changes: { from: start, to: end, insert: near ?? "" } });
    const actions = near === undefined ? [] : [{ name: write(near), apply }];
    return { from, to, severity: "warning", message: say(warning), actions };
  };
  const ofLine = ({ line, message, severity = "error" }: LineProblem): Diagnostic => {
    const { from, to } = doc.line(Math.min(Math.max(line, 1), doc.lines));
    return { from, to, severity, message };
  };
  return [...warnings.filter(({ to }) => to <= doc.length).map(ofWarning), ...problems.map(ofLine)];
}
