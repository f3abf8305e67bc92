import type { Filter } from "@tidings/contract/audience/audiences";

/** The events that may change who matches a filter. It may contain too many events and never too few. */
export interface Touches {
  /** Whether any event may: the filter refers to other audiences. */
  all: boolean;
  events: Set<string>;
}

/** Returns the events that may change who matches a filter. */
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
