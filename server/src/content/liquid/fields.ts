import { type Template, type Token, TypeGuards, Value } from "liquidjs";
import { ROOTS } from "./scope.ts";
import { type Use, useBy, useOfArguments } from "./uses.ts";

/** A field of the data that a template names: `trigger.order.id`. */
export interface Field {
  root: "person" | "trigger";
  /** Names below the root; ends before an index and before size, first and last. */
  path: string[];
  /** Whether the content shows it without a default and without a test before. */
  required: boolean;
  use: Use | undefined;
}

/** An unknown name: neither a root nor a variable of the template. */
export interface Unknown {
  names: string[];
  /** Line and column are computed only for an error: that reads all the text before it. */
  token: Token;
}

const COMPUTED = new Set(["size", "first", "last"]);
const CONDITIONS = new Set(["if", "unless", "case"]);
/** Names that the language defines. */
const WORDS = ["forloop", "tablerowloop", "continue"];

/** Every field of person and trigger that the templates name, the unknown names, and the ids of steps: `pay` in `steps.pay.event`. */
export function namesIn(templates: Template[]): { fields: Field[]; unknown: Unknown[]; steps: string[] } {
  const walk = new Walk();
  for (const template of templates) walk.visit(template);
  const known = new Set([...ROOTS, ...WORDS, ...walk.variables]);
  return {
    fields: walk.fields,
    unknown: walk.others.filter(({ names }) => !known.has(names[0] as string)),
    steps: walk.variables.has("steps") ? [] : [...walk.steps],
  };
}

/** A name with its position and its use. */
interface Named {
  names: (string | undefined)[];
  token: Token;
  use: Use | undefined;
}

class Walk {
  readonly fields: Field[] = [];
  readonly others: Unknown[] = [];
  readonly steps = new Set<string>();
  /** Variables of the templates, by assign, capture and loops. */
  readonly variables = new Set<string>();
  /** The number of enclosing conditions that test a field. One map for all, because a copy for each condition took seconds. */
  private readonly tested = new Map<string, number>();

  visit(template: Template): void {
    const { name, collection } = template as { name?: string; collection?: unknown };
    const condition = name !== undefined && CONDITIONS.has(name);
    const testedHere: string[] = [];
    for (const token of template.localScope?.() ?? []) this.variables.add(String(token.content));
    for (const name of template.blockScope?.() ?? []) this.variables.add(String(name));
    for (const argument of template.arguments?.() ?? []) {
      const hasDefault = argument instanceof Value && argument.filters.some((filter) => filter.name === "default");
      for (const named of namesOf(argument, argument === collection ? "list" : undefined)) {
        const field = this.read(named);
        if (!field) continue;
        if (condition) testedHere.push(keyOf(field.root, field.path));
        this.fields.push({ ...field, required: !condition && !hasDefault && !this.isTested(field.root, field.path) });
      }
    }
    for (const key of testedHere) this.tested.set(key, (this.tested.get(key) ?? 0) + 1);
    for (const child of childrenOf(template)) this.visit(child);
    for (const key of testedHere) this.tested.set(key, (this.tested.get(key) as number) - 1);
  }

  private read({ names, token, use }: Named): Omit<Field, "required"> | undefined {
    const [root, id] = names;
    if (root === "steps" && id !== undefined && !COMPUTED.has(id)) this.steps.add(id);
    if (root !== "person" && root !== "trigger") {
      if (root !== undefined) this.others.push({ names: names.filter((name) => name !== undefined), token });
      return undefined;
    }
    const end = names.findIndex((name, i) => i > 0 && (name === undefined || COMPUTED.has(name)));
    const path = names.slice(1, end === -1 ? undefined : end) as string[];
    return path.length === 0 ? undefined : { root, path, use: end === -1 ? use : undefined };
  }

  /** Whether an enclosing condition tests the field or a field above it: then the content expects that it may be absent. */
  private isTested(root: string, path: string[]): boolean {
    if (this.tested.size === 0) return false;
    return path.some((_, i) => (this.tested.get(keyOf(root, path.slice(0, i + 1))) ?? 0) > 0);
  }
}

const keyOf = (root: string, path: string[]): string => `${root}.${path.join(".")}`;

function* namesOf(argument: unknown, use: Use | undefined): Generator<Named> {
  if (argument instanceof Value) {
    const { initial, filters } = argument;
    const first = initial.postfix.length === 1 ? (use ?? useBy(filters)) : undefined;
    for (const token of initial.postfix) yield* namesOf(token, first);
    for (const filter of filters) {
      const kind = useOfArguments(filter);
      for (const arg of filter.args) yield* Array.isArray(arg) ? namesOf(arg[1], undefined) : namesOf(arg, kind);
    }
  } else if (TypeGuards.isRangeToken(argument)) {
    yield* namesOf(argument.lhs, "number");
    yield* namesOf(argument.rhs, "number");
  } else if (TypeGuards.isPropertyAccessToken(argument)) {
    if (argument.variable === undefined) yield { names: argument.props.map(nameOf), token: argument, use };
    for (const prop of argument.props) if (!TypeGuards.isWordToken(prop)) yield* namesOf(prop, undefined);
  }
}

function nameOf(prop: unknown): string | undefined {
  return TypeGuards.isWordToken(prop) || TypeGuards.isQuotedToken(prop) ? String(prop.content) : undefined;
}

/** The templates inside a tag. The library returns them by a generator that loads nothing for our tags. */
export function childrenOf(template: Template): Template[] {
  if (!template.children) return [];
  const step = template.children(false, true).next();
  return step.done ? (step.value as Template[]) : [];
}
