import type { Layout, Snippet, Template } from "../template.ts";

const CONTENT = /\{\{-?\s*content\s*-?\}\}/;

/** Whether a place of a text is within an element. */
const isWithin = (text: string, at: number, name: string): boolean =>
  text.lastIndexOf(`<${name}`, at) > text.lastIndexOf(`</${name}`, at);

/** Returns a body that fits at the place of the content of a layout. */
export function sampleFor({ body, format }: Pick<Layout, "body" | "format">, words: string): string {
  const at = CONTENT.exec(body)?.index ?? 0;
  if (format === "html") return `<p>${words}</p>`;
  if (isWithin(body, at, "mj-text")) return words;
  const text = `<mj-text>${words}</mj-text>`;
  if (isWithin(body, at, "mj-column")) return text;
  const column = `<mj-column>${text}</mj-column>`;
  return isWithin(body, at, "mj-section") ? column : `<mj-section>${column}</mj-section>`;
}

/** Returns a body around a snippet, as its first element needs it. */
export function aroundSnippet({ name, body }: Pick<Snippet, "name" | "body">): string {
  const tag = `{% snippet "${name}" %}`;
  const first = /^(?:\s|<!--[\s\S]*?-->)*<(mj-[a-z]+|mjml)/i.exec(body)?.[1]?.toLowerCase();
  if (first === undefined || first === "mjml") return tag;
  if (first === "mj-head" || first === "mj-body") return `<mjml>${tag}</mjml>`;
  const column = /^mj-(?:section|wrapper|hero)$/.test(first)
    ? tag
    : `<mj-section>${first === "mj-column" ? tag : `<mj-column>${tag}</mj-column>`}</mj-section>`;
  return `<mjml><mj-body>${column}</mj-body></mjml>`;
}

/** The texts of a template as a preview takes them. */
export const textsOf = ({ subject, preheader, body, format, plaintext, layout_id, from, reply_to }: Template) => ({
  ...{ subject, preheader, body, format, plaintext, layout_id, from, reply_to },
});
