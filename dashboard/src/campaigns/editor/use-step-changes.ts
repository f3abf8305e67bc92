import type { Step } from "@tidings/contract/campaigns/steps";
import { type RefObject, useCallback } from "react";
import { useTexts } from "../../platform/language/texts.ts";
import { tell } from "../../platform/states/toasts.tsx";
import { duplicated } from "../model/ids.ts";
import { type Item, itemsOf, START, stepKey } from "../model/items.ts";
import { changed, inner, moved, placeBeside, placeOf, removed, stepById } from "../model/tree.ts";
import { texts } from "./texts.ts";
import type { DraftEdit } from "./use-draft.ts";

/** What changes are made to, as it is at the moment of a change. */
export type Now = RefObject<{ draft: DraftEdit; items: Item[]; held: string | undefined }>;

/** Returns the changes of steps that are there. Each shows the step that it leads to, and stays the same function for ever. */
export function useStepChanges(now: Now, show: (key: string) => void) {
  const t = useTexts(texts);
  const move = useCallback(
    (id: string, way: "up" | "down" | "in" | "out") => {
      const { values, change } = now.current.draft;
      const to = placeBeside(values.steps, id, way);
      if (!to) return;
      change({ steps: moved(values.steps, id, to) });
      show(stepKey(id));
    },
    [now, show],
  );
  const duplicate = useCallback(
    (id: string) => {
      const { values, change } = now.current.draft;
      const copy = duplicated(values.steps, id);
      if (!copy) return;
      change({ steps: copy.steps });
      show(stepKey(copy.id));
    },
    [now, show],
  );
  /** Returns whether the step is removed. */
  const remove = useCallback(
    (id: string): boolean => {
      const { values, off, change } = now.current.draft;
      const step = stepById(values.steps, id);
      if (off || !step || !placeOf(values.steps, id)) return false;
      const rest = removed(values.steps, id);
      change({ steps: rest });
      const all = itemsOf(rest);
      const place = now.current.items.findIndex(({ key }) => key === stepKey(id));
      show((all[place] ?? all.at(-1))?.key ?? START);
      if (inner(step).flat().length > 0) tell(t("removedWith"));
      return true;
    },
    [now, show, t],
  );
  const changeStep = useCallback(
    (id: string, to: (step: Step) => Step, what?: string) => {
      const { values, change } = now.current.draft;
      change({ steps: changed(values.steps, id, to) }, what && `${id} ${what}`);
    },
    [now],
  );
  return { move, duplicate, remove, changeStep };
}
