import type { CampaignDefinition } from "@tidings/contract/campaigns/campaigns";
import type { GoalMetrics, StepGoal } from "@tidings/contract/campaigns/goals";
import type { GoalGroup, Lift } from "@tidings/contract/facts/comparison";
import { stepsIn } from "@tidings/contract/campaigns/journey";
import type { StepOf } from "@tidings/contract/campaigns/steps";
import { compare, type Group, rateOf } from "../../analytics/index.ts";
import type { Queries } from "../../platform/db/index.ts";
import { durationMs } from "../../platform/time/duration.ts";
import type { CampaignRef } from "../run/run.ts";
import { type Attribution, attributions, countOpen, type SplitGroup, splitGroups } from "./goals-store.ts";

type MessageStep = StepOf<"message">;

/** The goal and the steps by which it is measured, and the numbers of all runs. */
interface Measured {
  campaign: CampaignRef;
  definition: CampaignDefinition;
  runs: { entered: number; converted: number };
  now: Date;
}

/** Returns the numbers of a campaign's goal; undefined without a goal. */
export async function goalMetrics(
  q: Queries,
  { campaign, definition: { goal, steps }, runs, now }: Measured,
): Promise<GoalMetrics | undefined> {
  if (!goal) return undefined;
  const withinMs = durationMs(goal.within);
  const messages = stepsIn(steps).filter((step): step is MessageStep => step.type === "message");
  const split = messages.filter(isSplit).map(({ id }) => id);
  const [credits, groups, open] = await Promise.all([
    attributions(q, campaign),
    split.length > 0 ? splitGroups(q, campaign, { steps: split, withinMs, now }) : [],
    countOpen(q, campaign, new Date(now.getTime() - withinMs)),
  ]);
  const byStep = Map.groupBy(credits, ({ step_id }) => step_id);
  const ids = new Set([...messages.map(({ id }) => id), ...credits.flatMap(({ step_id }) => step_id ?? [])]);
  const stepOf = (id: string) => messages.find((one) => one.id === id);
  return {
    reached: runs.converted,
    runs: runs.entered,
    rate: rateOf({ people: runs.entered, reached: runs.converted }),
    open,
    unattributed: total(byStep.get(null) ?? []),
    steps: Object.fromEntries(
      [...ids].map((id) => [
        id,
        {
          ...attributedTo(byStep.get(id) ?? []),
          ...splitOf(
            stepOf(id),
            groups.filter(({ step_id }) => step_id === id),
          ),
        },
      ]),
    ),
  };
}

const isSplit = ({ holdout_percent = 0, variants }: MessageStep): boolean => holdout_percent > 0 || variants != null;

const total = (credits: Attribution[]): number => credits.reduce((sum, { count }) => sum + count, 0);

function attributedTo(credits: Attribution[]): Pick<StepGoal, "attributed" | "clicked" | "seen" | "sent" | "channels"> {
  const by = (touch: Attribution["touch"]) => total(credits.filter((one) => one.touch === touch));
  return {
    attributed: total(credits),
    clicked: by("clicked"),
    seen: by("seen"),
    sent: by("sent"),
    channels: Object.fromEntries(
      [...Map.groupBy(credits, ({ channel }) => channel)].map(([name, some]) => [name, total(some)]),
    ),
  };
}

const sum = (groups: SplitGroup[]): Group =>
  groups.reduce((all, { people, reached }) => ({ people: all.people + people, reached: all.reached + reached }), {
    people: 0,
    reached: 0,
  });
const shown = (group: Group): GoalGroup => ({ ...group, rate: rateOf(group) });
const lift = (against: string, group: Group, other: Group): Lift => ({ against, ...compare(group, other) });

/**
 * Compares those who were messaged with those who were held out, and each variant with those who were held out. Without a holdout each variant is
 * compared with the first one.
 */
function splitOf(step: MessageStep | undefined, groups: SplitGroup[]): Partial<StepGoal> {
  if (!step || !isSplit(step)) return {};
  const names = (step.variants ?? []).map(({ name }) => name);
  const messaged = groups.filter(({ held_out }) => !held_out);
  const held = sum(groups.filter(({ held_out }) => held_out));
  const hasHoldout = (step.holdout_percent ?? 0) > 0;
  const groupOf = (name: string) => sum(messaged.filter(({ variant }) => variant === name));
  const [first = ""] = names;
  const liftOf = (name: string) => {
    if (hasHoldout) return { lift: lift("held_out", groupOf(name), held) };
    return name === first ? {} : { lift: lift(first, groupOf(name), groupOf(first)) };
  };
  return {
    messaged: shown(sum(messaged)),
    open: groups.reduce((all, { open }) => all + open, 0),
    ...(hasHoldout && { held_out: shown(held), lift: lift("held_out", sum(messaged), held) }),
    ...(names.length > 0 && {
      variants: Object.fromEntries(names.map((name) => [name, { ...shown(groupOf(name)), ...liftOf(name) }])),
    }),
  };
}
