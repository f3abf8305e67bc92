import { gatherWith } from "../../engine/steps/gather.ts";
import { fitting } from "../../rules/batches.ts";
import { runIn, type SimulatedBatch, type World } from "./world.ts";

const isLed = (world: World, { leader, stepId }: SimulatedBatch): boolean =>
  runIn(world, leader).row.step_id === stepId;

/** Gathers runs in the batches of the world. */
export const gather = gatherWith<World>({
  led: async ({ batches }, { id }, runs) => {
    const ids = new Set(runs.map((run) => run.id));
    return batches.filter(({ stepId, leader }) => stepId === id && ids.has(leader));
  },
  open: async (world, { id }, keys) => {
    const asked = new Set(keys);
    const open = world.batches.filter((batch) => batch.stepId === id && batch.open && asked.has(batch.key));
    // The batch of a run that ended here gathers no more.
    for (const batch of open) if (!isLed(world, batch)) batch.open = false;
    return open.filter((batch) => batch.open);
  },
  write: async (world, { id: stepId }, changed, filled) => {
    const known = new Set<object>(world.batches);
    for (const batch of changed) if (!known.has(batch)) world.batches.push(Object.assign(batch, { stepId }));
    for (const { leader } of filled) {
      const { row } = runIn(world, leader);
      if (row.step_id === stepId && row.due_at !== null && row.due_at > world.time.clock) row.due_at = world.time.clock;
    }
  },
  take: async (world, { id }, runs) => {
    const ids = new Set(runs.map((run) => run.id));
    const taken = world.batches.filter(({ stepId, leader }) => stepId === id && ids.has(leader));
    world.batches = world.batches.filter((batch) => !taken.includes(batch));
    return new Map(
      taken.map(({ leader, count, runIds }) => [
        leader,
        { count, items: fitting(runIds.map((run) => runIn(world, run).row.data)) },
      ]),
    );
  },
});
