import type { Step } from "@tidings/contract/campaigns/steps";
import { START, stepKey, wayKey } from "./items.ts";
import { inner, type ListRef, type InsertionPoint } from "./tree.ts";

// Where each step is drawn. The journey is a tree whose ways come together again below, so a list is a column, a branching step is a box
// above its columns, and each column is centred above and below: no general algorithm for graphs is needed (docs/decisions/0050).

export const WIDTH = 232;
export const HEIGHT = 64;
const WAY_HEIGHT = 28;
/** Between a box and the next one below: room for the line with its button. */
const GAP = 48;
const BESIDE = 32;

interface Box {
  key: string;
  kind: "start" | "step" | "way" | "join" | "end";
  /** The centre of the upper edge. */
  x: number;
  y: number;
  width: number;
  height: number;
}
interface Line {
  from: string;
  to: string;
  /** Where a step is put in on this line; undefined where only what belongs together is joined. */
  place: InsertionPoint | undefined;
  /** The key of the item that such a step comes after. */
  after: string;
  /** Nobody comes along here. */
  dead: boolean;
}
export interface Layout {
  boxes: Box[];
  lines: Line[];
}

const joinKey = (id: string): string => `join ${id}`;
export const END = "end";

/** Returns how wide a list is drawn. */
function widthOf(list: Step[], known: Map<Step, number>): number {
  return Math.max(WIDTH, ...list.map((step) => stepWidth(step, known)));
}
function stepWidth(step: Step, known: Map<Step, number>): number {
  const found = known.get(step);
  if (found !== undefined) return found;
  const lists = inner(step);
  const width = lists.length
    ? lists.reduce((sum, own) => sum + widthOf(own, known), 0) + BESIDE * (lists.length - 1)
    : WIDTH;
  known.set(step, width);
  return width;
}

/** Returns the place of each box and the lines between them. */
export function layoutOf(steps: Step[]): Layout {
  const layout: Layout = { boxes: [], lines: [] };
  const known = new Map<Step, number>();
  const box = (of: Pick<Box, "key" | "kind" | "x" | "y"> & Partial<Box>) =>
    layout.boxes.push({ width: WIDTH, height: HEIGHT, ...of });
  /** Puts a list below what is at `from`, and returns where it ends. */
  const put = (list: Step[], ref: ListRef, from: string, { x, top }: { x: number; top: number }) => {
    let [y, last, after, dead] = [top, from, from, false];
    for (const [at, step] of list.entries()) {
      const key = stepKey(step.id);
      layout.lines.push({ from: last, to: key, place: { ...ref, at }, after, dead });
      box({ key, kind: "step", x, y });
      y += HEIGHT + GAP;
      last = key;
      after = key;
      if (step.type === "exit") dead = true;
      if (inner(step).length === 0) continue;
      ({ y, last, dead } = putWays(step, x, y, dead));
    }
    return { y, last, after, dead, place: { ...ref, at: list.length } };
  };
  const putWays = (step: Step, x: number, top: number, dead: boolean) => {
    const lists = inner(step);
    const join = joinKey(step.id);
    let left = x - stepWidth(step, known) / 2;
    const ends = lists.map((own, list) => {
      const width = widthOf(own, known);
      const centre = left + width / 2;
      left += width + BESIDE;
      const way = wayKey(step.id, list);
      layout.lines.push({ from: stepKey(step.id), to: way, place: undefined, after: way, dead });
      box({ key: way, kind: "way", x: centre, y: top - GAP / 2, height: WAY_HEIGHT });
      return put(own, { of: step.id, list }, way, { x: centre, top: top - GAP / 2 + WAY_HEIGHT + GAP });
    });
    const y = Math.max(top, ...ends.map((end) => end.y));
    for (const { last, after, place, dead: isDead } of ends)
      layout.lines.push({ from: last, to: join, place, after, dead: dead || isDead });
    box({ key: join, kind: "join", x, y: y - GAP / 2, width: 1, height: 1 });
    return { y: y + GAP / 2, last: join, dead: dead || (ends.length > 0 && ends.every((end) => end.dead)) };
  };
  box({ key: START, kind: "start", x: 0, y: 0 });
  const end = put(steps, { of: null, list: 0 }, START, { x: 0, top: HEIGHT + GAP });
  layout.lines.push({ from: end.last, to: END, place: end.place, after: end.after, dead: end.dead });
  box({ key: END, kind: "end", x: 0, y: end.y, width: 120, height: WAY_HEIGHT });
  return layout;
}
