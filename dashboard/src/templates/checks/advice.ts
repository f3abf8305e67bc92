/** Something that an author should consider before the email is sent. */
export interface Advice {
  code:
    | "heavy"
    | "clipped"
    | "link_empty"
    | "link_scheme"
    | "link_local"
    | "link_http"
    | "link_default"
    | "no_alt"
    | "contrast"
    | "no_unsubscribe"
    | "no_default"
    | "no_preheader"
    | "no_text"
    | "subject_long";
  /** The text that it is about. */
  part: "subject" | "preheader" | "body" | "plaintext";
  /** In that text, from 1. */
  line?: number;
  values?: Record<string, string | number>;
}

/** Returns the line of an offset, from 1. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line++;
  return line;
}
