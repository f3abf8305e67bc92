import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { journeyOf, listsOf, reachable, stepsIn } from "./journey.ts";
import type { Step } from "./steps.ts";

/** Trees of steps, each id once. */
const { steps: trees } = fc.letrec<{ steps: Step[]; step: Step }>((tie) => {
  const list = fc.oneof({ maxDepth: 4, depthIdentifier: "steps" }, fc.constant([]), tie("steps"));
  const named = <T extends object>(fields: fc.Arbitrary<T>) => fields.map((one) => ({ id: "x", ...one }) as Step);
  return {
    step: fc.oneof(
      { depthIdentifier: "steps" },
      named(fc.constant({ type: "wait" })),
      named(fc.constant({ type: "exit" })),
      named(
        fc.record(
          { type: fc.constantFrom("branch", "wait_until"), then: list, else: list },
          { requiredKeys: ["type"] },
        ),
      ),
      named(
        fc.array(fc.record({ weight: fc.constant(1), steps: list }), { maxLength: 3 }).map((arms) => ({
          type: "split",
          arms: arms.map((arm, i) => ({ name: `arm${i}`, ...arm })),
        })),
      ),
    ),
    steps: fc.array(tie("step"), { maxLength: 4, depthIdentifier: "steps" }),
  };
});
const journeys = trees.map((steps) => {
  let last = 0;
  // Trees may share parts, so each step is copied before it is named.
  const copy = structuredClone(steps);
  for (const step of stepsIn(copy)) step.id = `s${++last}`;
  return copy;
});

const at = (steps: Step[], pointer: string): unknown =>
  pointer
    .split("/")
    .slice(1)
    .reduce<unknown>((node, name) => (node as Record<string, unknown>)[name], { steps });

describe("any journey", () => {
  test("has each step once, in the order in which it is written, at its pointer", () => {
    fc.assert(
      fc.property(journeys, (steps) => {
        const { nodes } = journeyOf(steps);
        expect([...nodes.keys()]).toEqual(stepsIn(steps).map(({ id }) => id));
        for (const [id, node] of nodes) {
          expect(node.step.id).toBe(id);
          expect(at(steps, node.pointer)).toBe(node.step);
        }
      }),
    );
  });

  test("leads on to steps that are there, or to the end", () => {
    fc.assert(
      fc.property(journeys, (steps) => {
        const { first, nodes } = journeyOf(steps);
        expect(first).toBe(steps[0]?.id ?? null);
        for (const { step, next, ways, pointer } of nodes.values()) {
          for (const id of [next, ...ways.map(({ to }) => to)]) if (id !== null) expect(nodes.has(id)).toBe(true);
          expect(ways.map(({ name, pointer: to }) => [name, to])).toEqual(
            listsOf(step, pointer).map(({ name, pointer: to }) => [name, to]),
          );
          if (step.type === "exit") expect(next).toBeNull();
        }
      }),
    );
  });

  test("never leads back: whoever walks it comes to its end", () => {
    fc.assert(
      fc.property(journeys, fc.infiniteStream(fc.nat(10)), (steps, choices) => {
        const { first, nodes } = journeyOf(steps);
        const order = [...nodes.keys()];
        let walked = -1;
        for (let id = first; id !== null; ) {
          expect(order.indexOf(id)).toBeGreaterThan(walked);
          walked = order.indexOf(id);
          const { ways, next } = nodes.get(id) as NonNullable<ReturnType<typeof nodes.get>>;
          const way = ways.length > 0 ? ways[(choices.next().value ?? 0) % ways.length] : undefined;
          id = way ? way.to : next;
        }
      }),
    );
  });

  test("can be walked to exactly the steps that are reachable", () => {
    fc.assert(
      fc.property(journeys, (steps) => {
        const found = reachable(journeyOf(steps));
        /** Whether a list can be left at its end, while what is walked is noted. */
        const walked = new Set<string>();
        const passes = (list: Step[]): boolean => {
          for (const step of list) {
            walked.add(step.id);
            const inner = listsOf(step, "").map(({ steps: own }) => passes(own));
            if (step.type === "exit" || (inner.length > 0 && !inner.includes(true))) return false;
          }
          return true;
        };
        passes(steps);
        expect([...found].sort()).toEqual([...walked].sort());
      }),
    );
  });
});

test("an empty way leads on behind the step, also behind the step that it stands in", () => {
  const exit = (id: string): Step => ({ id, type: "exit" });
  const inner: Step = { id: "inner", type: "branch", then: [], else: [exit("over")] };
  const { nodes } = journeyOf([{ id: "outer", type: "branch", then: [inner] }, exit("last")]);
  expect(nodes.get("inner")?.ways).toEqual([
    { name: "then", to: "last", pointer: "/steps/0/then/0/then" },
    { name: "else", to: "over", pointer: "/steps/0/then/0/else" },
  ]);
  expect(nodes.get("outer")?.ways.map(({ to }) => to)).toEqual(["inner", "last"]);
});
