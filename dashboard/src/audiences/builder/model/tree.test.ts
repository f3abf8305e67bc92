import type { StepFilter } from "@tidings/contract/campaigns/filters";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  bounds,
  channels,
  fresh,
  kindOf,
  kinds,
  missingIn,
  ops,
  opsFor,
  outcomes,
  units,
  withOp,
} from "./conditions.ts";
import {
  added,
  canMove,
  dissolved,
  inserted,
  modes,
  moved,
  moves,
  negated,
  type Part,
  type Path,
  partAt,
  pointerOf,
  removed,
  replaced,
  viewOf,
  withMode,
  wrapped,
} from "./tree.ts";

// Any filter that the service takes, with each kind of condition, can be shown and edited without a loss.

const name = fc.constantFrom("plan", "address.city", "all", "not", "value", "0");
const text = fc.string({ minLength: 1, maxLength: 8 });
const scalar = fc.oneof(text, fc.constantFrom("", "5"), fc.double({ noNaN: true }), fc.boolean());
const within = fc.record({ amount: fc.integer({ min: 1, max: 90 }), unit: fc.constantFrom(...units) });
const channel = fc.constantFrom(...channels);
const valuesOf: Record<string, fc.Arbitrary<unknown>> = {
  eq: scalar,
  ne: scalar,
  in: fc.array(scalar, { minLength: 1, maxLength: 4 }),
  exists: fc.option(fc.boolean(), { nil: undefined }),
  contains: text,
  starts_with: text,
  before: fc.constantFrom("2026-01-31", "2026-01-31T12:00:00Z", "2026-01-31T12:00:00.123+02:00"),
  after: fc.constant("2026-01-31"),
  within_last: within,
};
const compared = (subject: string) =>
  fc
    .constantFrom(...ops)
    .chain((op) =>
      fc
        .record({ [subject]: name, op: fc.constant(op), value: valuesOf[op] ?? fc.oneof(text, fc.integer()) })
        .map(({ value, ...rest }) => (value === undefined ? rest : { ...rest, value })),
    );
const performing = fc.constantFrom("performed", "not_performed");
const some = <T extends Record<string, fc.Arbitrary<unknown>>>(
  needed: T,
  more: Record<string, fc.Arbitrary<unknown>>,
) => fc.record({ ...needed, ...more } as Record<string, fc.Arbitrary<unknown>>, { requiredKeys: Object.keys(needed) });
const count = fc
  .record(Object.fromEntries(bounds.map((bound) => [bound, fc.nat(9)])), { requiredKeys: [] })
  .filter((one) => Object.keys(one).length > 0);
const condition = fc.oneof(
  compared("attribute"),
  compared("trigger"),
  some({ event: name, op: performing }, { count, within, where: fc.array(compared("property"), { maxLength: 3 }) }),
  some({ message: fc.constantFrom("shown", "clicked"), op: performing }, { source_id: text, channel, within }),
  some({ subscribed: fc.boolean() }, { channel, topic: text }),
  fc.record({ audience: text }),
  fc.record({ step: text, op: fc.constantFrom(...outcomes) }),
);
const { filter } = fc.letrec<{ filter: StepFilter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    condition as fc.Arbitrary<StepFilter>,
    fc.record({ all: fc.array(tie("filter"), { maxLength: 3 }) }) as fc.Arbitrary<StepFilter>,
    fc.record({ any: fc.array(tie("filter"), { minLength: 1, maxLength: 3 }) }) as fc.Arbitrary<StepFilter>,
    fc.record({ not: tie("filter") }) as fc.Arbitrary<StepFilter>,
  ),
}));

/** The paths of all parts that the builder shows. */
function pathsOf(root: Part, path: Path = []): Path[] {
  const view = viewOf(partAt(root, path), path);
  if (view.kind === "group") return [path, ...view.parts.flatMap((_, i) => pathsOf(root, [...view.list, i]))];
  return view.kind === "not" ? [path, ...pathsOf(root, view.inner)] : [path];
}
const conditionsOf = (root: Part): string[] =>
  pathsOf(root)
    .map((path) => viewOf(partAt(root, path), path))
    .flatMap((view) => (view.kind === "condition" ? [JSON.stringify(view.condition)] : []))
    .toSorted();
function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) for (const one of Object.values(Object.freeze(value))) frozen(one);
  return value;
}
const withPath = filter.chain((root) =>
  fc.record({ root: fc.constant(frozen(root)), path: fc.constantFrom(...pathsOf(root)) }),
);

test("each condition that the service takes has fields, and nothing of it is missing", () => {
  fc.assert(
    fc.property(filter, (root) => {
      for (const path of pathsOf(root)) {
        const view = viewOf(partAt(root, path), path);
        if (view.kind === "condition") expect(kindOf(view.condition)).toBeDefined();
      }
      expect(missingIn(root)).toEqual([]);
    }),
  );
});

