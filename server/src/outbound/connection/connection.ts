import { setTimeout as sleep } from "node:timers/promises";
import type { Provider } from "../providers/protocol/provider.ts";
import { UnderWay } from "../providers/protocol/under-way.ts";
import type { Outcome } from "../queue/retry.ts";
import { admission, type Fault, type Health, healthAfter, WELL } from "./breaker.ts";
import { nextTurn, type Pace } from "./pace.ts";
import { type Slots, slots } from "./slots.ts";

/** A delivery whose turn is further away than this waits in the table: memory is for deliveries that go out soon. */
const LONGEST_TURN_MS = 30_000;
/** How often a hand-off that waits for its turn checks that its lease is still ours; a stop must not wait for it. */
const LOOK_MS = 250;

/**
 * Deliveries whose end is not written yet, for each of the provider's places. With 1 a hand-off would wait for the commit of
 * the one before it; without a bound, while the database stands still, all deliveries in memory would be sent, and later again.
 */
const UNSETTLED_EACH = 2;

/** A provider that is open in this process, with its places, its rate and its health. */
export interface Connection {
  id: string;
  name: string;
  provider: Provider;
  /** Hand-offs under way. */
  slots: Slots;
  /** Deliveries from just before their hand-off until their end is written: after a kill these may be sent again. */
  unsettled: Slots;
  /** Hand-offs a second; null for no limit. It may change while the connection is open. */
  rate: number | null;
  pace: Pace;
  health: Health;
  /** Hand-offs that have begun, to see those that take too long. */
  underWay: UnderWay;
  /** Called with the rest when the provider begins one, and with undefined when it is well again. */
  changed(rest: Rest | undefined): void;
}

export interface Rest extends Fault {
  ms: number;
  reason: string;
}

/** @param rate hand-offs a second; null for no limit */
export function createConnection(id: string, name: string, provider: Provider, rate: number | null = null): Connection {
  const share = { slots: slots(provider.concurrency), unsettled: slots(provider.concurrency * UNSETTLED_EACH) };
  return {
    id,
    name,
    provider,
    ...share,
    rate,
    pace: 0,
    health: WELL,
    underWay: new UnderWay(provider.concurrency),
    changed() {},
  };
}

/** Nothing was handed over, because the provider rests or its rate leaves no turn soon. This does not count as an attempt. */
export interface Wait {
  waitMs: number;
  why: "resting" | "rate";
  by: Connection;
}

/** The delivery's side of a turn. */
export interface Hold {
  /** One of many: single deliveries have their turn before it. */
  bulk: boolean;
  /** Whether the lease is surely ours. */
  holds(): boolean;
  /**
   * Takes a place among the provider's unsettled deliveries, which the delivery leaves once its end is written. Resolves at once
   * where the delivery has a place already, at whichever provider: with two places, two deliveries could wait for each other.
   */
  enter(unsettled: Slots): Promise<void>;
  /** Gives the place among the unsettled deliveries back before the end, because the hand-off takes too long. */
  leave(): void;
}

/** A place among a provider's hand-offs, taken at its rate and while it does not rest. The caller ends it exactly once. */
export interface Turn {
  /** Ends the turn. The outcome updates the provider's health; undefined where it was not asked after all, or the error is ours. */
  end(outcome: Outcome | undefined): void;
}

/**
 * Waits for a turn at a provider: within its share of hand-offs, at its rate, and only while it does not rest.
 * @returns a Wait where the provider can't be asked soon; undefined where the lease was lost meanwhile
 */
export async function takeTurn(by: Connection, hold: Hold): Promise<Turn | Wait | undefined> {
  const asked = performance.now();
  const rest = admission(by.health, asked);
  if (typeof rest === "number") return { waitMs: rest, why: "resting", by };
  if (by.rate !== null) {
    const waitMs =
      by.pace - asked + ((by.unsettled.waiting(hold.bulk) + by.slots.waiting(hold.bulk)) * 1_000) / by.rate;
    if (waitMs > LONGEST_TURN_MS) return { waitMs, why: "rate", by };
  }
  await hold.enter(by.unsettled);
  await by.slots.enter(hold.bulk);
  if (!(await waitForTurn(by, hold))) {
    by.slots.leave();
    return undefined;
  }
  // Hand-offs before this one in the queue may have found that the provider does not work.
  const admitted = admission(by.health, performance.now());
  if (typeof admitted === "number") {
    by.slots.leave();
    return { waitMs: admitted, why: "resting", by };
  }
  return beginTurn(by, hold, admitted === "probe");
}

function beginTurn(by: Connection, hold: Hold, probe: boolean): Turn {
  let holding = true;
  const leave = () => {
    if (holding) by.slots.leave();
    holding = false;
  };
  if (probe) by.health = { ...by.health, probing: true };
  const passage = by.underWay.begin(performance.now(), () => {
    leave();
    hold.leave();
  });
  return {
    end(outcome) {
      const answer = outcome && "unasked" in outcome ? undefined : outcome;
      if (answer && !("blameless" in answer)) noteOutcome(by, probe, answer);
      by.underWay.end(passage, performance.now(), answer !== undefined && faultOf(answer) === undefined);
      // Where the provider was not asked after all, or the error is ours, the next hand-off is the probe.
      if (probe && by.health.probing) by.health = { ...by.health, probing: false };
      leave();
    },
  };
}

async function waitForTurn(by: Connection, hold: Hold): Promise<boolean> {
  if (!hold.holds()) return false;
  if (by.rate === null) return true;
  const { wait, pace } = nextTurn(by.pace, by.rate, performance.now());
  by.pace = pace;
  for (let left = wait; left > 0; left -= LOOK_MS) {
    await sleep(Math.min(left, LOOK_MS));
    if (!hold.holds()) return false;
  }
  return true;
}

function noteOutcome(by: Connection, probe: boolean, outcome: Outcome): void {
  const now = performance.now();
  const before = by.health;
  const after = healthAfter(before, faultOf(outcome), probe, now);
  by.health = after;
  if (after.until !== undefined && after.rests > before.rests) {
    const { cause = "provider" } = faultOf(outcome) ?? {};
    by.changed({ cause, ms: after.until - now, reason: "reason" in outcome ? outcome.reason : "" });
  } else if (before.until !== undefined && after.until === undefined) by.changed(undefined);
}

/** A server that did not answer counts as a fault, like one that reports an error. */
function faultOf(outcome: Outcome): Fault | undefined {
  if (outcome.kind === "unknown") return outcome.blameless ? undefined : { cause: "provider" };
  if (outcome.kind !== "retry" || !outcome.fault) return undefined;
  return { cause: outcome.fault, ...(outcome.afterMs !== undefined && { afterMs: outcome.afterMs }) };
}
