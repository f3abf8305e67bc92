import type { CampaignDefinition } from "@tidings/contract/campaigns/campaigns";
import type { Filter } from "@tidings/contract/audience/audiences";
import { attributeOf, evaluate } from "../../../audiences/index.ts";
import { zoneOf } from "../../../platform/time/window.ts";
import { type DayTrigger, dayTriggerOf, isDueOn, occurrencesBetween } from "../../rules/occurrences.ts";
import { enterWorld } from "./react.ts";
import { personIn, type World } from "./world.ts";

const DAY_MS = 86_400_000;

/** A day on which the trigger asks whether the people of a zone are due. */
interface Day {
  zone: string;
  at: number;
  /** As a date: 2026-05-17. */
  day: string;
}

/** Returns the filter of a trigger that lets the people of an audience in on days; undefined for other triggers. */
export const audienceOnDays = ({ trigger }: CampaignDefinition): Filter | undefined =>
  trigger.type === "recurring" ? { audience: trigger.audience_id } : undefined;

/** The people of a zone, and their next day. */
interface Zone {
  people: Set<string>;
  /** Undefined before it was looked for; null where there is none. */
  next: Day | null | undefined;
}

/** The days on which a campaign lets the people of a world in, by a date of theirs or on days of the week. */
export class Days {
  readonly #world: World;
  readonly #trigger: DayTrigger | undefined;
  readonly #until: number;
  readonly #zones = new Map<string, Zone>();
  readonly #zoneOf = new Map<string, string>();
  /** The days that were asked: a person who changes the zone is asked once a day. */
  readonly #asked = new Set<string>();

  constructor(world: World, until: Date) {
    this.#world = world;
    this.#trigger = dayTriggerOf(world.published.definition);
    this.#until = until.getTime();
    for (const key of world.people.keys()) this.follow(key);
  }

  /** Notes in which zone a person is now. */
  follow(personKey: string): void {
    if (!this.#trigger) return;
    const zone = zoneIn(this.#world, personKey);
    const before = this.#zoneOf.get(personKey);
    if (before === zone) return;
    this.#zones.get(before ?? "")?.people.delete(personKey);
    this.#zoneOf.set(personKey, zone);
    const known = this.#zones.get(zone) ?? { people: new Set(), next: undefined };
    this.#zones.set(zone, known);
    // The days of a zone without people were not followed.
    if (known.people.size === 0) known.next = undefined;
    known.people.add(personKey);
  }

  /** Returns the next day of anybody. */
  next(): Day | undefined {
    if (!this.#trigger) return undefined;
    let next: Day | undefined;
    for (const [zone, known] of this.#zones) {
      if (known.people.size === 0) continue;
      known.next ??= this.#nextOf(this.#trigger, zone) ?? null;
      if (known.next && (!next || known.next.at < next.at)) next = known.next;
    }
    return next;
  }

  /** Lets the people in who are due on this day. Returns those who were asked. */
  take({ zone, at, day }: Day): string[] {
    const known = this.#zones.get(zone);
    const trigger = this.#trigger;
    if (!known || !trigger) return [];
    known.next = undefined;
    const data = { date: day, at: new Date(at).toISOString() };
    return [...known.people].filter((personKey) => {
      const key = `${personKey} ${day}`;
      if (this.#asked.has(key)) return false;
      this.#asked.add(key);
      if (isDue(this.#world, trigger, personKey, day)) enterWorld(this.#world, personKey, { data });
      return true;
    });
  }

  #nextOf(trigger: DayTrigger, zone: string): Day | undefined {
    const { time, workspace } = this.#world;
    const zones = { zones: [zone], workspaceZone: workspace.timezone };
    for (let from = time.now.getTime(); from < this.#until; from += DAY_MS) {
      const until = new Date(Math.min(from + DAY_MS, this.#until));
      const [found] = occurrencesBetween(trigger, zones, { from: new Date(from), until });
      if (found) return { zone, at: found.dueAt.getTime(), day: found.day };
    }
    return undefined;
  }
}

const zoneIn = (world: World, personKey: string): string =>
  zoneOf(personIn(world, personKey).facts.person.timezone, world.workspace.timezone);

function isDue(world: World, trigger: DayTrigger, personKey: string, day: string): boolean {
  const { facts } = personIn(world, personKey);
  if (trigger.type === "date")
    return isDueOn(trigger, attributeOf(facts.person, trigger.attribute), day, zoneIn(world, personKey));
  const filter = audienceOnDays(world.published.definition);
  return filter !== undefined && evaluate(filter, facts, { ...world.filters, now: world.time.now }).pass;
}
