import type { Reentry } from "@tidings/contract/campaigns/campaigns";
import { spanMs } from "./span.ts";

/** How often a person may enter, as the guard in the database asks it. */
export interface Gate {
  /** Whether each cause lets the person in. */
  always: boolean;
  /** The last entry must not be later than this. Null: there must be none. */
  openSince: Date | null;
}

/** An `always` campaign notes the last entry at most once in this time: a person's row would be locked at each event otherwise. */
const NOTED_MS = 60_000;

export function gateOf(reentry: Reentry, now: Date): Gate {
  if (reentry === "once") return { always: false, openSince: null };
  if (reentry === "always") return { always: true, openSince: new Date(now.getTime() - NOTED_MS) };
  return { always: false, openSince: new Date(now.getTime() - spanMs(reentry.after)) };
}
