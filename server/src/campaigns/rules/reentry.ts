import type { Reentry, Trigger } from "@tidings/contract/campaigns/campaigns";
import { durationMs } from "../../platform/time/duration.ts";
import { repeats } from "./occurrences.ts";

/** Returns the rule of a campaign whose author gave none: each occurrence of a trigger that repeats by itself lets a person in. */
export const defaultReentry = (trigger: Trigger): Reentry => (repeats(trigger) ? "always" : "once");

/** The rule for repeated entries, as the guard in the database applies it. */
export interface Gate {
  /** Whether every cause starts a run. */
  always: boolean;
  /** A person may enter if their last entry is not later than this. Null: only if they never entered. */
  openSince: Date | null;
}

/** An `always` campaign records the last entry at most once in this time: otherwise each event would lock the person's row. */
const RECORDED_MS = 60_000;

/** Whether a person may enter, as `insertRuns` decides it by one statement. */
export const mayEnter = ({ always, openSince }: Gate, lastEntry: Date | undefined): boolean =>
  always || lastEntry === undefined || (openSince !== null && lastEntry <= openSince);

export function gateOf(reentry: Reentry, now: Date): Gate {
  if (reentry === "once") return { always: false, openSince: null };
  if (reentry === "always") return { always: true, openSince: new Date(now.getTime() - RECORDED_MS) };
  return { always: false, openSince: new Date(now.getTime() - durationMs(reentry.after)) };
}
