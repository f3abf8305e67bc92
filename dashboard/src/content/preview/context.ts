import { useState } from "react";
import { useWorkspace } from "../../platform/call/workspace.ts";

/** As whom and how a message is looked at before it is sent. */
export interface PreviewContext {
  /** A person_id; empty for nobody. */
  person: string;
  screen: string;
  /** A language tag instead of the person's own language; empty for theirs. */
  locale: string;
  device: "desktop" | "phone";
  dark: boolean;
}

const FIRST: PreviewContext = { person: "", screen: "", locale: "", device: "desktop", dark: false };
const KEPT = "tidings.preview.";

/** The context of a preview. The person stays the same from message to message while the window is open. */
export function usePreviewContext(first: Partial<PreviewContext> = {}) {
  const key = KEPT + useWorkspace().id;
  const [context, setContext] = useState(() => ({ ...FIRST, person: sessionStorage.getItem(key) ?? "", ...first }));
  const change = (next: PreviewContext) => {
    if (next.person !== context.person) sessionStorage.setItem(key, next.person);
    setContext(next);
  };
  return [context, change] as const;
}
