import type { Step, StepOf, StepType } from "@tidings/contract/campaigns/steps";
import { withChange } from "../../../people/index.ts";
import { decodeId } from "../../../platform/ids.ts";
import type { Work } from "../../engine/advance.ts";
import { type StepResult, type StepWork, valuesFor } from "../../engine/steps/batch.ts";
import { waitUntilWith } from "../../engine/steps/events.ts";
import { branchWith } from "../../engine/steps/filters.ts";
import { changesFor } from "../../engine/steps/people.ts";
import { split } from "../../engine/steps/split.ts";
import { campaignToStart } from "../../engine/steps/start.ts";
import { throttleWith } from "../../engine/steps/throttle.ts";
import { gather } from "./gather.ts";
import { webhook } from "./calls.ts";
import { matchFilter, verdictsOf } from "./filters.ts";
import { message } from "./messages.ts";
import { personIn, type World } from "./world.ts";

// What a simulation replaces of the engine: the reads and writes of each type of step, over the world in memory.

const passedKey = (step: Step, key: string): string => `${step.id} ${key}`;

const throttle = throttleWith<World>({
  count: async ({ passed }, step, { keys, after }) =>
    keys.map((key) => {
      const times = (passed.get(passedKey(step, key)) ?? []).filter((at) => at > after);
      return { key, count: times.length, first: times[0] ?? null };
    }),
  note: async ({ passed, time }, step, passing) => {
    for (const { key } of passing) {
      const name = passedKey(step, key);
      passed.set(name, [...(passed.get(name) ?? []), time.clock]);
    }
  },
});

const branch: StepWork<StepOf<"branch">, World> = {
  async loadFacts(world, step, participants) {
    for (const participant of participants)
      world.observer.evaluated(participant.run.id, step.id, () =>
        verdictsOf(world, step.if ?? { all: [] }, participant),
      );
    return (await branchWith(matchFilter).loadFacts?.(world, step, participants)) ?? [];
  },
};

const update: StepWork<StepOf<"update">, World> = {
  async act(world, step, participants) {
    const changes = await changesFor(world, step, participants);
    return participants.map((participant, i): StepResult => {
      const change = changes[i];
      if (!change || !("attributes" in change)) return change ?? {};
      const { facts } = personIn(world, participant.run.person_key);
      facts.person = withChange(facts.person, change.attributes, world.time.now);
      participant.person = facts.person;
      return {};
    });
  },
};

const list: StepWork<StepOf<"list">, World> = {
  async act(world, step, participants) {
    for (const { run } of participants) {
      const { lists } = personIn(world, run.person_key).facts;
      if (step.add !== undefined) lists.add(decodeId("aud", step.add) ?? "");
      if (step.remove !== undefined) lists.delete(decodeId("aud", step.remove) ?? "");
    }
    return participants.map(() => ({}));
  },
};

/** Starts nothing: the simulation is of one campaign. */
const start: StepWork<StepOf<"start">, World> = {
  async act(world, step, participants) {
    const campaign = await campaignToStart(world.q, world.workspace.id, step);
    if (!campaign) return participants.map(() => ({ failed: "campaign_not_active" }));
    return (await valuesFor(world, step.data ?? {}, participants)).map((one) =>
      "failure" in one ? one.failure : { detail: { campaign_id: step.campaign_id } },
    );
  },
};

const byTime = {};

/** One entry for each type of step, so that a new type can't be forgotten here. */
const WORK: { [T in StepType]: StepWork<StepOf<T>, World> } = {
  message,
  wait: byTime,
  wait_until: waitUntilWith<World>(async (world, name, runs) =>
    runs.flatMap(({ id, personKey, since }) =>
      personIn(world, personKey)
        .happened.filter((event) => event.name === name && event.ts >= since)
        .map(({ properties }) => ({ run_id: id, properties })),
    ),
  ),
  wait_window: byTime,
  branch,
  split,
  batch: gather,
  webhook,
  throttle,
  update,
  list,
  start,
  exit: byTime,
};

/** The reads and writes of steps over a world in memory. */
export const WORLD_WORK: Work<World> = {
  workOf: ({ type }) => (WORK as Record<string, StepWork<Step, World>>)[type] ?? {},
  async matchFilter(world, filter, participants) {
    const matched = await matchFilter(world, filter, participants);
    for (const [i, participant] of participants.entries())
      if (matched[i])
        world.observer.evaluated(participant.run.id, participant.at ?? "", () =>
          verdictsOf(world, filter, participant),
        );
    return matched;
  },
};
