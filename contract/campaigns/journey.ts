import type { Step } from "./steps.ts";

// The way through a campaign's steps. The service follows it and the dashboard draws it. These functions are pure: they need only the
// steps.

/** One of several ways to continue after a step: `then`, `else`, or the name of an arm. */
export interface Way {
  name: string;
  /** The first step of this way: the first of its list, or the step after the branching step if the list is empty. Null: the run ends. */
  to: string | null;
  /** The JSON pointer of this way's list. */
  pointer: string;
}

/** A step with its position and the ways to continue after it. */
export interface JourneyNode {
  step: Step;
  /** The step's JSON pointer in the definition: `/steps/0/then/2`. */
  pointer: string;
  /** The next step; after the last step of a list, the step after that list. Null: the run ends. */
  next: string | null;
  /** Empty if `next` is the only way to continue. */
  ways: Way[];
}

export interface Journey {
  /** Null if there are no steps. */
  first: string | null;
  /** The nodes by step id, in the order in which the author wrote the steps. If two steps have the same id, only the first is here. */
  nodes: Map<string, JourneyNode>;
}

/** Returns the lists of steps that a step contains, with their names and pointers. */
export function listsOf(step: Step, pointer: string): { name: string; steps: Step[]; pointer: string }[] {
  if (step.type === "branch" || step.type === "wait_until")
    return (["then", "else"] as const).map((name) => ({
      name,
      steps: step[name] ?? [],
      pointer: `${pointer}/${name}`,
    }));
  if (step.type !== "split") return [];
  return (step.arms ?? []).map(({ name, steps }, i) => ({
    name,
    steps: steps ?? [],
    pointer: `${pointer}/arms/${i}/steps`,
  }));
}

/** Returns all steps, also those in the lists of other steps, in the order in which the author wrote them. */
export const stepsIn = (steps: Step[]): Step[] =>
  steps.flatMap((step) => [step, ...listsOf(step, "").flatMap(({ steps: own }) => stepsIn(own))]);

/** Returns the graph of these steps: which steps can follow each of them. */
export function journeyOf(steps: Step[]): Journey {
  const nodes = new Map<string, JourneyNode>();
  function addNodes(list: Step[], pointer: string, after: string | null): void {
    list.forEach((step, i) => {
      const at = `${pointer}/${i}`;
      const next = step.type === "exit" ? null : (list[i + 1]?.id ?? after);
      const lists = listsOf(step, at);
      const ways = lists.map(({ name, steps: own, pointer: to }) => ({ name, to: own[0]?.id ?? next, pointer: to }));
      if (!nodes.has(step.id)) nodes.set(step.id, { step, pointer: at, next, ways });
      for (const { steps: own, pointer: to } of lists) addNodes(own, to, next);
    });
  }
  addNodes(steps, "/steps", null);
  return { first: steps[0]?.id ?? null, nodes };
}

/** Returns the ids of the steps that a run can reach. */
export function reachable({ first, nodes }: Journey): Set<string> {
  const found = new Set<string>();
  const open = first === null ? [] : [first];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    const node = nodes.get(id);
    if (!node) continue;
    const ways = node.ways.length > 0 ? node.ways.map(({ to }) => to) : [node.next];
    for (const to of ways) if (to !== null) open.push(to);
  }
  return found;
}
