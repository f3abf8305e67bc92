import type { PropertyFilter } from "@tidings/contract/audience/audiences";
import type { StepOf } from "@tidings/contract/campaigns/steps";
import { propertiesMatch } from "../../../audiences/index.ts";
import { eventsSince, type RecordedEvent } from "../../run/facts-store.ts";
import type { Batch, Participant, StepContext, StepWork } from "./batch.ts";

/** Returns the events of a name that the people of these runs did since an instant of each run, the oldest of a run first. */
type EventsOf<C> = (
  context: C,
  name: string,
  runs: { personKey: string; id: string; since: Date }[],
) => Promise<RecordedEvent[]>;

/**
 * Finds the event that a run waits for. An event that is recorded while the run waits wakes it and is among its outputs. Two kinds of
 * events are looked up: earlier ones, where events since the entry count, and those that were recorded while the step was being written.
 */
export const waitUntilWith = <C extends StepContext>(eventsOf: EventsOf<C>): StepWork<StepOf<"wait_until">, C> => ({
  async loadFacts(context, step, participants) {
    const { time } = context;
    const where = (step.where ?? []) as PropertyFilter[];
    const arrives = ({ steppedAt }: Participant) => steppedAt.getTime() === time.clock.getTime();
    const behind = time.now.getTime() - time.clock.getTime();
    const asked = participants.filter(
      (participant) => !participant.outputs[step.id]?.event && (step.counts_from === "entry" || !arrives(participant)),
    );
    const found = new Map<string, Record<string, unknown>>();
    if (asked.length > 0) {
      const since = ({ run, steppedAt }: Participant) =>
        step.counts_from === "entry" ? run.entered_at : new Date(steppedAt.getTime() + behind);
      const runs = asked.map((participant) => ({
        personKey: participant.run.person_key,
        id: participant.run.id,
        since: since(participant),
      }));
      for (const { run_id, properties } of await eventsOf(context, step.event ?? "", runs))
        if (!found.has(run_id) && propertiesMatch(properties, where, time.now)) found.set(run_id, properties);
    }
    return participants.map((participant) => {
      const event = participant.outputs[step.id]?.event ?? found.get(participant.run.id);
      if (event)
        participant.outputs = { ...participant.outputs, [step.id]: { ...participant.outputs[step.id], event } };
      return { event };
    });
  },
});

export const waitUntil = waitUntilWith<Batch>(({ tx }, name, runs) => eventsSince(tx, name, runs));
