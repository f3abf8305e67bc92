import type { Filter } from "@tidings/contract/audience/audiences";
import type { StepFilter } from "@tidings/contract/campaigns/filters";

// A filter as a tree that is edited. It is always the JSON of the contract: what nobody edits stays as it was, to the letter.

/** A filter of audiences, or of a campaign's branch. */
export type Part = Filter | StepFilter;
/** The keys that lead to a part of the filter, from the root. */
export type Path = readonly (string | number)[];

/** How many of a group's parts must hold. `none` and `some_not` are an `any` and an `all` inside a `not`. */
export const modes = ["all", "any", "none", "some_not"] as const;
export type Mode = (typeof modes)[number];

/** What a part is, for the eye. */
export type View =
  | { kind: "group"; mode: Mode; parts: readonly Part[]; list: Path }
  /** A condition, which `not` may turn around. `at` leads to the condition itself. */
  | { kind: "condition"; negated: boolean; condition: Record<string, unknown>; at: Path }
  /** A `not` around a `not`. */
  | { kind: "not"; inner: Path };

type Fields = Record<string, unknown>;
const groupOf = (part: unknown): "all" | "any" | undefined => {
  const fields = part as Fields;
  const [key, ...others] = typeof part === "object" && part !== null ? Object.keys(part) : [];
  return others.length === 0 && (key === "all" || key === "any") && Array.isArray(fields[key]) ? key : undefined;
};
const isNot = (part: unknown): part is { not: Part } =>
  typeof part === "object" && part !== null && Object.keys(part).join() === "not";

export const pointerOf = (path: Path): string => path.map((key) => `/${key}`).join("");

/** Returns what a part is. `path` leads to it. */
export function viewOf(part: Part, path: Path): View {
  const negated = isNot(part);
  const inner = negated ? part.not : part;
  const at = negated ? [...path, "not"] : path;
  const key = groupOf(inner);
  if (key) {
    const mode = negated ? (key === "any" ? "none" : "some_not") : key;
    return { kind: "group", mode, parts: (inner as Record<string, Part[]>)[key] ?? [], list: [...at, key] };
  }
  if (negated && isNot(inner)) return { kind: "not", inner: at };
  return { kind: "condition", negated, condition: inner as Fields, at };
}

/** Returns the part at a path. */
export const partAt = (root: Part, path: Path): Part =>
  path.reduce<unknown>((part, key) => (part as Fields)[key], root) as Part;

/** Returns the filter with another value at a path. Everything beside the way there is the same object as before. */
export function replaced<T extends object>(root: T, path: Path, value: unknown): T {
  const [key, ...rest] = path;
  if (key === undefined) return value as T;
  const below = (root as Fields)[key];
  const next = rest.length === 0 ? value : replaced(below as object, rest, value);
  if (Array.isArray(root)) return root.with(key as number, next) as unknown as T;
  return { ...root, [key]: next };
}

const listAt = (root: Part, list: Path): readonly Part[] => partAt(root, list) as unknown as Part[];
const inList = (path: Path): { list: Path; i: number } | undefined => {
  const i = path.at(-1);
  return typeof i === "number" ? { list: path.slice(0, -1), i } : undefined;
};

/** Returns the filter with one more part at the place `i` of a list. */
export const inserted = (root: Part, list: Path, i: number, part: Part): Part =>
  replaced(root, list, listAt(root, list).toSpliced(i, 0, part));

/** Returns the filter with one more part at the end of its outermost group. A filter that is no group gets one around it. */
export function added(root: Part | null, part: Part): { root: Part; path: Path } {
  if (root === null) return { root: { all: [part] } as Part, path: ["all", 0] };
  const view = viewOf(root, []);
  if (view.kind === "group" && (view.mode === "all" || view.mode === "any"))
    return { root: inserted(root, view.list, view.parts.length, part), path: [...view.list, view.parts.length] };
  return { root: { all: [root, part] } as Part, path: ["all", 1] };
}

/** Returns the filter without a part. Without its last part it is a filter that lets everybody through. */
export function removed(root: Part, path: Path): Part {
  const place = inList(path);
  if (place) return replaced(root, place.list, listAt(root, place.list).toSpliced(place.i, 1));
  // What is left of a `not` without its part means nothing.
  return path.length === 0 ? { all: [] } : removed(root, path.slice(0, -1));
}

