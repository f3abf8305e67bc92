import type { Step } from "@tidings/contract/campaigns/steps";
import { useCallback, useMemo, useRef, useState } from "react";
import type { Kind } from "../model/ids.ts";
import { type Item, itemsOf, START, stepKey, stepOfKey } from "../model/items.ts";
import { type InsertionPoint, stepById } from "../model/tree.ts";
import type { DraftEdit } from "./use-draft.ts";
import { usePlaces } from "./use-places.ts";
import { useStepChanges } from "./use-step-changes.ts";

/** What canvas and outline do alike: what is chosen, and the changes of steps. */
export interface Editor {
  draft: DraftEdit;
  items: Item[];
  /** The key of the chosen item. */
  chosen: string;
  choose(key: string): void;
  /** Whether the form of the chosen item is open, where it has no place beside the journey. */
  open: boolean;
  setOpen(open: boolean): void;
  /** Counts the moments at which the chosen item gets the focus. */
  focus: number;
  focusChosen(): void;
  /** Where a step is being added. */
  adding: InsertionPoint | undefined;
  add(place: InsertionPoint | undefined): void;
  addAfter(key: string): void;
  put(kind: Kind): void;
  /** The step that was picked up: the next place that is chosen is where it goes. */
  held: string | undefined;
  hold(id: string | undefined): void;
  move(id: string, way: "up" | "down" | "in" | "out"): void;
  duplicate(id: string): void;
  remove(id: string): void;
  /** Changes a step. Changes with the same `what` in short order are undone together. */
  changeStep(id: string, change: (step: Step) => Step, what?: string): void;
}

/** What the form of the chosen item needs of the editor. */
export type ChosenEdit = Pick<Editor, "draft" | "chosen" | "choose" | "changeStep">;

/** Returns the state of the editor of a journey. */
export function useEditor(draft: DraftEdit): Editor {
  const { steps } = draft.values;
  const [wanted, setChosen] = useState(START);
  const [open, setOpen] = useState(false);
  const [held, setHeld] = useState<string>();
  const [focus, setFocus] = useState(0);
  const items = useMemo(() => itemsOf(steps), [steps]);
  const chosen = items.some(({ key }) => key === wanted) ? wanted : START;
  /** The functions below stay the same while somebody types, so that what is drawn stays. */
  const now = useRef({ draft, items, held });
  now.current = { draft, items, held };

  const focusChosen = useCallback(() => setFocus((count) => count + 1), []);
  const choose = useCallback((key: string) => setChosen(key), []);
  const show = useCallback(
    (key: string) => {
      setChosen(key);
      focusChosen();
    },
    [focusChosen],
  );
  const hold = useCallback((id: string | undefined) => setHeld(now.current.draft.off ? undefined : id), []);
  const { remove: taken, ...changes } = useStepChanges(now, show);
  const remove = useCallback(
    (id: string) => {
      if (!taken(id)) return;
      setHeld(undefined);
      setOpen(false);
    },
    [taken],
  );
  const { put, ...places } = usePlaces(now, show, hold);
  return {
    draft,
    items,
    chosen,
    choose,
    open,
    setOpen,
    focus,
    focusChosen,
    ...places,
    put(kind) {
      if (put(kind)) setOpen(true);
    },
    held: held !== undefined && items.some(({ key }) => key === stepKey(held)) ? held : undefined,
    hold,
    ...changes,
    remove,
  };
}

/** Returns the chosen step, also where one of its ways is chosen. */
export const chosenStep = ({ chosen, draft }: Pick<Editor, "chosen" | "draft">): Step | undefined => {
  const id = stepOfKey(chosen);
  return id === undefined ? undefined : stepById(draft.values.steps, id);
};
