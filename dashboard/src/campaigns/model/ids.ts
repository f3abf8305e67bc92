import { stepsIn } from "@tidings/contract/campaigns/journey";
import type { Step, StepType } from "@tidings/contract/campaigns/steps";
import type { Channel } from "@tidings/contract/facts/activity";
import type { Draft } from "../campaign-shape.ts";
import { inserted, placeOf, stepById } from "./tree.ts";

// Ids of steps: content and conditions name steps by them, and people who are inside stand at them.

/** What can be added: a type of step, and for messages their channel. */
export type Kind = Exclude<StepType, "message"> | Channel;

const BASE: Partial<Record<Kind, string>> = { in_app: "in_app", wait_until: "until", wait_window: "window" };

/** Returns an id that no step has yet: the base itself, or with the next free number. */
export function idFor(base: string, taken: ReadonlySet<string>): string {
  if (!taken.has(base)) return base;
  for (let n = 2; ; n++) if (!taken.has(`${base}_${n}`)) return `${base}_${n}`;
}
const idsIn = (steps: Step[]): Set<string> => new Set(stepsIn(steps).map(({ id }) => id));

/** Returns a new step with what is mostly wanted filled in. */
export function freshStep(kind: Kind, steps: Step[]): Step {
  const id = idFor(BASE[kind] ?? kind, idsIn(steps));
  switch (kind) {
    case "email":
    case "push":
    case "sms":
    case "in_app":
      return { id, type: "message", channel: kind };
    case "wait":
      return { id, type: kind, for: { amount: 1, unit: "days" } };
    case "wait_until":
      return { id, type: kind, timeout: { amount: 1, unit: "days" }, then: [], else: [] };
    case "wait_window":
      return { id, type: kind, from: "09:00", to: "17:00" };
    case "branch":
      return { id, type: kind, then: [], else: [] };
    case "split":
      return {
        id,
        type: kind,
        arms: [
          { name: "A", weight: 1, steps: [] },
          { name: "B", weight: 1, steps: [] },
        ],
      };
    case "batch":
      return { id, type: kind, window: { amount: 1, unit: "hours" } };
    case "throttle":
      return { id, type: kind, limit: 1, window: { amount: 1, unit: "days" } };
    default:
      return { id, type: kind };
  }
}

/** Returns a copy of a value in which conditions and Liquid name steps by other ids. */
function renaming<T>(value: T, ids: ReadonlyMap<string, string>): T {
  if (typeof value === "string") {
    let text: string = value;
    for (const [from, to] of ids)
      text = text.replaceAll(
        new RegExp(`(\\bsteps\\.)${from}\\b|(\\bsteps\\[["'])${from}(?=["']\\])`, "g"),
        (_, dot, bracket) => `${dot ?? bracket}${to}`,
      );
    return text as T;
  }
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => renaming(one, ids)) as T;
  const entries = Object.entries(value).map(([name, one]) => {
    const isCondition = name === "step" && typeof one === "string" && "op" in value;
    return [name, isCondition ? (ids.get(one) ?? one) : renaming(one, ids)];
  });
  return Object.fromEntries(entries) as T;
}

/** Returns the steps, also those inside, with other ids: of those that the map names. */
const withIds = (steps: Step[], ids: ReadonlyMap<string, string>): Step[] => {
  const own = (step: Step): Step => {
    const named = { ...step, id: ids.get(step.id) ?? step.id };
    if (named.type === "branch" || named.type === "wait_until")
      return {
        ...named,
        ...(named.then && { then: named.then.map(own) }),
        ...(named.else && { else: named.else.map(own) }),
      };
    if (named.type !== "split" || !named.arms) return named;
    return { ...named, arms: named.arms.map((arm) => ({ ...arm, ...(arm.steps && { steps: arm.steps.map(own) }) })) };
  };
  return renaming(steps, ids).map(own);
};

/** Returns the journey with a copy of a step, and of all that it contains, after it; and the id of the copy. */
export function duplicated(steps: Step[], id: string): { steps: Step[]; id: string } | undefined {
  const step = stepById(steps, id);
  const place = placeOf(steps, id);
  if (!step || !place) return undefined;
  const taken = idsIn(steps);
  const ids = new Map<string, string>();
  for (const one of stepsIn([step])) {
    const free = idFor(one.id.replace(/_\d+$/, ""), taken);
    taken.add(free);
    ids.set(one.id, free);
  }
  const [copy] = withIds([step], ids);
  if (!copy) return undefined;
  return { steps: inserted(steps, { ...place, at: place.at + 1 }, copy), id: copy.id };
}

/** Returns the draft with another id of a step, also where conditions and Liquid name it. */
export function renamed(draft: Draft, id: string, to: string): Draft {
  const ids = new Map([[id, to]]);
  return { ...draft, steps: withIds(draft.steps, ids), exit_when: renaming(draft.exit_when, ids) };
}
