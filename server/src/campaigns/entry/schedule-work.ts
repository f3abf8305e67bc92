import { conditionFor } from "../../audiences/index.ts";
import { preventMerges } from "../../people/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import type { Ground } from "../../platform/ground.ts";
import { durationMs } from "../../platform/time/duration.ts";
import { UNTIL_DUE } from "../../platform/work/due.ts";
import { type Loop, startLoop } from "../../platform/work/loop.ts";
import { workspaceById } from "../../workspaces/index.ts";
import { type Published, publishedOf } from "../definition/published.ts";
import {
  datesNear,
  type DayTrigger,
  dayTriggerOf,
  isDueOn,
  nextMoment,
  occurrencesBetween,
} from "../rules/occurrences.ts";
import { zoneOf } from "../../platform/time/window.ts";
import {
  addOccurrences,
  moveOccurrence,
  type OpenOccurrence,
  peopleInAudience,
  peopleWithDate,
  takeOccurrence,
  type ZonePage,
} from "../schedule/occurrences-store.ts";
import { isDayWorkDue, moveSchedule, type Schedule, takeSchedule, zonesOf } from "../schedule/schedules-store.ts";
import { enter } from "./enter.ts";
import { doNext, type WorkGround } from "./next-work.ts";

// People who enter on days: by a date of theirs, or on days of the week. A campaign is planned when it can be due in any zone, each quarter
// of an hour. What is due then becomes a row, and the people of its zones are read page by page: each person is read once a day for a
// campaign, and never at other times.

/** The most people whom one transaction reads. */
const PAGE = 2_000;

/** Starts the loop that lets people in on days. */
export const startSchedules = (ground: Ground): Loop =>
  startLoop(ground, {
    what: "campaigns that people enter on days",
    wakeOn: {},
    isDue: isDayWorkDue,
    round: async () => {
      const planned = await planNext(ground);
      const worked = await letInPage(ground);
      return planned || worked ? 0 : UNTIL_DUE;
    },
    graceMs: 4_000,
  });

/** Plans the campaign whose turn it is: what became due since it was planned last becomes rows. Returns whether there was one. */
export const planNext = (ground: WorkGround): Promise<boolean> =>
  doNext(ground, {
    failed: "a campaign could not be planned",
    take: takeSchedule,
    work: plan,
    putOff: (tx, schedule, dueAt) => moveSchedule(tx, schedule, { plannedUntil: schedule.planned_until, dueAt }),
  });

async function plan(tx: Tx, schedule: Schedule, now: Date): Promise<void> {
  const { published, trigger, workspaceZone } = await scheduled(tx, schedule);
  const { workspaceId, definition } = published;
  const zones = ["", ...(await zonesOf(tx, workspaceId))];
  const times = { from: schedule.planned_until, until: now };
  const occurrences = occurrencesBetween(trigger, { zones, workspaceZone }, times);
  const oldest = new Date(now.getTime() - durationMs(definition.entry_max_age));
  if (occurrences.length > 0) await addOccurrences(tx, published, occurrences, { now, oldest });
  await moveSchedule(tx, schedule, { plannedUntil: now, dueAt: nextMoment(trigger.at, now) });
}

/** Lets in the people of one page of an open occurrence. Returns whether there was one. */
export const letInPage = (ground: WorkGround): Promise<boolean> =>
  doNext(ground, {
    failed: "people could not enter a campaign on a day",
    take: takeOccurrence,
    work: letIn,
    putOff: (tx, one, workAt) =>
      moveOccurrence(tx, one, {
        zones: one.zones,
        afterKey: one.after_key,
        entered: 0,
        unreadable: 0,
        workAt,
        status: "open",
      }),
  });

async function letIn(tx: Tx, one: OpenOccurrence, now: Date): Promise<void> {
  const { published, trigger, workspaceZone } = await scheduled(tx, one);
  const none = { zones: [], afterKey: null, entered: 0, unreadable: 0, workAt: null };
  if (now.getTime() - one.due_at.getTime() > durationMs(published.definition.entry_max_age)) {
    await moveOccurrence(tx, one, { ...none, status: "missed" });
    return;
  }
  const [zone, ...later] = one.zones;
  if (zone === undefined) {
    await moveOccurrence(tx, one, { ...none, status: "done" });
    return;
  }
  // A person who is being merged would get a run that nobody moves.
  await preventMerges(tx, one.workspace_id);
  const page: ZonePage = { workspaceId: one.workspace_id, zone, after: one.after_key, limit: PAGE };
  const found = await duePeople(tx, { trigger, page, day: one.day, workspaceZone }, now);
  const data = { date: one.day, at: one.due_at.toISOString() };
  const cause = `day ${one.day}`;
  const candidates = found.due.map((personKey) => ({ published, personKey, cause, data }));
  const entered = candidates.length > 0 ? (await enter(tx, candidates, now)).size : 0;
  const isLast = found.read < PAGE;
  const isOver = isLast && later.length === 0;
  await moveOccurrence(tx, one, {
    zones: isLast ? later : one.zones,
    afterKey: isLast ? null : found.last,
    entered,
    unreadable: found.unreadable,
    // Open occurrences of other campaigns have their turn before the next page.
    workAt: isOver ? null : now,
    status: isOver ? "done" : "open",
  });
}

/** Reads a page of people, and returns those of them who are due. */
async function duePeople(
  tx: Tx,
  { trigger, page, day, workspaceZone }: { trigger: DayTrigger; page: ZonePage; day: string; workspaceZone: string },
  now: Date,
) {
  if (trigger.type === "recurring") {
    const filter = { audience: trigger.audience_id };
    const condition = await conditionFor(tx, page.workspaceId, { filter, now }, "one by one");
    const found = await peopleInAudience(tx, page, condition);
    return { ...found, due: found.people.map((person) => person.person_key) };
  }
  const { attribute } = trigger;
  const found = await peopleWithDate(tx, page, { attribute, dates: datesNear(trigger, day) });
  const zone = zoneOf(page.zone, workspaceZone);
  const due = found.people.filter(({ value }) => isDueOn(trigger, value, day, zone));
  return { ...found, due: due.map((person) => person.person_key) };
}

/** Returns the published version of a campaign with its trigger and its workspace's zone. @throws Error where one is gone */
async function scheduled(tx: Tx, { workspace_id, campaign_id, graph }: Omit<Schedule, "planned_until">) {
  const published: Published | undefined = await publishedOf(tx, workspace_id, campaign_id, graph);
  const trigger = published && dayTriggerOf(published.definition);
  const workspace = await workspaceById(tx, workspace_id);
  if (!trigger || !workspace) throw new Error("the campaign has no trigger that lets people in on days");
  return { published, trigger, workspaceZone: workspace.timezone };
}
