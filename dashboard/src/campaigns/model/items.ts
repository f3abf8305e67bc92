import type { Step } from "@tidings/contract/campaigns/steps";
import { inner, type InsertionPoint } from "./tree.ts";

/** What both editors show, and what can be chosen in them: the start, each step, and each way to continue after a branching step. */
export type Item =
  | { key: string; kind: "start" }
  | { key: string; kind: "step"; step: Step; depth: number; parent: string; index: number; of: number }
  | { key: string; kind: "way"; step: Step; list: number; depth: number; parent: string; index: number; of: number };

export const START = "start";
export const stepKey = (id: string): string => `step ${id}`;
export const wayKey = (id: string, list: number): string => `way ${id} ${list}`;
/** Returns the step of a key: also of one of its ways. */
export const stepOfKey = (key: string): string | undefined => (key === START ? undefined : key.split(" ")[1]);

/** Returns everything from top to bottom, as it is read. */
export function itemsOf(steps: Step[]): Item[] {
  const items: Item[] = [{ key: START, kind: "start" }];
  const add = (list: Step[], depth: number, parent: string) =>
    list.forEach((step, index) => {
      const key = stepKey(step.id);
      items.push({ key, kind: "step", step, depth, parent, index, of: list.length });
      const lists = inner(step);
      lists.forEach((own, way) => {
        const at = wayKey(step.id, way);
        items.push({
          key: at,
          kind: "way",
          step,
          list: way,
          depth: depth + 1,
          parent: key,
          index: way,
          of: lists.length,
        });
        add(own, depth + 2, at);
      });
    });
  add(steps, 0, START);
  return items;
}

/** Returns where a new step goes that is added at an item: after a step, and as the first one of a way or of the journey. */
export function placeAfter(item: Item, placeOf: (id: string) => InsertionPoint | undefined): InsertionPoint {
  if (item.kind === "start") return { of: null, list: 0, at: 0 };
  if (item.kind === "way") return { of: item.step.id, list: item.list, at: 0 };
  const place = placeOf(item.step.id);
  return place ? { ...place, at: place.at + 1 } : { of: null, list: 0, at: 0 };
}
