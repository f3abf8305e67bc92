import type { KeyboardEvent } from "react";
import { stepOfKey } from "../model/items.ts";
import type { Editor } from "./use-editor.ts";

type Change = Pick<Editor, "draft" | "addAfter" | "remove" | "duplicate" | "move" | "hold" | "held" | "setOpen">;
const MOVES = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "out", ArrowRight: "in" } as const;

/** Does what a key means on an item of the journey, in the canvas and in the outline alike. Returns whether it meant something. */
export function pressed(event: KeyboardEvent, key: string, editor: Change): boolean {
  const id = stepOfKey(key);
  const isStep = key.startsWith("step ") && id !== undefined;
  const work = ((): (() => void) | undefined => {
    if (event.ctrlKey || event.metaKey) {
      const letter = event.key.toLowerCase();
      if (letter === "z") return event.shiftKey ? editor.draft.redo : editor.draft.undo;
      if (letter === "y") return editor.draft.redo;
      return letter === "d" && isStep ? () => editor.duplicate(id) : undefined;
    }
    if (event.altKey) {
      const way = MOVES[event.key as keyof typeof MOVES];
      return way && isStep ? () => editor.move(id, way) : undefined;
    }
    switch (event.key) {
      case "Enter":
      case " ":
        return () => editor.setOpen(true);
      case "a":
      case "+":
        return () => editor.addAfter(key);
      case "Delete":
      case "Backspace":
        return isStep ? () => editor.remove(id) : undefined;
      case "x":
        return isStep ? () => editor.hold(editor.held === id ? undefined : id) : undefined;
      case "Escape":
        return editor.held === undefined ? undefined : () => editor.hold(undefined);
      default:
        return undefined;
    }
  })();
  if (!work) return false;
  event.preventDefault();
  event.stopPropagation();
  work();
  return true;
}
