import { type Extensions, Mark, mergeAttributes, Node } from "@tiptap/core";
import { encodedValue } from "../mjml/entities.ts";

// The editor has the nodes and marks of rich.ts. `tag` and `own` are the tag and its attributes as they were written; the field itself shows none of
// them, because the policy of the page refuses styles in HTML.

const kept = { tag: { default: "", rendered: false }, own: { default: "", rendered: false } };

const paragraph = Node.create({
  name: "paragraph",
  priority: 1000,
  group: "block",
  content: "inline*",
  addAttributes: () => kept,
  parseHTML: () => [{ tag: "p" }, ...["h1", "h2", "h3", "h4"].map((tag) => ({ tag, attrs: { tag } }))],
  renderHTML: ({ HTMLAttributes }) => ["p", HTMLAttributes, 0],
});

const text = Node.create({ name: "text", group: "inline" });

const hardBreak = (keys: string[]) =>
  Node.create({
    name: "hardBreak",
    group: "inline",
    inline: true,
    selectable: false,
    linebreakReplacement: true,
    addAttributes: () => ({ own: kept.own }),
    parseHTML: () => [{ tag: "br" }],
    renderHTML: ({ HTMLAttributes }) => ["br", HTMLAttributes],
    renderText: () => "\n",
    addKeyboardShortcuts() {
      return Object.fromEntries(
        keys.map((key) => [key, () => this.editor.commands.insertContent({ type: this.name })]),
      );
    },
  });

const list = (name: string, tag: string) =>
  Node.create({
    name,
    group: "block",
    content: "listItem+",
    addAttributes: () => kept,
    parseHTML: () => [{ tag }],
    renderHTML: ({ HTMLAttributes }) => [tag, HTMLAttributes, 0],
  });

const listItem = Node.create({
  name: "listItem",
  content: "paragraph block*",
  defining: true,
  addAttributes: () => kept,
  parseHTML: () => [{ tag: "li" }],
  renderHTML: ({ HTMLAttributes }) => ["li", HTMLAttributes, 0],
  // Not Tab, which leaves the field.
  addKeyboardShortcuts() {
    return {
      Enter: () => this.editor.commands.splitListItem(this.name),
      Backspace: () => {
        const { empty, $from } = this.editor.state.selection;
        return empty && $from.parentOffset === 0 && this.editor.commands.liftListItem(this.name);
      },
    };
  },
});

const mark = (name: string, tags: string[], key?: string) =>
  Mark.create({
    name,
    addAttributes: () => kept,
    parseHTML: () => tags.map((tag) => ({ tag })),
    renderHTML: ({ HTMLAttributes }) => [tags[0] as string, HTMLAttributes, 0],
    addKeyboardShortcuts() {
      return key ? { [key]: () => this.editor.commands.toggleMark(name) } : {};
    },
  });

const link = Mark.create({
  name: "link",
  inclusive: false,
  addAttributes: () => ({ ...kept, href: { default: "", rendered: false } }),
  parseHTML: () => [
    {
      tag: "a[href]",
      getAttrs: (element) => {
        const href = element.getAttribute("href") ?? "";
        return { href, own: ` href="${encodedValue(href)}"` };
      },
    },
  ],
  // No link: a click in the field chooses the word.
  renderHTML: ({ HTMLAttributes }) => ["span", mergeAttributes(HTMLAttributes, { "data-link": "" }), 0],
});

const marks = [
  mark("bold", ["strong", "b"], "Mod-b"),
  mark("italic", ["em", "i"], "Mod-i"),
  mark("underline", ["u"], "Mod-u"),
  mark("strike", ["s", "del"]),
  mark("span", ["span[data-kept]"]),
  link,
];

const doc = (content: string) => Node.create({ name: "doc", topNode: true, content });

/** What a rich text may have in it; a heading has one line. */
export const extensionsOf = (oneLine: boolean): Extensions =>
  oneLine
    ? [doc("paragraph"), paragraph, text, hardBreak(["Enter", "Shift-Enter"]), ...marks]
    : [
        doc("block+"),
        paragraph,
        text,
        hardBreak(["Shift-Enter"]),
        list("bulletList", "ul"),
        list("orderedList", "ol"),
        listItem,
        ...marks,
      ];
