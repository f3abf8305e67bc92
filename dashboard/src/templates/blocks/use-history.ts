import { useEffect, useRef, useState } from "react";

/** The most steps back. */
const MOST = 200;

interface Steps {
  past: string[];
  future: string[];
  /** What the last change was a part of: letters typed into one field are one step. */
  group: string | undefined;
}
const NONE: Steps = { past: [], future: [], group: undefined };

export interface History {
  write(text: string, group?: string): void;
  undo: (() => void) | undefined;
  redo: (() => void) | undefined;
}

/** Steps back and forth of a text that its owner holds. They end where somebody else writes it anew. */
export function useHistory(text: string, onChange: (text: string) => void): History {
  const [steps, setSteps] = useState(NONE);
  const written = useRef(text);
  useEffect(() => {
    if (text !== written.current) setSteps(NONE);
    written.current = text;
  }, [text]);
  const put = (next: string, after: Steps) => {
    written.current = next;
    setSteps(after);
    onChange(next);
  };
  const { past, future, group } = steps;
  const [before, after] = [past.at(-1), future.at(-1)];
  return {
    write(next, of) {
      if (next === text) return;
      const same = of !== undefined && of === group;
      put(next, { past: same ? past : [...past, text].slice(-MOST), future: [], group: of });
    },
    undo:
      before === undefined
        ? undefined
        : () => put(before, { past: past.slice(0, -1), future: [...future, text], group: undefined }),
    redo:
      after === undefined
        ? undefined
        : () => put(after, { past: [...past, text], future: future.slice(0, -1), group: undefined }),
  };
}
