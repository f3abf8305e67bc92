import type { InAppDefinition } from "@tidings/contract/inapp/definition";
import type { Gate, GateFacts } from "@tidings/contract/inapp/explain";
import { durationMs } from "../../platform/time/duration.ts";
import { isCapped } from "./cap.ts";
import { nearlyFits } from "./nearly-fits.ts";
import { capOf, isExpired, mostOf, pausedUntil, sharesLimits, underCap } from "./persistence.ts";
import { isQuiet, type LocalClock, localMinute, minuteOf, type QuietWindow, quietUntil } from "./quiet-hours.ts";
import { compilePattern, onScreen, type Pattern } from "./screens.ts";

/** The rules of a definition about when to show it, compiled once per definition version. */
export interface Rules {
  definition: InAppDefinition;
  include: Pattern[];
  exclude: Pattern[];
  quiet: QuietWindow | undefined;
  /** How often one delivery may be shown. */
  cap: number;
  /** Whether the definition has limits, and they count all deliveries of the message that a person has. */
  shared: boolean;
  /** The most impressions a candidate may have: over all deliveries where limits are shared, else of the one delivery. */
  maxImpressions: number;
  intervalMs: number;
  /** Whether the workspace's cap applies to it. */
  capped: boolean;
}

/** Compiles the rules of a definition: screen patterns, quiet hours in minutes, limits in milliseconds. */
export function rulesOf(definition: InAppDefinition): Rules {
  const { screens, quiet_hours: hours, persistence } = definition;
  const shared = sharesLimits(persistence);
  return {
    definition,
    include: screens.include.map(compilePattern),
    exclude: screens.exclude.map(compilePattern),
    quiet: hours?.enabled
      ? { device: hours.timezone_mode === "device", start: minuteOf(hours.start), end: minuteOf(hours.end) }
      : undefined,
    cap: capOf(persistence),
    shared,
    maxImpressions: shared ? mostOf(persistence) : capOf(persistence),
    intervalMs: persistence.min_interval ? durationMs(persistence.min_interval) : 0,
    capped: isCapped(definition),
  };
}

/**
 * The fields of a delivery that the rules read. `impressions` counts all deliveries of the message where limits are shared.
 * Times are milliseconds since 1970.
 */
export interface Candidate {
  impressions: number;
  expires_at: number | null;
  last_impression_at: number | null;
}

/** The screen, time and clocks of one sync. Each of the two local minutes is computed at most once a request. */
export interface SyncContext extends LocalClock {
  now: number;
  /** Trimmed; undefined where the client names no screen. */
  screen: string | undefined;
  deviceMinute: number;
  workspaceMinute: number;
  /** The time until which the workspace's cap holds this person's messages back; 0 where it does not. */
  cappedUntil: number;
}

/** A local minute that is not computed yet. */
export const NOT_COMPUTED = -1;

function quietNow(rules: Rules, context: SyncContext): boolean {
  const { quiet } = rules;
  if (quiet === undefined) return false;
  if (quiet.device) {
    if (context.deviceMinute === NOT_COMPUTED) context.deviceMinute = localMinute(context.now, true, context);
    return isQuiet(quiet, context.deviceMinute);
  }
  if (context.workspaceMinute === NOT_COMPUTED) context.workspaceMinute = localMinute(context.now, false, context);
  return isQuiet(quiet, context.workspaceMinute);
}

/** Whether a live delivery may be shown: checks every gate, the cheapest first, and allocates nothing. `evaluateGates` says why. */
export function passes(rules: Rules, delivery: Candidate, context: SyncContext): boolean {
  return (
    !isExpired(delivery.expires_at, context.now) &&
    underCap(rules.maxImpressions, delivery.impressions) &&
    pausedUntil(rules.intervalMs, delivery.last_impression_at) <= context.now &&
    !hides(rules, context)
  );
}

/** Whether these rules hide every delivery of this version here and now, whatever its impressions and times are. */
export function hides(rules: Rules, context: SyncContext): boolean {
  return (
    (context.cappedUntil > context.now && rules.capped) ||
    !onScreen(rules.include, rules.exclude, context.screen) ||
    quietNow(rules, context)
  );
}

/** Whether one gate lets a delivery pass, with a detail for people. */
export interface GateResult {
  gate: Gate;
  pass: boolean;
  detail: string;
  /** The values in the sentence, for clients that write it in another language. */
  facts: GateFacts;
  /** When this gate will open by time alone. */
  nextEligibleAt?: Date;
}

