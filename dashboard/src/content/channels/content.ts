/** The content of an email, a push or an SMS, as the API has it. */
export type Content = Record<string, unknown>;

export const textIn = (content: Content, field: string): string => {
  const text = content[field];
  return typeof text === "string" ? text : "";
};

/** What the content of each channel can't do without. */
const REQUIRED: ReadonlySet<string> = new Set(["subject", "body", "title", "message"]);

/** Returns the content with another text in a field. An empty field that content can do without is left out. */
export function withText(content: Content, field: string, text: string): Content {
  if (text !== "" || (REQUIRED.has(field) && content.template_id === undefined)) return { ...content, [field]: text };
  const { [field]: _, ...others } = content;
  return others;
}

/** What a new message begins with. */
export const emptyContent = (channel: "email" | "push" | "sms"): Content =>
  ({ email: { subject: "", body: "" }, push: { title: "", message: "" }, sms: { body: "" } })[channel];
