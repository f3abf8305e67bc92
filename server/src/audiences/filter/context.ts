import type { Comparison, Filter } from "@tidings/contract/audience/audiences";
import type { Queries } from "../../platform/db/index.ts";
import { badField, Problem } from "../../platform/http/index.ts";
import { decodeId } from "../../platform/ids.ts";
import { conditionsOf } from "./conditions.ts";
import { type NamedAudience, reachable } from "../store.ts";

// Filters name other audiences. All audiences that a filter reaches are read at once, and their size is limited before a statement is
// built: twenty audiences that each name the next one twice would be a million conditions.

/** What a filter needs to be evaluated: the time, and the audiences that it names. */
export interface FilterContext {
  workspaceId: string;
  now: Date;
  /** By UUID. An audience that is missing has no members. */
  audiences: Map<string, NamedAudience>;
}

const MOST_CONDITIONS = 1_000;
/** PostgreSQL's parser is recursive: it fails at a few thousand levels. */
const MOST_DEPTH = 100;

/** Returns the UUIDs of the audiences that a filter names directly, each once. */
export function namedIn(filter: Filter): string[] {
  const named = conditionsOf(filter).flatMap((one) => ("audience" in one ? [one.audience] : []));
  return [...new Set(named.map((id) => decodeId("aud", id) ?? id))];
}

/** Returns the UUIDs of the topics that filters name, each once. */
export function topicsIn(filters: Filter[]): string[] {
  const named = filters
    .flatMap((filter) => conditionsOf(filter))
    .flatMap((one) => ("topic" in one && one.topic !== undefined ? [one.topic] : []));
  return [...new Set(named.map((id) => decodeId("top", id) ?? id))];
}

/** Returns the conditions of a filter and of the audiences that it reaches. */
export const conditionsWithin = (
  filter: Filter,
  { audiences }: FilterContext,
): ReturnType<typeof conditionsOf<Filter>> =>
  [filter, ...[...audiences.values()].flatMap((one) => one.filter ?? [])].flatMap((one) => conditionsOf(one));

/**
 * Reads the audiences that a filter reaches. `self` is the audience whose filter it will be.
 * @throws Problem invalid_request for an audience that the workspace does not have; audience_circle; audience_too_complex
 */
export async function loadFilterContext(
  q: Queries,
  workspaceId: string,
  { filter, now, self }: { filter: Filter; now: Date; self?: string },
): Promise<FilterContext> {
  const named = namedIn(filter);
  const found = named.length === 0 ? [] : await reachable(q, workspaceId, named);
  const audiences = new Map(found.map((audience) => [audience.id, audience]));
  if (named.some((id) => !audiences.has(id)))
    throw badField("/filter", "names an audience that this workspace does not have");
  if (self !== undefined && (audiences.has(self) || named.includes(self)))
    throw new Problem(
      "audience_circle",
      "The filter names this audience itself, by way of the audiences in it. Take one of them out.",
    );
  const { conditions, depth } = sizes(audiences)(filter);
  if (conditions > MOST_CONDITIONS || depth > MOST_DEPTH)
    throw new Problem(
      "audience_too_complex",
      `With the audiences in it the filter has ${conditions} conditions, ${depth} deep. At most ${MOST_CONDITIONS} and ${MOST_DEPTH} are possible.`,
    );
  return { workspaceId, now, audiences };
}

interface Size {
  conditions: number;
  depth: number;
}

/** Returns the function that measures a filter with all audiences in it. Each audience is measured once, so that measuring stays cheap. */
function sizes(audiences: Map<string, NamedAudience>): (filter: Filter) => Size {
  const measured = new Map<string, Size>();
  const together = (nodes: Filter[]): Size => {
    const inner = nodes.map(size);
    return {
      conditions: inner.reduce((sum, { conditions }) => sum + conditions, 0),
      depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
    };
  };
  const size = (node: Filter): Size => {
    if ("all" in node) return together(node.all);
    if ("any" in node) return together(node.any);
    if ("not" in node) return together([node.not]);
    if ("event" in node) return { conditions: 1 + (node.where?.length ?? 0), depth: 1 };
    const known = "audience" in node ? audienceOf(audiences, node.audience) : undefined;
    if (!known?.filter) return { conditions: 1, depth: 1 };
    const before = measured.get(known.id);
    if (before) return before;
    const found = together([known.filter]);
    measured.set(known.id, found);
    return found;
  };
  return size;
}

export const audienceOf = (audiences: Map<string, NamedAudience>, id: string): NamedAudience | undefined =>
  audiences.get(decodeId("aud", id) ?? "");

/** Addresses are stored in lower case, so a value that is compared with one is lower-cased too. */
export function withOperand(name: string, comparison: Comparison): Comparison {
  if (name !== "email") return comparison;
  const { value } = comparison;
  if (typeof value === "string") return { ...comparison, value: value.toLowerCase() } as Comparison;
  if (!Array.isArray(value)) return comparison;
  return { op: "in", value: value.map((one) => (typeof one === "string" ? one.toLowerCase() : one)) };
}

/** Whether a number of events is within the bounds; without bounds, whether there is one. */
export function within(count: number, bounds: Partial<Record<"eq" | "gt" | "gte" | "lt" | "lte", number>>): boolean {
  const { eq = count, gt = -1, gte = 0, lt = Number.POSITIVE_INFINITY, lte = Number.POSITIVE_INFINITY } = bounds;
  return count === eq && count > gt && count >= gte && count < lt && count <= lte;
}
