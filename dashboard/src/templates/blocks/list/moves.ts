import { behind, type Change, changed, insideOf, movedBy, without } from "../mjml/edit.ts";
import { type Span, sliceOf } from "../mjml/tree.ts";
import { allBlocks, type Block, type Email, type Holds, parentOf, siblingsOf } from "./block.ts";

/** A text after a change, and where in it the block begins that is chosen then. */
export interface Result {
  source: string;
  at: number;
}

/** Two neighbours in each other's place. What stands between them stays. */
function swapped({ source }: Email, first: Block, second: Block, chosen: Block): Result {
  const changes = [
    { from: first.from, to: first.to, text: sliceOf(source, second) },
    { from: second.from, to: second.to, text: sliceOf(source, first) },
  ];
  const secondAt = second.from + (second.to - second.from) - (first.to - first.from);
  return { source: changed(source, changes), at: chosen === first ? secondAt : first.from };
}

/** The containers that this block could stand in, in the order of the email. */
function placesFor(email: Email, { level, from, to }: Block): Block[] {
  return [...allBlocks(email.blocks)].filter(
    (one) =>
      one.holds === level &&
      one.kind !== "repeat" &&
      one.kind !== "condition" &&
      (one.to <= from || one.from >= to || (one.from < from && one.to > to)),
  );
}

/** Moves a block one place up or down: before its neighbour, or into the next container of its kind. Undefined at the end of the way. */
export function moved(email: Email, block: Block, by: -1 | 1): Result | undefined {
  const siblings = siblingsOf(email, block);
  const i = siblings.findIndex(({ path }) => path === block.path);
  const neighbour = siblings[i + by];
  if (neighbour) return by < 0 ? swapped(email, neighbour, block, block) : swapped(email, block, neighbour, block);
  const parent = parentOf(email, block);
  if (!parent) return undefined;
  // Out of what is repeated.
  if (parent.tags) return by < 0 ? put(email, block, { before: parent }) : put(email, block, { after: parent });
  const places = placesFor(email, block);
  const next = places[places.findIndex(({ path }) => path === parent.path) + by];
  if (!next || next.path === parent.path) return undefined;
  const last = next.children.at(-1);
  if (by < 0 && last) return put(email, block, { after: last });
  return put(email, block, { into: next });
}

type DropPoint = { before: Block } | { after: Block } | { into: Block };

function put(email: Email, block: Block, place: DropPoint): Result {
  const { source } = email;
  const text = sliceOf(source, block);
  const { change, offset } = inserted(email, place, text, false);
  const changes = [without(source, block), change];
  // What is inserted is behind all that stood before its place.
  const at =
    movedBy(
      change.from,
      changes.filter((one) => one !== change),
    ) + offset;
  return { source: changed(source, changes), at };
}

function inserted(
  { source }: Email,
  place: DropPoint,
  text: string,
  fresh: boolean,
): { change: Change; offset: number } {
  if ("after" in place) return behind(source, place.after, text, fresh);
  if ("into" in place) return insideOf(source, containerOf(place.into), text, fresh);
  const { from } = place.before;
  const { change } = behind(source, { from, to: from }, "", false);
  return { change: { from, to: from, text: text + change.text }, offset: 0 };
}

/** Where the first child of a block stands. */
const containerOf = ({ element, tags, from, to }: Block) =>
  element ?? {
    start: { from, to: tags?.open.to ?? to },
    inner: { from: tags?.open.to ?? from, to: tags?.close.from ?? to },
    name: undefined,
  };

/** Takes a block out. What is then chosen: its neighbour, or what it was in. */
export function removed(email: Email, block: Block): { source: string; path: string } {
  const siblings = siblingsOf(email, block);
  const i = siblings.findIndex(({ path }) => path === block.path);
  const above = block.path.split(".").slice(0, -1);
  const rest = siblings.length - 1;
  const path = rest === 0 ? above : [...above, String(Math.min(i, rest - 1))];
  return { source: changed(email.source, [without(email.source, block)]), path: path.join(".") };
}

/** Puts a copy of a block behind it. */
export function repeated(email: Email, block: Block): Result {
  const { change, offset } = behind(email.source, block, sliceOf(email.source, block), false);
  return { source: changed(email.source, [change]), at: change.from + offset };
}

/** Takes the tags off what is repeated or shown under a condition. */
export function unwrapped(email: Email, block: Block): Result {
  const { open, close } = block.tags ?? { open: block, close: block };
  const { source } = email;
  const changes: Span[] = [open, close];
  const first = block.children[0];
  const all = changes.map((tag) => without(source, tag));
  return { source: changed(source, all), at: first ? movedBy(first.from, all) : 0 };
}

/** Puts tags around a block. */
export function wrapped(email: Email, block: Block, open: string, close: string): Result {
  const { source } = email;
  const after = behind(source, block, close, false).change;
  const gap = behind(source, { from: block.from, to: block.from }, "", false).change.text;
  const changes = [{ from: block.from, to: block.from, text: open + gap }, after];
  return { source: changed(source, changes), at: block.from };
}

/** Writes a new block: behind the chosen one, at the end of what it holds, or wherever there is a place for it. */
export function added(email: Email, chosen: Block | undefined, level: Holds, text: string): Result {
  const { change, offset } = placeOf(email, chosen, level, text);
  return { source: changed(email.source, [change]), at: change.from + offset };
}

/** What content stands in, where there is nothing that holds it. */
const AROUND = {
  content: { name: "mj-column", level: "columns" },
  columns: { name: "mj-section", level: "sections" },
} as const;

type Written = { change: Change; offset: number };

function placeOf(email: Email, chosen: Block | undefined, level: Holds, text: string): Written {
  for (let one = chosen; one; one = parentOf(email, one)) {
    const inside = holders([one, ...allBlocks(one.children)], level).at(-1);
    if (one.level !== level && inside) return endOf(email, inside, text);
    if (one.level !== level && one.holds && level === "content") return placeOf(email, one, ...around(level, text));
    if (one.holds === level && one.children.length === 0) return endOf(email, one, text);
    if (one.level === level) return behind(email.source, one, text, true);
  }
  const last = email.blocks.at(-1);
  const holder = holders([...allBlocks(email.blocks)], level).at(-1);
  if (email.holds === level || level === "sections")
    return last ? behind(email.source, last, text, true) : insideOf(email.source, email.container, text, true);
  return holder ? endOf(email, holder, text) : placeOf(email, undefined, ...around(level, text));
}

const holders = (blocks: Block[], level: Holds) => blocks.filter(({ holds, tags }) => holds === level && !tags);

function around(level: keyof typeof AROUND, text: string): [Holds, string] {
  const { name, level: above } = AROUND[level];
  return [above, `<${name}>\n  ${text.replaceAll("\n", "\n  ")}\n</${name}>`];
}

function endOf(email: Email, into: Block, text: string): Written {
  const last = into.children.at(-1);
  return last ? behind(email.source, last, text, true) : insideOf(email.source, containerOf(into), text, true);
}
