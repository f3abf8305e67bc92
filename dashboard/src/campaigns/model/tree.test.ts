import { stepsIn } from "@tidings/contract/campaigns/journey";
import type { Step } from "@tidings/contract/campaigns/steps";
import fc from "fast-check";
import { expect, test } from "vitest";
import { duplicated, freshStep, type Kind, renamed } from "./ids.ts";
import { itemsOf, placeAfter } from "./items.ts";
import { layoutOf } from "./layout.ts";
import { changed, inner, inserted, moved, type InsertionPoint, placeBeside, placeOf, removed } from "./tree.ts";

const KINDS: Kind[] = ["email", "wait", "branch", "wait_until", "split", "exit"];

/** Every place at which a step can be put in. */
const placesIn = (steps: Step[]): InsertionPoint[] => [
  ...Array.from({ length: steps.length + 1 }, (_, at) => ({ of: null, list: 0, at })),
  ...stepsIn(steps).flatMap((step) =>
    inner(step).flatMap((own, list) => Array.from({ length: own.length + 1 }, (_, at) => ({ of: step.id, list, at }))),
  ),
];
/** Journeys as somebody makes them: steps put in one after the other. */
const journeys = fc.array(fc.tuple(fc.constantFrom(...KINDS), fc.nat()), { minLength: 1, maxLength: 25 }).map((adds) =>
  adds.reduce<Step[]>((steps, [kind, where]) => {
    const places = placesIn(steps);
    return inserted(steps, places[where % places.length] as InsertionPoint, freshStep(kind, steps));
  }, []),
);
const idsOf = (steps: Step[]) => stepsIn(steps).map(({ id }) => id);
const some = <T>(from: T[], at: number): T => from[at % from.length] as T;

test("a step that is put in and taken out again leaves the journey as it was", () =>
  fc.assert(
    fc.property(journeys, fc.nat(), (steps, where) => {
      const place = some(placesIn(steps), where);
      const step = freshStep("branch", steps);
      const more = inserted(steps, place, step);
      expect(placeOf(more, step.id)).toEqual(place);
      expect(removed(more, step.id)).toEqual(steps);
    }),
  ));

test("a move keeps every step, and never puts one into itself", () =>
  fc.assert(
    fc.property(journeys, fc.nat(), fc.nat(), (steps, which, where) => {
      const id = some(idsOf(steps), which);
      const after = moved(steps, id, some(placesIn(steps), where));
      expect(idsOf(after).toSorted()).toEqual(idsOf(steps).toSorted());
    }),
  ));

test("a step that a key moved up comes back by the key down, within its list", () =>
  fc.assert(
    fc.property(journeys, fc.nat(), (steps, which) => {
      const id = some(idsOf(steps), which);
      const from = placeOf(steps, id) as InsertionPoint;
      fc.pre(from.at > 0);
      const up = moved(steps, id, placeBeside(steps, id, "up") as InsertionPoint);
      expect(moved(up, id, placeBeside(up, id, "down") as InsertionPoint)).toEqual(steps);
    }),
  ));

test("a change of one step leaves all that is not around it the same object", () =>
  fc.assert(
    fc.property(journeys, fc.nat(), (steps, which) => {
      const id = some(idsOf(steps), which);
      const before = new Map(stepsIn(steps).map((step) => [step.id, step]));
      const after = changed(steps, id, (step) => ({ ...step }));
      const others = stepsIn(after).filter((step) => !idsOf([step]).includes(id));
      expect(others.every((step) => before.get(step.id) === step)).toBe(true);
    }),
  ));

test("a copy has ids of its own, and its conditions name its own steps", () => {
  fc.assert(
    fc.property(journeys, fc.nat(), (steps, which) => {
      const copy = duplicated(steps, some(idsOf(steps), which));
      const ids = idsOf(copy?.steps ?? []);
      expect(new Set(ids).size).toBe(ids.length);
    }),
  );
  const steps: Step[] = [
    {
      id: "fork",
      type: "branch",
      if: { step: "email", op: "seen" },
      then: [
        {
          id: "email",
          type: "message",
          channel: "email",
          content: { body: "{{steps.email.response.a}} {{steps.other.b}}" },
        },
      ],
    },
  ];
  expect(duplicated(steps, "fork")?.steps[1]).toEqual({
    id: "fork_2",
    type: "branch",
    if: { step: "email_2", op: "seen" },
    then: [
      {
        id: "email_2",
        type: "message",
        channel: "email",
        content: { body: "{{steps.email_2.response.a}} {{steps.other.b}}" },
      },
    ],
  });
});

test("another id is taken wherever the step is named", () => {
  const draft = {
    name: "A",
    trigger: { type: "api" as const },
    reentry: "once" as const,
    entry_max_age: { amount: 1, unit: "days" as const },
    exit_when: { not: { step: "call", op: "sent" } },
    goal: null,
    cancel_on: null,
    steps: [
      { id: "call", type: "webhook", url: "https://a.test" },
      {
        id: "say",
        type: "message",
        channel: "sms",
        content: { body: "{{ steps.call.response.code }} {{steps['call'].x}}" },
      },
    ] satisfies Step[],
  };
  const after = renamed(draft, "call", "coupon");
  expect(after.exit_when).toEqual({ not: { step: "coupon", op: "sent" } });
  expect(after.steps[1]).toMatchObject({
    content: { body: "{{ steps.coupon.response.code }} {{steps['coupon'].x}}" },
  });
});

test("in a drawing each item has a box, and no boxes overlap", () =>
  fc.assert(
    fc.property(journeys, (steps) => {
      const { boxes, lines } = layoutOf(steps);
      const keys = new Set(boxes.map(({ key }) => key));
      expect(itemsOf(steps).every(({ key }) => keys.has(key))).toBe(true);
      expect(lines.every(({ from, to }) => keys.has(from) && keys.has(to))).toBe(true);
      for (const [i, a] of boxes.entries())
        for (const b of boxes.slice(i + 1)) {
          const beside = Math.abs(a.x - b.x) >= (a.width + b.width) / 2;
          const below = a.y + a.height <= b.y || b.y + b.height <= a.y;
          expect(beside || below, `${a.key} and ${b.key}`).toBe(true);
        }
    }),
  ));

test("on each line of a drawing a step can be put in, at each place once", () =>
  fc.assert(
    fc.property(journeys, (steps) => {
      const name = ({ of, list, at }: InsertionPoint) => `${of} ${list} ${at}`;
      const drawn = layoutOf(steps).lines.flatMap(({ place }) => (place ? [name(place)] : []));
      expect(drawn.toSorted()).toEqual(placesIn(steps).map(name).toSorted());
      const items = itemsOf(steps);
      for (const { place, after } of layoutOf(steps).lines) {
        const item = items.find(({ key }) => key === after);
        if (place) expect(item && placeAfter(item, (id) => placeOf(steps, id))).toEqual(place);
      }
    }),
  ));
