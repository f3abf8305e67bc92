import { type Item, START } from "./items.ts";

export type Arrow = "up" | "down" | "left" | "right";

/** Returns the key of the item to which an arrow leads on the canvas: down and up along the way, left and right to the ways beside. */
export function walked(items: Item[], key: string, arrow: Arrow): string | undefined {
  const by = new Map(items.map((item) => [item.key, item]));
  const here = by.get(key);
  if (!here) return START;
  const children = (of: string) => items.filter((item) => item.kind !== "start" && item.parent === of);
  if (arrow === "up") return here.kind === "start" ? undefined : (before(here, children) ?? here.parent);
  if (arrow === "down") return children(key)[0]?.key ?? after(here, by, children);
  // To the way beside that is nearest: the step's own, or that of the branch around it.
  for (let at: Item | undefined = here; at && at.kind !== "start"; at = by.get(at.parent)) {
    if (at.kind !== "way") continue;
    const beside = children(at.parent)[at.index + (arrow === "left" ? -1 : 1)];
    if (beside) return beside.key;
  }
  return undefined;
}

type Children = (of: string) => Item[];

const before = (item: Exclude<Item, { kind: "start" }>, children: Children): string | undefined =>
  item.kind === "step" && item.index > 0 ? children(item.parent)[item.index - 1]?.key : undefined;

/** Returns the step that comes after this one: the next of its list, or the one after the branch around it. */
function after(here: Item, by: Map<string, Item>, children: Children): string | undefined {
  for (let at: Item | undefined = here; at && at.kind !== "start"; at = by.get(at.parent)) {
    if (at.kind !== "step") continue;
    const next = children(at.parent)[at.index + 1];
    if (next) return next.key;
  }
  return undefined;
}
