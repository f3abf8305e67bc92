import type { Replay } from "@tidings/contract/campaigns/simulate";
import type { StepCounts } from "@tidings/contract/campaigns/runs";
import type { Observer, World } from "./world/world.ts";

type Messages = Replay["messages"][number];

const nothing = (): void => {};
function add(to: Record<string, number>, name: string): void {
  to[name] = (to[name] ?? 0) + 1;
}

/** Counts what happens in a world, for a replay. */
export class Counts implements Observer {
  readonly refusals: Record<string, number> = {};
  readonly #messages = new Map<string, Messages>();

  happened = nothing;
  entered = nothing;
  evaluated = nothing;
  passed = nothing;
  outcome = nothing;
  attempted = nothing;
  reachedGoal = nothing;
  ended = nothing;

  refused: Observer["refused"] = (_, reason) => add(this.refusals, reason);

  rehearsed: Observer["rehearsed"] = (_, step_id, channel, { heldOut, failed }) => {
    const key = `${step_id} ${channel}`;
    const counted = this.#messages.get(key) ?? { step_id, channel, sent: 0, failed: {}, held_out: 0 };
    this.#messages.set(key, counted);
    if (heldOut) counted.held_out++;
    else if (failed === undefined) counted.sent++;
    else add(counted.failed, failed);
  };

  /** Returns the numbers of a world, multiplied. Totals are sums of the multiplied parts. */
  answer(world: World, times: number): Omit<Replay, "from" | "to" | "people" | "simulated" | "estimate" | "stopped"> {
    const scaled = (count: number): number => Math.round(count * times);
    const scaledAll = (counts: Record<string, number>) =>
      Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, scaled(count)]));
    const status: Record<string, number> = {};
    const steps = new Map([...world.published.journey.nodes.keys()].map((id) => [id, NO_COUNTS()]));
    let reached = 0;
    for (const { row, passages } of world.runs.values()) {
      add(status, row.status);
      if (row.goal_at !== null) reached++;
      for (const { step_id, state } of passages.values()) {
        const counts = steps.get(step_id);
        if (counts) counts[state]++;
      }
    }
    const runs = scaledAll(status);
    return {
      entered: Object.values(runs).reduce((sum, count) => sum + count, 0),
      refused: scaledAll(this.refusals),
      status: runs,
      steps: Object.fromEntries(
        [...steps].map(([id, counts]): [string, StepCounts] => {
          const [waiting, passed, failed, exited] = [counts.waiting, counts.passed, counts.failed, counts.exited].map(
            scaled,
          ) as [number, number, number, number];
          return [id, { entered: waiting + passed + failed + exited, waiting, passed, failed, exited }];
        }),
      ),
      messages: [...this.#messages.values()].map(({ sent, failed, held_out, ...of }) => ({
        ...of,
        sent: scaled(sent),
        failed: scaledAll(failed),
        held_out: scaled(held_out),
      })),
      ...(world.published.definition.goal && { goal: { reached: scaled(reached) } }),
    };
  }
}

const NO_COUNTS = () => ({ waiting: 0, passed: 0, failed: 0, exited: 0 });
