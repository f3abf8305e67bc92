import type { DraftEdit } from "../editor/use-draft.ts";

/** Returns the draft as it is being edited, for a call that tries it out; undefined where it is saved as it is. */
export function unsavedOf({ form, values }: DraftEdit): object | undefined {
  const { name: _, ...draft } = values;
  return form.dirty ? draft : undefined;
}
