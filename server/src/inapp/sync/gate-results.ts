import type { Versioned } from "../definition/compiled.ts";
import type { LiveRow } from "../delivery/live-store.ts";
import type { StateRow } from "../delivery/store.ts";
import { evaluateGates, type GateResult, type SyncContext } from "../rules/gates.ts";

// Which gates hold a live delivery back, in the explainer's words.

export type LiveDelivery = LiveRow & Pick<StateRow, "status">;
/** Returns the sync context of a person at a time, in milliseconds since 1970. */
export type ContextAt = (at: number) => SyncContext;

/** The result of every gate for a live delivery. */
export function gatesOf({ row, version }: Versioned<LiveDelivery>, context: SyncContext): GateResult[] {
  if (!version) return [{ gate: "status", pass: false, detail: "the version of its definition is gone", facts: {} }];
  return [
    ...evaluateGates(version, row, context),
    { gate: "status", pass: true, detail: row.status, facts: { status: row.status } },
  ];
}

/**
 * Quiet hours may begin before a pause ends, and a message may expire meanwhile: the gates are evaluated again each time one
 * opens.
 */
const MOST_OPENINGS = 10;

/** The time from which every gate passes; undefined where time alone never opens them all. */
export function nextEligibleAt(
  live: Versioned<LiveDelivery>,
  contextAt: ContextAt,
  gates: GateResult[],
): Date | undefined {
  let results = gates;
  let at: Date | undefined;
  for (let i = 0; i < MOST_OPENINGS; i++) {
    const failing = results.filter((result) => !result.pass);
    if (failing.length === 0) return at;
    const openings = failing.map((result) => result.nextEligibleAt?.getTime() ?? Number.POSITIVE_INFINITY);
    const latest = Math.max(...openings);
    if (latest === Number.POSITIVE_INFINITY) return undefined;
    at = new Date(latest);
    results = gatesOf(live, contextAt(latest));
  }
  return undefined;
}

/** The gates that fail, as responses list them. */
export const heldBy = (gates: GateResult[]): Pick<GateResult, "gate" | "detail" | "facts">[] =>
  gates.flatMap(({ gate, pass, detail, facts }) => (pass ? [] : [{ gate, detail, facts }]));
