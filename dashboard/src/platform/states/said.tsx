import { useLanguage } from "../language/language.ts";

/** What the service says, which speaks English: in another language of the page it is marked as a quotation. */
export function Said({ children }: { children: string }) {
  return useLanguage() === "en" ? children : <q lang="en">{children}</q>;
}
