import { getNonce } from "get-nonce";
import { type RefObject, useLayoutEffect, useRef } from "react";
import type { Editor, EditorModule, Fixed, Live } from "./editor/editor.ts";

interface MountedProps {
  module: EditorModule;
  opened: RefObject<Editor | undefined>;
  live: Live;
  fixed: Omit<Fixed, "nonce">;
  /** What was selected in the plain field before, if somebody was typing there. */
  typing: readonly [from: number, to: number] | undefined;
}

/** The place of an editor. The page's texts go in, what is typed comes out. */
export function Mounted({ module, opened, live, fixed, typing }: MountedProps) {
  const place = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an editor is opened once; `update` tells it everything later
  useLayoutEffect(() => {
    const editor = module.openEditor(place.current as HTMLElement, live, { ...fixed, nonce: getNonce() ?? "" });
    opened.current = editor;
    if (typing) editor.focus(...typing);
    return () => {
      opened.current = undefined;
      editor.destroy();
    };
  }, [module]);
  useLayoutEffect(() => opened.current?.update(live));
  return <div ref={place} />;
}