/** Evaluates the gates of `passes` and returns the result of each, for people who ask why a message does not show. */
export function evaluateGates(rules: Rules, delivery: Candidate, context: SyncContext): GateResult[] {
  const { now } = context;
  const paused = pausedUntil(rules.intervalMs, delivery.last_impression_at);
  const held = rules.capped ? context.cappedUntil : 0;
  // Without shared limits this gate never fails: the last allowed impression ends the delivery.
  const under = underCap(rules.maxImpressions, delivery.impressions);
  return [
    {
      gate: "screen",
      pass: onScreen(rules.include, rules.exclude, context.screen),
      detail: screenDetail(rules, context),
      facts: {
        screen: context.screen ?? null,
        include: rules.definition.screens.include,
        exclude: rules.definition.screens.exclude,
        nearly: nearlyFitting(rules, context),
      },
    },
    quietResult(rules, context),
    {
      gate: "expiry",
      pass: !isExpired(delivery.expires_at, now),
      detail: delivery.expires_at === null ? "never expires" : `expires at ${iso(delivery.expires_at)}`,
      facts: { expires_at: delivery.expires_at === null ? null : iso(delivery.expires_at) },
    },
    {
      gate: "impressions",
      pass: under,
      detail: `shown ${delivery.impressions} of ${rules.maxImpressions === Number.POSITIVE_INFINITY ? "any number of" : rules.maxImpressions} times${under ? "" : ", over all deliveries of this message"}`,
      facts: {
        impressions: delivery.impressions,
        max_impressions: rules.maxImpressions === Number.POSITIVE_INFINITY ? null : rules.maxImpressions,
      },
    },
    timed("interval", paused, now, {
      detail: paused === 0 ? "no pause between impressions" : `rests until ${iso(paused)}`,
      facts: { until: paused === 0 ? null : iso(paused) },
    }),
    timed("cap", held, now, {
      detail: capDetail(rules, held),
      facts: { exempt: !rules.capped, until: held === 0 ? null : iso(held) },
    }),
  ];
}

const iso = (at: number): string => new Date(at).toISOString();

const timed = (gate: Gate, until: number, now: number, said: Pick<GateResult, "detail" | "facts">): GateResult => ({
  gate,
  pass: until <= now,
  ...said,
  ...(until > now && { nextEligibleAt: new Date(until) }),
});

function capDetail({ capped }: Rules, held: number): string {
  if (!capped) return "exempt: critical, or an inbox card";
  return held === 0
    ? "the workspace's cap leaves room, or there is none"
    : `the workspace's cap holds until ${iso(held)}`;
}

const nearlyFitting = (
  { definition: { screens } }: { definition: Pick<InAppDefinition, "screens"> },
  { screen }: Pick<SyncContext, "screen">,
): string[] => [...screens.include, ...screens.exclude].filter((pattern) => nearlyFits(pattern, screen ?? ""));

function screenDetail({ definition: { screens } }: Rules, { screen }: SyncContext): string {
  const on = screen === undefined ? "no screen given" : `on ${JSON.stringify(screen)}`;
  const near = nearlyFitting({ definition: { screens } }, { screen });
  const hint =
    near.length === 0 ? "" : `; it nearly fits ${near.join(", ")}: names are compared by case and by every sign`;
  const but = screens.exclude.length === 0 ? "" : `, except ${screens.exclude.join(", ")}`;
  return `${on}; shown on ${screens.include.length === 0 ? "all screens" : screens.include.join(", ")}${but}${hint}`;
}

function quietResult(rules: Rules, context: SyncContext): GateResult {
  const { quiet_hours: hours } = rules.definition;
  if (!hours?.enabled || !rules.quiet)
    return { gate: "quiet_hours", pass: true, detail: "no quiet hours", facts: { quiet: null } };
  const quiet = quietNow(rules, context);
  const minute = hours.timezone_mode === "device" ? context.deviceMinute : context.workspaceMinute;
  const clock = [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, "0")).join(":");
  return {
    gate: "quiet_hours",
    pass: !quiet,
    detail: `quiet from ${hours.start} to ${hours.end}; the ${hours.timezone_mode}'s clock shows ${clock}`,
    facts: { quiet: { start: hours.start, end: hours.end, clock: hours.timezone_mode, shows: clock } },
    ...(quiet && { nextEligibleAt: new Date(quietUntil(context.now, rules.quiet, context)) }),
  };
}
