import type { CampaignDefinition } from "@tidings/contract/campaigns/campaigns";
import type { Filter } from "@tidings/contract/audience/audiences";
import { attributeOf, evaluate } from "../../../audiences/index.ts";
import { zoneOf } from "../../../platform/time/window.ts";
import { type DayTrigger, dayTriggerOf, isDueOn, occurrencesBetween } from "../../rules/occurrences.ts";
import { enterWorld } from "./react.ts";
import { personIn, type World } from "./world.ts";

const DAY_MS = 86_400_000;

/** A day on which the trigger asks whether a person is due. */
interface Day {
  personKey: string;
  at: number;
  /** As a date: 2026-05-17. */
  day: string;
}

/** Returns the filter of a trigger that lets the people of an audience in on days; undefined for other triggers. */
export const audienceOnDays = ({ trigger }: CampaignDefinition): Filter | undefined =>
  trigger.type === "recurring" ? { audience: trigger.audience_id } : undefined;

/** The days on which a campaign lets the people of a world in, by a date of theirs or on days of the week. */
export class Days {
  readonly #world: World;
  readonly #trigger: DayTrigger | undefined;
  readonly #until: number;
  /** By person: the next day, found for this zone. */
  readonly #next = new Map<string, { zone: string; day: Day | undefined }>();
  /** The days that were asked: a person who changes the zone is asked once a day. */
  readonly #asked = new Set<string>();

  constructor(world: World, until: Date) {
    this.#world = world;
    this.#trigger = dayTriggerOf(world.published.definition);
    this.#until = until.getTime();
  }

  /**
   * Returns the next day. The days of a person end with their first entry where nothing else is to happen: a campaign of every Monday would
   * go on for years.
   */
  next(isMoreToCome: boolean): Day | undefined {
    if (!this.#trigger) return undefined;
    let next: Day | undefined;
    for (const [personKey, { enteredAt }] of this.#world.people) {
      const day = isMoreToCome || enteredAt === undefined ? this.#nextOf(this.#trigger, personKey) : undefined;
      if (day && (!next || day.at < next.at)) next = day;
    }
    return next;
  }

  /** Lets the person in, where they are due on this day. */
  take({ personKey, at, day }: Day): void {
    this.#next.delete(personKey);
    const key = `${personKey} ${day}`;
    if (!this.#trigger || this.#asked.has(key)) return;
    this.#asked.add(key);
    const data = { date: day, at: new Date(at).toISOString() };
    if (isDue(this.#world, this.#trigger, personKey, day)) enterWorld(this.#world, personKey, { data });
  }

  #nextOf(trigger: DayTrigger, personKey: string): Day | undefined {
    const { time, workspace } = this.#world;
    const zone = zoneIn(this.#world, personKey);
    const known = this.#next.get(personKey);
    if (known?.zone === zone) return known.day;
    const zones = { zones: [zone], workspaceZone: workspace.timezone };
    let day: Day | undefined;
    for (let from = time.now.getTime(); !day && from < this.#until; from += DAY_MS) {
      const until = new Date(Math.min(from + DAY_MS, this.#until));
      const [found] = occurrencesBetween(trigger, zones, { from: new Date(from), until });
      if (found) day = { personKey, at: found.dueAt.getTime(), day: found.day };
    }
    this.#next.set(personKey, { zone, day });
    return day;
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
