import { HighlightStyle } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** The colours of markup, by the meanings of base.css. */
export const colours = HighlightStyle.define([
  { tag: [tags.tagName, tags.angleBracket], color: "var(--code-tag)" },
  { tag: [tags.attributeName, tags.propertyName], color: "var(--code-name)" },
  { tag: [tags.attributeValue, tags.string, tags.number, tags.unit, tags.color, tags.atom], color: "var(--code-text)" },
  { tag: [tags.comment, tags.documentMeta], color: "var(--quiet)" },
  { tag: tags.invalid, color: "var(--bad)" },
]);

const LINE_PX = 20;
const MOST_PX = 560;

const field = (lines: number) => ({
  "&": {
    border: "1px solid light-dark(var(--mantine-color-gray-4), var(--mantine-color-dark-4))",
    borderRadius: "6px",
    backgroundColor: "light-dark(#fff, var(--mantine-color-dark-6))",
    color: "var(--ink)",
    fontSize: "14px",
  },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "2px" },
  "&:has([aria-invalid])": { borderColor: "var(--bad)" },
  "&:has([aria-readonly])": { backgroundColor: "var(--hover)" },
  ".cm-scroller": {
    fontFamily: "inherit",
    lineHeight: `${LINE_PX}px`,
    ...(lines === 1 ? { overflow: "hidden" } : { maxHeight: `${Math.max(MOST_PX, lines * LINE_PX)}px` }),
  },
  ".cm-content": {
    minHeight: `${lines * LINE_PX}px`,
    padding: "7px 0",
    caretColor: "var(--ink)",
  },
  ".cm-line": { padding: "0 12px" },
});

/** What is beside the text: numbers of lines, the search, folds. */
const around = {
  ".cm-gutters": {
    border: "none",
    borderRadius: "6px 0 0 6px",
    backgroundColor: "transparent",
    color: "var(--quiet)",
    fontFamily: "var(--mono)",
    fontSize: "12px",
  },
  ".cm-gutters + .cm-content": { fontFamily: "var(--mono)", fontSize: "13px" },
  ".cm-panels": { backgroundColor: "var(--surface)", color: "var(--ink)", borderBottom: "1px solid var(--line)" },
  ".cm-panel.cm-search": { padding: "8px 32px 8px 8px" },
  ".cm-panel.cm-search label": { fontSize: "12px", whiteSpace: "nowrap" },
  ".cm-textfield, .cm-button": {
    minHeight: "24px",
    border: "1px solid var(--line)",
    borderRadius: "4px",
    backgroundColor: "var(--canvas)",
    backgroundImage: "none",
    color: "var(--ink)",
    fontSize: "13px",
  },
  ".cm-panel.cm-search [name=close]": { width: "24px", height: "24px", cursor: "pointer" },
  ".cm-searchMatch": { backgroundColor: "var(--warn-soft)" },
  ".cm-searchMatch-selected": { backgroundColor: "var(--accent-soft)", outline: "1px solid var(--accent)" },
  ".cm-foldPlaceholder": { border: "none", backgroundColor: "var(--hover)", color: "var(--quiet)" },
  ".cm-foldGutter .cm-gutterElement": { cursor: "pointer" },
  ".cm-placeholder": { color: "var(--mantine-color-placeholder)" },
  ".cm-matchingBracket": { backgroundColor: "var(--accent-soft)" },
};

/** Words of Liquid, and what is wrong. */
const words = {
  ".lq-block": { backgroundColor: "var(--accent-soft)", borderRadius: "3px" },
  ".lq-edge, .lq-sign": { color: "var(--quiet)" },
  ".lq-tag, .lq-word": { color: "var(--code-tag)" },
  ".lq-name": { color: "var(--accent)" },
  ".lq-filter": { color: "var(--code-name)" },
  ".lq-text, .lq-number": { color: "var(--code-text)" },
  ".lq-comment": { color: "var(--quiet)", fontStyle: "italic" },
  // An underline of dots, and not the image of the library, which the policy refuses.
  ".cm-lintRange-warning": { backgroundImage: "none", textDecoration: "underline dotted 2px var(--warn)" },
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy 1px var(--bad)" },
  ".cm-lintRange-warning, .cm-lintRange-error": { textUnderlineOffset: "3px" },
};

/** Suggestions and messages. */
const tooltips = {
  "&.cm-tooltip, .cm-tooltip": {
    border: "1px solid var(--line)",
    borderRadius: "6px",
    backgroundColor: "var(--raised)",
    color: "var(--ink)",
    boxShadow: "0 4px 16px rgb(0 0 0 / 0.14)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "inherit", fontSize: "13px", maxHeight: "240px" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": {
    display: "flex",
    alignItems: "baseline",
    gap: "16px",
    minHeight: "24px",
    padding: "4px 10px",
    color: "var(--ink)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "var(--accent-soft)",
    color: "var(--ink)",
  },
  ".cm-completionLabel": { fontFamily: "var(--mono)" },
  ".cm-completionDetail": { marginLeft: "auto", color: "var(--quiet)", fontStyle: "normal", fontSize: "12px" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "600" },
  ".cm-diagnostic": { padding: "6px 10px", borderLeftWidth: "3px" },
  ".cm-diagnosticAction": {
    minHeight: "24px",
    border: "1px solid var(--line)",
    borderRadius: "4px",
    backgroundColor: "var(--surface)",
    color: "var(--ink)",
  },
};

/** An editor that looks like the other fields of a page. */
export const look = (lines: number) => EditorView.theme({ ...field(lines), ...around, ...words, ...tooltips });