test("a pointer leads to the same part as its path", () => {
  fc.assert(
    fc.property(withPath, ({ root, path }) => {
      const found = pointerOf(path)
        .split("/")
        .slice(1)
        .reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], root);
      expect(found).toBe(partAt(root, path));
    }),
  );
});

test("what is taken out and put back leaves the filter as it was, to the letter", () => {
  fc.assert(
    fc.property(withPath, ({ root, path }) => {
      const part = partAt(root, path);
      const written = JSON.stringify(root);
      expect(JSON.stringify(replaced(root, path, part))).toBe(written);
      const i = path.at(-1);
      if (typeof i === "number")
        expect(JSON.stringify(inserted(removed(root, path), path.slice(0, -1), i, part))).toBe(written);
      if (viewOf(part, path).kind === "condition")
        expect(JSON.stringify(negated(negated(root, path), path))).toBe(written);
      expect(JSON.stringify(dissolved(wrapped(root, path), path))).toBe(written);
    }),
  );
});

test("moving keeps each condition, and its opposite brings a part back", () => {
  const back = { up: "down", down: "up" } as const;
  fc.assert(
    fc.property(withPath, fc.constantFrom(...moves), ({ root, path }, move) => {
      const next = moved(root, path, move);
      expect(conditionsOf(next.root)).toEqual(conditionsOf(root));
      expect(partAt(next.root, next.path)).toBe(partAt(root, path));
      if (!canMove(root, path, move)) expect(next.root).toBe(root);
      else if (move === "up" || move === "down")
        expect(JSON.stringify(moved(next.root, next.path, back[move]).root)).toBe(JSON.stringify(root));
    }),
  );
});

test("a group takes each rule, and its parts stay", () => {
  fc.assert(
    fc.property(withPath, fc.constantFrom(...modes), ({ root, path }, mode) => {
      const before = viewOf(partAt(root, path), path);
      const after = viewOf(partAt(withMode(root, path, mode), path), path);
      if (before.kind !== "group") return;
      expect(after).toMatchObject({ kind: "group", mode, parts: before.parts });
      expect(withMode(withMode(root, path, mode), path, before.mode)).toEqual(root);
    }),
  );
});

test("a part is added at the end, and a group is put around a filter that is none", () => {
  fc.assert(
    fc.property(filter, (root) => {
      const part = fresh("attribute");
      const { root: next, path } = added(root, part);
      expect(partAt(next, path)).toBe(part);
      expect(conditionsOf(next)).toEqual([...conditionsOf(root), JSON.stringify(part)].toSorted());
    }),
  );
  expect(added(null, fresh("event")).root).toEqual({ all: [{ event: "", op: "performed" }] });
});

test("what is new is to be filled in, and is shown", () => {
  expect(missingIn({ all: [fresh("attribute"), fresh("event")] } as Part)).toEqual([
    "/all/0/attribute",
    "/all/0/value",
    "/all/1/event",
  ]);
  expect(kinds.filter((kind) => kindOf(fresh(kind)) !== kind)).toEqual([]);
  expect(missingIn({ any: [] })).toEqual(["/any"]);
});

test("what the fields can't show is no known condition", () => {
  for (const odd of [
    { attribute: "a", op: "eq", value: 1, more: 2 },
    { attribute: 5, op: "eq", value: 1 },
    { attribute: "a", op: "like", value: "x" },
    { attribute: "a", op: "in", value: "x" },
    { event: "e", op: "performed", count: { about: 2 } },
    { all: [], any: [] },
    { all: "x" },
    { not: "x" }.not,
    {},
  ])
    expect([odd, viewOf(odd as Part, []).kind, kindOf(odd)]).toEqual([odd, "condition", undefined]);
});

test("another operator keeps the value where it means the same", () => {
  expect(withOp({ op: "eq", value: "pro" }, "in")).toEqual({ op: "in", value: ["pro"] });
  expect(withOp({ op: "in", value: ["pro"] }, "ne")).toEqual({ op: "ne", value: "pro" });
  expect(withOp({ op: "in", value: ["pro", "free"] }, "eq")).toEqual({ op: "eq" });
  expect(withOp({ op: "eq", value: 5 }, "gt")).toEqual({ op: "gt", value: 5 });
  expect(withOp({ op: "eq", value: true }, "gt")).toEqual({ op: "gt" });
  expect(withOp({ op: "gt", value: 5 }, "exists")).toEqual({ op: "exists" });
  expect(withOp({ op: "exists", value: false }, "eq")).toEqual({ op: "eq" });
  expect(withOp({ op: "within_last", value: { amount: 3, unit: "days" } }, "eq")).toEqual({ op: "eq" });
});

test("only operators for the values' types are offered, and the chosen one", () => {
  expect(opsFor(["boolean"], "eq")).toEqual(["eq", "ne", "exists"]);
  expect(opsFor(["array"], "gt")).toEqual(["gt", "contains", "exists"]);
  expect(opsFor(undefined, "eq")).toEqual(ops);
});
