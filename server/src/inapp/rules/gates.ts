import type { InAppDefinition } from "@tidings/contract/inapp/definition";
import type { Gate } from "@tidings/contract/inapp/explain";
import { isCapped } from "./cap.ts";
import { compilePattern, onScreen, type Pattern } from "./pages.ts";
import { nearlyFits } from "./near.ts";
import { capOf, durationMs, isExpired, mostOf, pausedUntil, sharesLimits, underCap } from "./persistence.ts";
import { isQuiet, localMinute, minuteOf, type QuietWindow, quietUntil, type Where } from "./quiet-hours.ts";

/** What a definition says about when to show it, worked out once a rules. */
export interface Rules {
  definition: InAppDefinition;
  include: Pattern[];
  exclude: Pattern[];
  quiet: QuietWindow | undefined;
  /** How often one delivery may be shown. */
  cap: number;
  /** Whether limits hold over all deliveries of the message that a person has, and there are any. */
  shared: boolean;
  /** What the impressions of a candidate may be: over all deliveries where limits are shared, else of the one. */
  most: number;
  intervalMs: number;
  /** Whether the workspace's cap is about it. */
  capped: boolean;
}

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
    most: shared ? mostOf(persistence) : capOf(persistence),
    intervalMs: persistence.min_interval ? durationMs(persistence.min_interval) : 0,
    capped: isCapped(definition),
  };
}

/** What the rules look at in a delivery; its impressions are those of all where limits are shared. Times are milliseconds since 1970. */
export interface Candidate {
  impressions: number;
  expires_at: number | null;
  last_impression_at: number | null;
}

/** One sync: who looks from where and when. The two local minutes are worked out at most once a request. */
export interface Look extends Where {
  now: number;
  /** Trimmed; undefined where the client names none. */
  screen: string | undefined;
  deviceMinute: number;
  workspaceMinute: number;
  /** Until when the workspace's cap holds this person's messages back; 0 where it does not. */
  cappedUntil: number;
}

export const NOT_ASKED = -1;

function quietNow(rules: Rules, look: Look): boolean {
  const { quiet } = rules;
  if (quiet === undefined) return false;
  if (quiet.device) {
    if (look.deviceMinute === NOT_ASKED) look.deviceMinute = localMinute(look.now, true, look);
    return isQuiet(quiet, look.deviceMinute);
  }
  if (look.workspaceMinute === NOT_ASKED) look.workspaceMinute = localMinute(look.now, false, look);
  return isQuiet(quiet, look.workspaceMinute);
}

/** Whether a live delivery may be shown: every gate, the cheapest first, and nothing allocated. `verdicts` says why. */
export function passes(rules: Rules, delivery: Candidate, look: Look): boolean {
  return (
    !isExpired(delivery.expires_at, look.now) &&
    underCap(rules.most, delivery.impressions) &&
    pausedUntil(rules.intervalMs, delivery.last_impression_at) <= look.now &&
    !hides(rules, look)
  );
}

/** Whether these rules hide every delivery that has them, here and now, whatever became of it. */
export function hides(rules: Rules, look: Look): boolean {
  return (
    (look.cappedUntil > look.now && rules.capped) ||
    !onScreen(rules.include, rules.exclude, look.screen) ||
    quietNow(rules, look)
  );
}

export interface Verdict {
  gate: Gate;
  pass: boolean;
  detail: string;
  /** When time alone will open this gate. */
  nextEligibleAt?: Date;
}

/** The same gates with every verdict kept, for people who ask why a message does not show. */
export function verdicts(rules: Rules, delivery: Candidate, look: Look): Verdict[] {
  const { now } = look;
  const paused = pausedUntil(rules.intervalMs, delivery.last_impression_at);
  const held = rules.capped ? look.cappedUntil : 0;
  // Of a delivery alone it never fails: the last impression ends its life.
  const under = underCap(rules.most, delivery.impressions);
  return [
    { gate: "screen", pass: onScreen(rules.include, rules.exclude, look.screen), detail: screenDetail(rules, look) },
    quietVerdict(rules, look),
    {
      gate: "expiry",
      pass: !isExpired(delivery.expires_at, now),
      detail: delivery.expires_at === null ? "never expires" : `expires at ${iso(delivery.expires_at)}`,
    },
    {
      gate: "impressions",
      pass: under,
      detail: `shown ${delivery.impressions} of ${rules.most === Number.POSITIVE_INFINITY ? "any number of" : rules.most} times${under ? "" : ", over all deliveries of this message"}`,
    },
    timed("interval", paused, now, paused === 0 ? "no pause between impressions" : `rests until ${iso(paused)}`),
    timed("cap", held, now, capDetail(rules, held)),
  ];
}

const iso = (at: number): string => new Date(at).toISOString();

const timed = (gate: Gate, until: number, now: number, detail: string): Verdict => ({
  gate,
  pass: until <= now,
  detail,
  ...(until > now && { nextEligibleAt: new Date(until) }),
});

function capDetail({ capped }: Rules, held: number): string {
  if (!capped) return "exempt: critical, or an inbox card";
  return held === 0
    ? "the workspace's cap leaves room, or there is none"
    : `the workspace's cap holds until ${iso(held)}`;
}

function screenDetail({ definition: { screens } }: Rules, { screen }: Look): string {
  const on = screen === undefined ? "no screen given" : `on ${JSON.stringify(screen)}`;
  const near = [...screens.include, ...screens.exclude].filter((pattern) => nearlyFits(pattern, screen ?? ""));
  const hint =
    near.length === 0 ? "" : `; it nearly fits ${near.join(", ")}: names are compared by case and by every sign`;
  const but = screens.exclude.length === 0 ? "" : `, except ${screens.exclude.join(", ")}`;
  return `${on}; shown on ${screens.include.length === 0 ? "all screens" : screens.include.join(", ")}${but}${hint}`;
}

function quietVerdict(rules: Rules, look: Look): Verdict {
  const { quiet_hours: hours } = rules.definition;
  if (!hours?.enabled || !rules.quiet) return { gate: "quiet_hours", pass: true, detail: "no quiet hours" };
  const quiet = quietNow(rules, look);
  const minute = hours.timezone_mode === "device" ? look.deviceMinute : look.workspaceMinute;
  const clock = [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, "0")).join(":");
  return {
    gate: "quiet_hours",
    pass: !quiet,
    detail: `quiet from ${hours.start} to ${hours.end}; the ${hours.timezone_mode}'s clock shows ${clock}`,
    ...(quiet && { nextEligibleAt: new Date(quietUntil(look.now, rules.quiet, look)) }),
  };
}
