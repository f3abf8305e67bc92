import { listsOf, stepsIn } from "@tidings/contract/campaigns/journey";
import type { Step } from "@tidings/contract/campaigns/steps";

// A journey is a tree: lists of steps, some of which contain lists. Each change returns another tree that shares what did not change, so
// that what is drawn of it stays, and undoing costs nothing. Steps are known by their ids, which never change by a move.

/** A list of steps: the journey's own (`of` null), or one of those that a step contains, by its place among them. */
export interface ListRef {
  of: string | null;
  list: number;
}
/** A place between steps: before the step that is there now. */
export interface InsertionPoint extends ListRef {
  at: number;
}

export const stepById = (steps: Step[], id: string): Step | undefined => stepsIn(steps).find((step) => step.id === id);

/** Returns the lists that a step contains, in their order. */
export const inner = (step: Step): Step[][] => listsOf(step, "").map(({ steps }) => steps);

/** Whether steps of this type contain lists of steps. */
export const branches = ({ type }: Pick<Step, "type">): boolean =>
  type === "branch" || type === "wait_until" || type === "split";

/** Returns the list that is named; undefined if it is gone. */
export function listAt(steps: Step[], { of, list }: ListRef): Step[] | undefined {
  if (of === null) return steps;
  const step = stepById(steps, of);
  return step && inner(step)[list];
}

/** Returns where a step is; undefined if it is gone. */
export function placeOf(steps: Step[], id: string, at: ListRef = { of: null, list: 0 }): InsertionPoint | undefined {
  for (const [i, step] of steps.entries()) {
    if (step.id === id) return { ...at, at: i };
    for (const [list, own] of inner(step).entries()) {
      const found = placeOf(own, id, { of: step.id, list });
      if (found) return found;
    }
  }
  return undefined;
}

/** Returns a step with another one of its lists. */
function withList(step: Step, list: number, steps: Step[]): Step {
  if (step.type === "branch" || step.type === "wait_until") return { ...step, [list === 0 ? "then" : "else"]: steps };
  if (step.type !== "split") return step;
  return { ...step, arms: (step.arms ?? []).map((arm, i) => (i === list ? { ...arm, steps } : arm)) };
}

/** Returns the journey with each list changed; a list that stays the same array keeps everything around it. */
function mapLists(steps: Step[], change: (list: Step[], at: ListRef) => Step[], at: ListRef): Step[] {
  const changed = change(steps, at);
  let other = changed !== steps;
  const next = changed.map((step) => {
    let result = step;
    for (const [list, own] of inner(step).entries()) {
      const mapped = mapLists(own, change, { of: step.id, list });
      if (mapped !== own) result = withList(result, list, mapped);
    }
    other ||= result !== step;
    return result;
  });
  return other ? next : steps;
}
const inLists = (steps: Step[], change: (list: Step[], at: ListRef) => Step[]): Step[] =>
  mapLists(steps, change, { of: null, list: 0 });

/** Returns the journey with a step put in at a place. */
export const inserted = (steps: Step[], { of, list, at }: InsertionPoint, step: Step): Step[] =>
  inLists(steps, (own, ref) => (ref.of === of && ref.list === list ? own.toSpliced(at, 0, step) : own));

/** Returns the journey without a step and without all that it contains. */
export const removed = (steps: Step[], id: string): Step[] =>
  inLists(steps, (own) => (own.some((step) => step.id === id) ? own.filter((step) => step.id !== id) : own));

/** Returns the journey with one step changed. */
export const changed = (steps: Step[], id: string, change: (step: Step) => Step): Step[] =>
  inLists(steps, (own) =>
    own.some((step) => step.id === id) ? own.map((step) => (step.id === id ? change(step) : step)) : own,
  );

/** Returns the journey with a step, and all that it contains, at another place. Into itself it can't go: then nothing changes. */
export function moved(steps: Step[], id: string, to: InsertionPoint): Step[] {
  const from = placeOf(steps, id);
  const step = stepById(steps, id);
  if (!from || !step || stepsIn([step]).some((one) => one.id === to.of)) return steps;
  const isSame = from.of === to.of && from.list === to.list;
  const at = isSame && from.at < to.at ? to.at - 1 : to.at;
  if (isSame && at === from.at) return steps;
  return inserted(removed(steps, id), { ...to, at }, step);
}

/** The places to which a key moves a step: one up or down; at an end of its list, out of it; `in` into the last list of the step before. */
export function placeBeside(steps: Step[], id: string, way: "up" | "down" | "in" | "out"): InsertionPoint | undefined {
  const from = placeOf(steps, id);
  if (!from) return undefined;
  const own = listAt(steps, from) ?? [];
  const around = from.of === null ? undefined : placeOf(steps, from.of);
  if (way === "in") {
    const before = own[from.at - 1];
    if (!before || !branches(before)) return undefined;
    const lists = inner(before);
    const list = lists.length - 1;
    return list < 0 ? undefined : { of: before.id, list, at: lists[list]?.length ?? 0 };
  }
  if (way === "out") return around && { ...around, at: around.at + 1 };
  if (way === "up") return from.at > 0 ? { ...from, at: from.at - 1 } : around;
  return from.at < own.length - 1 ? { ...from, at: from.at + 2 } : around && { ...around, at: around.at + 1 };
}
