import type { RunCounts, StepCounts } from "@tidings/contract/campaigns/runs";
import type { RunFilters } from "../search.ts";

export type ManyKind = "move" | "skip" | "retry" | "end";

/** Whether a filter selects runs of which a number of the campaign says how many they are. */
const isCounted = ({ person, state, converted, from, to }: RunFilters): boolean =>
  !person && !state && !converted && !from && !to;

/** Returns what can be done with all runs of a filter. */
export function offeredFor(filters: RunFilters): readonly ManyKind[] {
  const { step, status } = filters;
  if (!isCounted(filters)) return [];
  if (step) return status === undefined || status === "active" ? ["move", "skip", "end"] : [];
  if (status === "active") return ["move", "end"];
  return status === "failed" ? ["retry"] : [];
}

interface Counts {
  runs: RunCounts;
  steps: Record<string, StepCounts>;
}

/** Returns how many runs a filter selects that `offeredFor` offers something for. */
export function countOf({ step, status }: RunFilters, { runs, steps }: Counts): number {
  if (step) return steps[step]?.waiting ?? 0;
  return status === "active" || status === "failed" ? runs[status] : 0;
}
