import { knownVersion } from "../definition/version.ts";
import type { LiveRow } from "../delivery/live-store.ts";
import type { StateRow } from "../delivery/store.ts";
import { type Look, type Verdict, verdicts } from "../rules/gates.ts";

// How a live delivery stands with each gate, in the explainer's words.

export type Standing = LiveRow & Pick<StateRow, "status">;
/** Where a person looks from, at any time. */
export type LookAt = (at: number) => Look;

/** The verdict of every gate on a live delivery. */
export function gatesOf(row: Standing, look: Look): Verdict[] {
  const version = knownVersion(row.message_id, row.message_version);
  if (!version) return [{ gate: "status", pass: false, detail: "the version of its definition is gone" }];
  return [...verdicts(version, row, look), { gate: "status", pass: true, detail: row.status }];
}

/** Quiet hours may begin before a pause is over and a message may expire meanwhile: looked at again at each opening. */
const MOST_OPENINGS = 10;

/** When time alone lets every gate pass; undefined where it never does, or only something else can. */
export function opensAt(row: Standing, lookAt: LookAt, gates: Verdict[]): Date | undefined {
  let verdicts = gates;
  let at: Date | undefined;
  for (let i = 0; i < MOST_OPENINGS; i++) {
    const failing = verdicts.filter((verdict) => !verdict.pass);
    if (failing.length === 0) return at;
    const openings = failing.map((verdict) => verdict.nextEligibleAt?.getTime() ?? Number.POSITIVE_INFINITY);
    const latest = Math.max(...openings);
    if (latest === Number.POSITIVE_INFINITY) return undefined;
    at = new Date(latest);
    verdicts = gatesOf(row, lookAt(latest));
  }
  return undefined;
}

/** The gates that fail, as an answer names them. */
export const heldBy = (gates: Verdict[]): Pick<Verdict, "gate" | "detail">[] =>
  gates.flatMap(({ gate, pass, detail }) => (pass ? [] : [{ gate, detail }]));
