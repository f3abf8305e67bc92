import type { Step } from "@tidings/contract/campaigns/steps";
import { useCallback, useMemo, useRef, useState } from "react";
import { useTexts } from "../../platform/language/texts.ts";
import { tell } from "../../platform/states/toasts.tsx";
import { duplicated, freshStep, type Kind } from "../model/ids.ts";
import { type Item, itemsOf, placeAfter, START, stepKey, stepOfKey } from "../model/items.ts";
import { changed, inner, inserted, moved, type Place, placeBeside, placeOf, removed, stepById } from "../model/tree.ts";
import { texts } from "./texts.ts";
import type { DraftEdit } from "./use-draft.ts";

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
  adding: Place | undefined;
  add(place: Place | undefined): void;
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
  const t = useTexts(texts);
  const { steps } = draft.values;
  const [wanted, setChosen] = useState(START);
  const [open, setOpen] = useState(false);
  const [adding, setAdding] = useState<Place>();
  const [held, setHeld] = useState<string>();
  const [focus, setFocus] = useState(0);
  const items = useMemo(() => itemsOf(steps), [steps]);
  const chosen = items.some(({ key }) => key === wanted) ? wanted : START;
  /** The functions below stay the same while somebody types, so that what is drawn stays. */
  const now = useRef({ draft, items, held });
  now.current = { draft, items, held };

  const focusChosen = useCallback(() => setFocus((count) => count + 1), []);
  const choose = useCallback((key: string) => setChosen(key), []);
  const setSteps = useCallback((to: Step[], what?: string) => now.current.draft.change({ steps: to }, what), []);
  const show = useCallback(
    (key: string) => {
      setChosen(key);
      focusChosen();
    },
    [focusChosen],
  );
  const add = useCallback(
    (place: Place | undefined) => {
      const { draft: of, held: id } = now.current;
      if (!place || of.off) return setAdding(undefined);
      if (id === undefined) return setAdding(place);
      setHeld(undefined);
      setSteps(moved(of.values.steps, id, place));
      show(stepKey(id));
    },
    [setSteps, show],
  );
  const addAfter = useCallback(
    (key: string) => {
      const item = now.current.items.find((one) => one.key === key);
      if (item) add(placeAfter(item, (id) => placeOf(now.current.draft.values.steps, id)));
    },
    [add],
  );
  const move = useCallback(
    (id: string, way: "up" | "down" | "in" | "out") => {
      const { steps: of } = now.current.draft.values;
      const to = placeBeside(of, id, way);
      if (!to) return;
      setSteps(moved(of, id, to));
      show(stepKey(id));
    },
    [setSteps, show],
  );
  const duplicate = useCallback(
    (id: string) => {
      const copy = duplicated(now.current.draft.values.steps, id);
      if (!copy) return;
      setSteps(copy.steps);
      show(stepKey(copy.id));
    },
    [setSteps, show],
  );
  const remove = useCallback(
    (id: string) => {
      const { values, off } = now.current.draft;
      const step = stepById(values.steps, id);
      const at = placeOf(values.steps, id);
      if (off || !step || !at) return;
      const rest = removed(values.steps, id);
      setSteps(rest);
      setHeld(undefined);
      setOpen(false);
      const all = itemsOf(rest);
      const place = now.current.items.findIndex(({ key }) => key === stepKey(id));
      show((all[place] ?? all.at(-1))?.key ?? START);
      const inside = inner(step).flat().length;
      if (inside > 0) tell(t("removedWith"));
    },
    [setSteps, show, t],
  );
  const changeStep = useCallback(
    (id: string, change: (step: Step) => Step, what?: string) =>
      setSteps(changed(now.current.draft.values.steps, id, change), what && `${id} ${what}`),
    [setSteps],
  );
  const hold = useCallback((id: string | undefined) => setHeld(now.current.draft.off ? undefined : id), []);
  return {
    draft,
    items,
    chosen,
    choose,
    open,
    setOpen,
    focus,
    focusChosen,
    adding,
    add,
    addAfter,
    put(kind) {
      if (!adding) return;
      const step = freshStep(kind, steps);
      setAdding(undefined);
      setSteps(inserted(steps, adding, step));
      show(stepKey(step.id));
      setOpen(true);
    },
    held: held !== undefined && items.some(({ key }) => key === stepKey(held)) ? held : undefined,
    hold,
    move,
    duplicate,
    remove,
    changeStep,
  };
}

/** Returns the chosen step, also where one of its ways is chosen. */
export const chosenStep = ({ chosen, draft }: Pick<Editor, "chosen" | "draft">): Step | undefined => {
  const id = stepOfKey(chosen);
  return id === undefined ? undefined : stepById(draft.values.steps, id);
};
