import type { EventFilter, Filter, PropertyFilter } from "@tidings/contract/audience/audiences";
import type { CampaignDefinition, TriggerOf } from "@tidings/contract/campaigns/campaigns";
import type { CampaignPreflight } from "@tidings/contract/campaigns/preflight";
import { conditionsOf, countOf, loadFilterContext, pageOfKeys } from "../../audiences/index.ts";
import type { Db } from "../../platform/db/index.ts";
import { Problem } from "../../platform/http/index.ts";
import { decodeId } from "../../platform/ids.ts";
import { audienceOf } from "../rules/touches.ts";
import type { Published } from "../definition/published.ts";
import { datesNear, dayTriggerOf } from "../rules/occurrences.ts";
import { type Candidates, peopleWho, peopleWithDateIn } from "./replay-store.ts";
import { audienceOnDays } from "./world/days.ts";

// Who could have entered a campaign in the last days, of whom the replay itself decides about each, and who may enter it now.

const DAY_MS = 86_400_000;
const EVENT_DAYS = 30;

/** The audience that people enter from: at once, or on days. */
const audienceFor = (definition: CampaignDefinition): Filter | undefined =>
  audienceOf(definition) ?? audienceOnDays(definition);

interface Span {
  from: Date;
  to: Date;
}

/**
 * Returns the people who could have entered a campaign in this time: how many, and the first of them by key. @throws Problem not_replayable for a
 * campaign that people enter by calls
 */
export async function candidatesOf(
  db: Db,
  { workspaceId, definition }: Published,
  { from, to }: Span,
  limit: number,
): Promise<Candidates> {
  const { trigger } = definition;
  const filter = audienceFor(definition);
  if (filter) return audienceIn(db, workspaceId, { filter, to, limit });
  const onDays = dayTriggerOf(definition);
  if (trigger.type === "event") return peopleWho(db, { workspaceId, name: trigger.name, from, limit });
  if (onDays?.type !== "date") throw notReplayable();
  const dates = datesIn(onDays, { from, to });
  return peopleWithDateIn(db, { workspaceId, attribute: onDays.attribute, dates, before: to, limit });
}

const notReplayable = (): Problem =>
  new Problem(
    "not_replayable",
    "People enter this campaign by calls (its trigger is `api`), and the service keeps no record of calls that were not made. Simulate it for a person, with `data`.",
  );

/** Returns the dates, or without years, that people have who are due on a day of this time in any zone. */
function datesIn(trigger: TriggerOf<"date">, { from, to }: Span): string[] {
  const dates = new Set<string>();
  for (let day = from.getTime() - DAY_MS; day < to.getTime() + 2 * DAY_MS; day += DAY_MS)
    for (const date of datesNear(trigger, new Date(day).toISOString().slice(0, 10))) dates.add(date);
  return [...dates];
}

async function audienceIn(
  db: Db,
  workspaceId: string,
  { filter, to, limit }: { filter: Filter; to: Date; limit: number },
): Promise<Candidates> {
  const { audiences } = await loadFilterContext(db, workspaceId, { filter, now: to });
  const loose = loosened(filter, (id) => audiences.get(decodeId("aud", id) ?? "")?.filter ?? undefined);
  const { count: total } = await countOf(db, workspaceId, loose, to);
  const keys = (await pageOfKeys(db, workspaceId, { filter: loose, cursor: undefined, limit, now: to })).map(
    (person) => person.person_key,
  );
  return { total, keys };
}

/** Whether a condition may have been true or false earlier, although attributes, lists and subscriptions are today's. */
const changes = (condition: object): boolean =>
  "event" in condition || "message" in condition || ("op" in condition && condition.op === "within_last");

/** Whether time alone can make people match this filter, or no longer. */
export const changesWithTime = (filters: Filter[]): boolean =>
  filters.flatMap((one) => conditionsOf(one)).some(changes);

/** Returns a filter that holds for everybody for whom the given one may have held earlier. @param filterOf the filter of a saved audience; undefined of a list */
export function loosened(filter: Filter, filterOf: (audienceId: string) => Filter | undefined, wanted = true): Filter {
  const inner = (one: Filter, is = wanted) => loosened(one, filterOf, is);
  if ("all" in filter) return { all: filter.all.map((one) => inner(one)) };
  if ("any" in filter) return { any: filter.any.map((one) => inner(one)) };
  if ("not" in filter) return { not: inner(filter.not, !wanted) };
  const saved = "audience" in filter ? filterOf(filter.audience) : undefined;
  if (saved) return inner(saved);
  if (!changes(filter)) return filter;
  return wanted ? { all: [] } : { any: [] };
}

/** Returns the people who may enter a campaign, as far as is known now. */
export function entrantsNow(definition: CampaignDefinition): { who: CampaignPreflight["who"]; filter: Filter } {
  const { trigger } = definition;
  const filter = audienceFor(definition);
  if (filter) return { who: "audience", filter };
  if (trigger.type === "date") return { who: "date", filter: { attribute: trigger.attribute, op: "exists" } };
  if (trigger.type !== "event") return { who: "everybody", filter: { all: [] } };
  const performed: EventFilter = { event: trigger.name, op: "performed", within: { amount: EVENT_DAYS, unit: "days" } };
  // The fields of `where` were checked when the draft was saved.
  if (trigger.where) performed.where = trigger.where as PropertyFilter[];
  return { who: "event", filter: performed };
}
