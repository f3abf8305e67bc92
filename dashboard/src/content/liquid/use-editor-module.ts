import { useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { EditorModule } from "./editor/editor.ts";

// Loaded once, when the first field of a visit is shown.
let loaded: EditorModule | undefined;
const load = async (): Promise<EditorModule> => {
  loaded ??= await import("./editor/editor.ts");
  return loaded;
};

/** Returns the code of the editor as soon as it is loaded, and what was selected in the plain field that it replaces. */
export function useEditorModule() {
  const [editor, setEditor] = useState(loaded);
  const plain = useRef<HTMLTextAreaElement>(null);
  const typing = useRef<readonly [number, number]>(undefined);
  useEffect(() => {
    if (editor) return;
    const take = (module: EditorModule) => {
      const field = plain.current;
      if (field && field === document.activeElement) typing.current = [field.selectionStart, field.selectionEnd];
      // At once: who came into the plain field before a later turn would lose the focus with it, and what is typed then.
      flushSync(() => setEditor(module));
    };
    load().then(take, () => undefined);
  }, [editor]);
  return { editor, plain, typing: typing.current };
}
