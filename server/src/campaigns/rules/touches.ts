import type { Filter } from "@tidings/contract/audience/audiences";

/** Which events may change who matches a filter, in memory and at once: too many rather than too few. */
export interface Touches {
  /** Any event may: the filter names other audiences. */
  all: boolean;
  events: Set<string>;
}

export function touchesOf(filter: Filter): Touches {
  const found: Touches = { all: false, events: new Set() };
  const walk = (node: Filter): void => {
    if ("all" in node) node.all.forEach(walk);
    else if ("any" in node) node.any.forEach(walk);
    else if ("not" in node) walk(node.not);
    else if ("event" in node) found.events.add(node.event);
    else if ("audience" in node) found.all = true;
  };
  walk(filter);
  return found;
}
