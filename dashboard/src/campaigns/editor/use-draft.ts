import { useEffect, useRef, useState } from "react";
import type { Read } from "../../platform/call/call.ts";
import { mayEdit, useWorkspace } from "../../platform/call/workspace.ts";
import { type Edit, useEdit } from "../../platform/form/edit.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { tell } from "../../platform/states/toasts.tsx";
import type { Campaign, Draft } from "../campaign-shape.ts";
import { type History, noHistory, recorded, redone, undone } from "../model/history.ts";
import { same } from "../model/same.ts";
import { texts } from "./texts.ts";

/** The draft of a campaign while it is edited: what is typed, what was saved, and what can be undone. */
export interface DraftEdit {
  form: Edit<DraftValues>;
  values: Draft;
  /** Changes parts of the draft. Changes with the same `what` in short order are undone together. */
  change(part: Partial<Draft>, what?: string): void;
  undo: (() => void) | undefined;
  redo: (() => void) | undefined;
  /** Whether nothing can be changed: by the member's role, or because the campaign is archived. */
  off: boolean;
}
export type DraftValues = { [K in keyof Draft]: Draft[K] };

const valuesOf = (campaign: Campaign): DraftValues => {
  const { name, trigger, reentry, steps, entry_max_age, exit_when, goal, cancel_on } = campaign;
  return { name, trigger, reentry, steps, entry_max_age, exit_when, goal, cancel_on };
};

/** Returns the draft of a campaign that was read. It is saved as a whole, if nobody changed the campaign since it was read. */
export function useDraft(version: Read<Campaign>): DraftEdit {
  const t = useTexts(texts);
  const open = useWorkspace();
  const { id, status } = version.body;
  const [history, setHistory] = useState<History<DraftValues>>(noHistory);
  const form = useEdit<Campaign, DraftValues>({
    path: `/campaigns/${id}`,
    version,
    valuesOf,
    bodyOf: (values, typed) => Object.fromEntries(typed.map((name) => [name, values[name]])),
    onSaved: () => tell(t("saved")),
  });
  const { values } = form;
  /** The values as this page made them. Others come from the service: they may be of somebody else, and nothing of that is undone here. */
  const mine = useRef(values);
  useEffect(() => {
    if (values === mine.current) return;
    if (!same(values, mine.current)) setHistory(noHistory);
    mine.current = values;
  }, [values]);

  const go = (to: Partial<DraftValues>) => {
    mine.current = { ...mine.current, ...to };
    for (const [name, value] of Object.entries(to)) form.set(name as keyof DraftValues, value as never);
  };
  const turn = (move: typeof undone) => {
    const found = move(history, values);
    if (!found) return undefined;
    return () => {
      setHistory(found.history);
      mine.current = found.to;
      if (same(found.to, valuesOf(version.body))) form.discard();
      else go(found.to);
    };
  };
  const off = !mayEdit(open) || status === "archived";
  return {
    form,
    values,
    off,
    change(part, what) {
      if (off) return;
      setHistory((before) => recorded(before, values, what, Date.now()));
      go(part);
    },
    undo: off ? undefined : turn(undone),
    redo: off ? undefined : turn(redone),
  };
}
