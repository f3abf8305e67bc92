import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useTexts } from "../../platform/language/texts.ts";
import type { Badges } from "../canvas/context.ts";
import { pressed } from "../editor/keys.ts";
import type { Editor } from "../editor/use-editor.ts";
import type { Item } from "../model/items.ts";
import css from "./outline.module.css";
import { OutlineRow } from "./outline-row.tsx";
import { texts } from "./texts.ts";

interface OutlineProps {
  editor: Editor;
  problems: (stepId: string | null) => number;
  nameOf: (id: string) => string | undefined;
  badges: Badges | undefined;
}

/** The journey as a tree of rows: everything that can be done on the canvas, for keys and screen readers and on a phone. */
export function Outline({ editor, problems, nameOf, badges }: OutlineProps) {
  const t = useTexts(texts);
  const tree = useRef<HTMLDivElement>(null);
  const focused = useRef(editor.focus);
  // Here and not in a row: the chosen one may be new.
  useEffect(() => {
    if (focused.current !== editor.focus) tree.current?.querySelector<HTMLElement>("[aria-selected=true]")?.focus();
    focused.current = editor.focus;
  }, [editor.focus]);
  const { shown, at, expanded, fold, press } = useTree(editor);
  return (
    <div className={css.scroll}>
      <div ref={tree} role="tree" aria-label={t("outline")} className={css.tree} onKeyDown={press} tabIndex={-1}>
        {shown.map((item) => (
          <OutlineRow
            key={item.key}
            item={item}
            draft={editor.draft.values}
            isChosen={item === at}
            expanded={expanded(item)}
            problems={item.kind === "way" ? 0 : problems(item.kind === "step" ? item.step.id : null)}
            held={editor.held}
            nameOf={nameOf}
            badges={badges}
            onChoose={editor.choose}
            onOpen={editor.setOpen}
            onAdd={editor.draft.off ? undefined : editor.addAfter}
            onFold={fold}
          />
        ))}
      </div>
    </div>
  );
}

/** Which branches of the tree are closed, and what its keys do: arrows, Home and End as in any tree, and the keys of the editor. */
function useTree(editor: Editor) {
  const { items, chosen } = editor;
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const shown = useMemo(() => visible(items, closed), [items, closed]);
  const parents = useMemo(() => new Set(items.map((item) => (item.kind === "start" ? "" : item.parent))), [items]);
  // Somewhere in a closed branch: the branch itself has the focus then.
  const at = shown.find(({ key }) => key === chosen) ?? shown[0];
  // This function never changes, so that a row is drawn again only if what it shows has changed.
  const fold = useCallback(
    (key: string, close: boolean) =>
      setClosed((before) => {
        const next = new Set(before);
        if (close) next.add(key);
        else next.delete(key);
        return next;
      }),
    [],
  );
  const go = (key: string | undefined) => {
    if (key === undefined) return;
    editor.choose(key);
    editor.focusChosen();
  };
  const arrow = (name: string): boolean => {
    if (!at) return false;
    const place = shown.indexOf(at);
    const isOpen = parents.has(at.key) && !closed.has(at.key);
    const canFold = at.kind !== "start" && parents.has(at.key);
    if (name === "ArrowDown") go(shown[place + 1]?.key);
    else if (name === "ArrowUp") go(shown[place - 1]?.key);
    else if (name === "Home") go(shown[0]?.key);
    else if (name === "End") go(shown.at(-1)?.key);
    else if (name === "ArrowRight" && canFold && !isOpen) fold(at.key, false);
    else if (name === "ArrowRight" && isOpen) go(shown[place + 1]?.key);
    else if (name === "ArrowLeft" && canFold && isOpen) fold(at.key, true);
    else if (name === "ArrowLeft" && at.kind !== "start") go(at.parent);
    else return false;
    return true;
  };
  const press = (event: KeyboardEvent) => {
    // A number in a row opens its people.
    if (event.key === "Enter" && (event.target as HTMLElement).closest("a")) return;
    const plain = !event.altKey && !event.ctrlKey && !event.metaKey;
    if (plain && arrow(event.key)) event.preventDefault();
    else if (at) pressed(event, at.key, editor);
  };
  const expanded = (item: Item) => (item.kind !== "start" && parents.has(item.key) ? !closed.has(item.key) : undefined);
  return { shown, at, expanded, fold, press };
}

/** Returns the items that no closed one contains. */
function visible(items: Item[], closed: ReadonlySet<string>): Item[] {
  const hidden = new Set<string>();
  return items.filter((item) => {
    if (item.kind === "start") return true;
    const isHidden = hidden.has(item.parent) || closed.has(item.parent);
    if (isHidden) hidden.add(item.key);
    return !isHidden;
  });
}
