import type { Filter } from "@tidings/contract/audience/audiences";
import { conditionsOf } from "../../audiences/index.ts";

/** The events that may change who matches a filter. It may contain too many events and never too few. */
export interface Touches {
  /** Whether any event may: the filter refers to other audiences. */
  all: boolean;
  events: Set<string>;
}

/** Returns the events that may change who matches a filter. */
export function touchesOf(filter: Filter): Touches {
  const found: Touches = { all: false, events: new Set() };
  for (const one of conditionsOf(filter)) {
    if ("event" in one) found.events.add(one.event);
    else if ("audience" in one) found.all = true;
  }
  return found;
}
