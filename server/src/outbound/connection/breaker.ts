// When a provider rests, as a story:
//   well      hand-offs go through. Consecutive faults are counted; any answer about a message resets the count
//   resting   after FAULTS_IN_A_ROW, or at once where the provider says that key or account are wrong or sends a Retry-After:
//             it gets no message until the rest is over
//   probing   then one hand-off goes through alone. Its answer makes the provider well; its fault begins a longer rest
// An answer that arrives during a rest belongs to a hand-off that began before it. It decides nothing: the probe does.

/** The health of a provider, as one process sees it. Times are of performance.now(). */
export interface Health {
  /** Consecutive faults. */
  faults: number;
  /** Number of rests since it was last well. */
  rests: number;
  /** End of its rest; undefined: it is well. */
  until: number | undefined;
  /** One hand-off is under way to see whether it is well again. */
  probing: boolean;
}

/** A failure of the provider as a whole, as one hand-off showed it. */
export interface Fault {
  cause: "provider" | "credentials";
  /** The provider's own Retry-After. */
  afterMs?: number;
}

export const WELL: Health = { faults: 0, rests: 0, until: undefined, probing: false };

/** A lower number would rest a provider for one bad second; a higher one wastes attempts of deliveries that could have waited. */
export const FAULTS_IN_A_ROW = 5;
const SECOND = 1_000;
/** Rests after a fault of the provider: such faults pass by themselves, and waiting deliveries should go out within a minute of that. */
const RESTS = [5, 15, 30, 45].map((s) => s * SECOND);
/** Rests after wrong credentials, which somebody must correct. New credentials end the rest at once. */
const LONG_RESTS = [60, 300, 900].map((s) => s * SECOND);
/** The longest rest, also where Retry-After asks for more: one message's answer must not stop all others for a day. */
export const LONGEST_REST = 900 * SECOND;
/** How long other hand-offs wait for a probe before they ask again. */
export const PROBE_WAIT = 2 * SECOND;

/** Whether a hand-off may begin: at once ("go"), as the probe, or after this number of milliseconds at the earliest. */
export function admission(health: Health, now: number): "go" | "probe" | number {
  if (health.until === undefined) return "go";
  if (now < health.until) return health.until - now;
  return health.probing ? PROBE_WAIT : "probe";
}

/**
 * Returns the provider's health after one hand-off.
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
  // A Retry-After is the provider's own answer to "how long". The first one is obeyed as it is, also where it is short.
  return Math.min(afterMs > 0 && rests === 0 && cause === "provider" ? afterMs : Math.max(own, afterMs), LONGEST_REST);
}