/** The ways in which a part can be moved. */
export const moves = ["up", "down", "out", "into_before", "into_after"] as const;
export type Move = (typeof moves)[number];

/** Returns the path to which a move brings a part, in the filter from which it was taken; undefined where it can't be moved so. */
function targetOf(root: Part, path: Path, move: Move): { list: Path; i: number } | undefined {
  const place = inList(path);
  if (!place) return undefined;
  const { list, i } = place;
  const parts = listAt(root, list);
  if (move === "up") return i > 0 ? { list, i: i - 1 } : undefined;
  if (move === "down") return i < parts.length - 1 ? { list, i: i + 1 } : undefined;
  if (move === "out") {
    const group = list.slice(0, -1);
    const outer = inList(group.at(-1) === "not" ? group.slice(0, -1) : group);
    return outer && { list: outer.list, i: outer.i + 1 };
  }
  const beside = move === "into_before" ? i - 1 : i + 1;
  const neighbour = parts[beside];
  if (neighbour === undefined) return undefined;
  // Once the part is taken out, the group after it is in its place.
  const view = viewOf(neighbour, [...list, move === "into_before" ? beside : i]);
  if (view.kind !== "group") return undefined;
  return { list: view.list, i: move === "into_before" ? view.parts.length : 0 };
}

export const canMove = (root: Part, path: Path, move: Move): boolean => targetOf(root, path, move) !== undefined;

/** Returns the filter with a part moved, and the path at which it is then. */
export function moved(root: Part, path: Path, move: Move): { root: Part; path: Path } {
  const target = targetOf(root, path, move);
  if (!target) return { root, path };
  const { list, i } = target;
  return { root: inserted(removed(root, path), list, i, partAt(root, path)), path: [...list, i] };
}

/** Returns the filter with the opposite of a part. */
export function negated(root: Part, path: Path): Part {
  const part = partAt(root, path);
  return replaced(root, path, isNot(part) ? part.not : { not: part });
}

/** Returns the filter with a group of its own around a part. */
export const wrapped = (root: Part, path: Path): Part => replaced(root, path, { all: [partAt(root, path)] });

/** Whether the parts of a group can stand in the list that contains it, without another meaning. */
export function canDissolve(root: Part, path: Path): boolean {
  const view = viewOf(partAt(root, path), path);
  if (view.kind !== "group" || (view.mode !== "all" && view.mode !== "any")) return false;
  if (view.parts.length === 1) return true;
  return view.parts.length > 0 && view.mode === inList(path)?.list.at(-1);
}

/** Returns the filter with the parts of a group in the place of the group. */
export function dissolved(root: Part, path: Path): Part {
  const view = viewOf(partAt(root, path), path);
  if (view.kind !== "group" || !canDissolve(root, path)) return root;
  const place = inList(path);
  if (!place) return replaced(root, path, view.parts[0]);
  return replaced(root, place.list, listAt(root, place.list).toSpliced(place.i, 1, ...view.parts));
}

/** Returns the filter with another rule of how many of a group's parts must hold. */
export function withMode(root: Part, path: Path, mode: Mode): Part {
  const view = viewOf(partAt(root, path), path);
  if (view.kind !== "group") return root;
  const group = { [mode === "all" || mode === "some_not" ? "all" : "any"]: view.parts };
  return replaced(root, path, mode === "none" || mode === "some_not" ? { not: group } : group);
}

/** Returns the path of the first condition in a part that is at a path. */
export function firstWithin(part: Part, path: Path): Path {
  const view = viewOf(part, path);
  if (view.kind === "condition") return path;
  if (view.kind === "not") return firstWithin((part as { not: Part }).not, view.inner);
  const [first] = view.parts;
  return first ? firstWithin(first, [...view.list, 0]) : path;
}

/** Returns all conditions of a filter, without the groups around them. */
export function conditionsWithin(part: Part): Record<string, unknown>[] {
  const view = viewOf(part, []);
  if (view.kind === "group") return view.parts.flatMap(conditionsWithin);
  return view.kind === "not" ? conditionsWithin((part as { not: Part }).not) : [view.condition];
}
