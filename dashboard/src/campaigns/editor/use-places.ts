import { useCallback, useState } from "react";
import { freshStep, type Kind } from "../model/ids.ts";
import { placeAfter, stepKey } from "../model/items.ts";
import { inserted, moved, type InsertionPoint, placeOf } from "../model/tree.ts";
import type { Now } from "./use-step-changes.ts";

/** Returns where a step is being added, and what puts a new one, or the one that was picked up, there. */
export function usePlaces(now: Now, show: (key: string) => void, hold: (id: string | undefined) => void) {
  const [adding, setAdding] = useState<InsertionPoint>();
  const add = useCallback(
    (place: InsertionPoint | undefined) => {
      const { draft, held } = now.current;
      if (!place || draft.off) return setAdding(undefined);
      if (held === undefined) return setAdding(place);
      hold(undefined);
      draft.change({ steps: moved(draft.values.steps, held, place) });
      show(stepKey(held));
    },
    [now, show, hold],
  );
  const addAfter = useCallback(
    (key: string) => {
      const item = now.current.items.find((one) => one.key === key);
      if (item) add(placeAfter(item, (id) => placeOf(now.current.draft.values.steps, id)));
    },
    [now, add],
  );
  /** Returns whether there was a place for it. */
  const put = (kind: Kind): boolean => {
    if (!adding) return false;
    const { values, change } = now.current.draft;
    const step = freshStep(kind, values.steps);
    setAdding(undefined);
    change({ steps: inserted(values.steps, adding, step) });
    show(stepKey(step.id));
    return true;
  };
  return { adding, add, addAfter, put };
}
