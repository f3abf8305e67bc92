import type { CampaignDefinition, Inside } from "@tidings/contract/campaigns/campaigns";
import { journeyOf } from "@tidings/contract/campaigns/journey";
import type { Step } from "@tidings/contract/campaigns/steps";
import { expect, test } from "vitest";
import { fateOf, isLate, newest, type PublishedGraph, settledGraph } from "./graph.ts";

const days = (id: string, amount = 1): Step => ({ id, type: "wait", for: { amount, unit: "days" } });
const at = (day: number) => new Date(Date.UTC(2026, 0, day));
const graph = (number: number, inside: Inside | null, ...steps: Step[]): PublishedGraph => ({
  graph: number,
  definition: { steps } as CampaignDefinition,
  journey: journeyOf(steps),
  inside,
  publishedAt: at(number),
});
const fate = (of: { graph: number; stepId: string }, ...graphs: PublishedGraph[]) => fateOf(of, graphs);
const [a, b] = [days("a"), days("b")];
const first = graph(1, null, a, b);

test("a run stays where later graphs say so or decide nothing", () => {
  expect(fate({ graph: 1, stepId: "a" }, first, graph(2, "stay", b), graph(3, null, b))).toEqual({ kind: "stays" });
  expect(fate({ graph: 2, stepId: "b" }, first, graph(2, "end", b))).toEqual({ kind: "stays" });
});

test("a run moves where its step is still there, and evaluates it again where it differs", () => {
  expect(fate({ graph: 1, stepId: "a" }, first, graph(2, "move", a))).toEqual({
    kind: "moves",
    graph: 2,
    stepId: "a",
    again: false,
  });
  expect(fate({ graph: 1, stepId: "a" }, first, graph(2, "move", days("a", 3)))).toMatchObject({
    graph: 2,
    again: true,
  });
  expect(fate({ graph: 1, stepId: "b" }, first, graph(2, "move", a))).toEqual({ kind: "ends", reason: "step_gone" });
});

test("the decisions of several activations hold in their order", () => {
  const gone = graph(2, "move", a);
  const back = graph(3, "move", a, b);
  expect(fate({ graph: 1, stepId: "b" }, back, gone, first), "its step was gone in between").toMatchObject({
    reason: "step_gone",
  });
  expect(fate({ graph: 1, stepId: "a" }, first, gone, back)).toMatchObject({ graph: 3, again: false });
  expect(fate({ graph: 1, stepId: "a" }, first, graph(2, "stay", b), back)).toMatchObject({ graph: 3 });
  expect(fate({ graph: 1, stepId: "a" }, first, gone, graph(3, "stay", b))).toMatchObject({ graph: 2 });
  expect(fate({ graph: 1, stepId: "a" }, first, graph(2, "end", a), back)).toMatchObject({
    reason: "campaign_changed",
  });
  expect(fate({ graph: 2, stepId: "a" }, first, graph(2, "end", a), back)).toMatchObject({ kind: "moves", graph: 3 });
});

test("runs are settled up to the newest graph that moves or ends them", () => {
  expect(settledGraph([first])).toBe(0);
  expect(settledGraph([first, graph(2, "move", a), graph(3, "end", a), graph(4, "stay", a)])).toBe(3);
});

test("a run that entered an outdated graph begins the newest journey", () => {
  const graphs = [first, graph(2, "end", b, a)];
  expect(isLate({ graph: 1, entered_at: at(1) }, graphs)).toBe(false);
  expect(isLate({ graph: 1, entered_at: at(3) }, graphs)).toBe(true);
  expect(isLate({ graph: 2, entered_at: at(3) }, graphs)).toBe(false);
  expect(newest(graphs)).toEqual({ kind: "moves", graph: 2, stepId: "b", again: true });
});
