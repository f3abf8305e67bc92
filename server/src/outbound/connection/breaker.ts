// When a provider rests, as a story:
//   well      hand-offs go through. Faults in a row are counted; any answer about a message ends the row
//   resting   after FAULTS_IN_A_ROW, or at once where it says that key or account are wrong or names its own Retry-After:
//             nothing is handed to it until the rest is over
//   probing   then one hand-off goes through alone. Its answer makes the provider well; its fault begins a longer rest
// What comes back during a rest was begun before it and decides nothing: the probe does.

/** How a provider is, as one process sees it. Times are of performance.now(). */
export interface Health {
  /** In a row. */
  faults: number;
  /** Since it was last well. */
  rests: number;
  /** End of its rest; undefined: it is well. */
  until: number | undefined;
  /** One hand-off is under way to see whether it is well again. */
  probing: boolean;
}

/** What a hand-off said about its provider as a whole. */
export interface Fault {
  cause: "provider" | "credentials";
  /** Its own Retry-After. */
  afterMs?: number;
}

export const WELL: Health = { faults: 0, rests: 0, until: undefined, probing: false };

/** Fewer would rest a provider for one bad second; more burn attempts of deliveries that could have waited. */
export const FAULTS_IN_A_ROW = 5;
const SECOND = 1_000;
/** Rests after a fault of the provider: they mend themselves, and what waits is to go out within a minute of it. */
const RESTS = [5, 15, 30, 45].map((s) => s * SECOND);
/** Rests after wrong credentials, which somebody must mend. New ones end the rest at once. */
const LONG_RESTS = [60, 300, 900].map((s) => s * SECOND);
/** A Retry-After beyond this rests the provider no longer: one message's answer must not stop all others for a day. */
export const LONGEST_REST = 900 * SECOND;
/** How long others wait for a probe before they ask again. */
export const PROBE_WAIT = 2 * SECOND;

/** Whether a hand-off may begin: at once, as the probe, or so many milliseconds later at the earliest. */
export function admission(health: Health, now: number): "go" | "probe" | number {
  if (health.until === undefined) return "go";
  if (now < health.until) return health.until - now;
  return health.probing ? PROBE_WAIT : "probe";
}

/**
 * What a provider's state becomes by one hand-off.
 * @param fault undefined: the provider answered about the message, whatever it said
 * @param probe whether the hand-off was the probe
 */
export function healthAfter(health: Health, fault: Fault | undefined, probe: boolean, now: number): Health {
  if (health.until !== undefined && !probe) return health;
  if (!fault) return WELL;
  const faults = health.faults + 1;
  const rests = probe || fault.cause === "credentials" || fault.afterMs !== undefined || faults >= FAULTS_IN_A_ROW;
  if (!rests) return { ...health, faults };
  return { faults, rests: health.rests + 1, until: now + restOf(fault, health.rests), probing: false };
}

function restOf({ cause, afterMs = 0 }: Fault, rests: number): number {
  const ladder = cause === "credentials" ? LONG_RESTS : RESTS;
  const own = ladder[Math.min(rests, ladder.length - 1)] as number;
  // With a Retry-After the provider says itself how long: the first time it is taken at its word, also where it is short.
  return Math.min(afterMs > 0 && rests === 0 && cause === "provider" ? afterMs : Math.max(own, afterMs), LONGEST_REST);
}
