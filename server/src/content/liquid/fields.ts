import { type Template, type Token, TypeGuards, Value } from "liquidjs";
import { ROOTS } from "./scope.ts";
import { type Use, useBy, useOfArguments } from "./uses.ts";

/** A place in the data that a template names: `trigger.order.id`. */
export interface Field {
  root: "person" | "trigger";
  /** Names below the root; ends before an index and before size, first and last. */
  path: string[];
  /** The content shows it, gives no default and does not test it first. */
  required: boolean;
  use: Use | undefined;
}

/** A name that nothing has: no root, and nothing that the template makes itself. */
export interface Unknown {
  names: string[];
  /** Its place is counted where it is told only: that reads all of the text before it. */
  token: Token;
}

const COMPUTED = new Set(["size", "first", "last"]);
const CONDITIONS = new Set(["if", "unless", "case"]);
/** What the language itself has, or takes for a word of its own. */
const WORDS = ["forloop", "tablerowloop", "continue"];

/** Every field of person and trigger that the templates name, and the names that are neither that nor their own. */
export function namesIn(templates: Template[]): { fields: Field[]; unknown: Unknown[] } {
  const walk = new Walk();
  for (const template of templates) walk.visit(template);
  const known = new Set([...ROOTS, ...WORDS, ...walk.made]);
  return { fields: walk.fields, unknown: walk.others.filter(({ names }) => !known.has(names[0] as string)) };
}

/** A name with its place, and what it is used as. */
interface Named {
  names: (string | undefined)[];
  token: Token;
  use: Use | undefined;
}

class Walk {
  readonly fields: Field[] = [];
  readonly others: Unknown[] = [];
  /** Names that the templates give themselves, by assign, capture and loops. */
  readonly made = new Set<string>();
  /** How many conditions around it look at a field. One map for all, since a copy for each condition took seconds. */
  private readonly tested = new Map<string, number>();

  visit(template: Template): void {
    const { name, collection } = template as { name?: string; collection?: unknown };
    const condition = name !== undefined && CONDITIONS.has(name);
    const looked: string[] = [];
    for (const made of template.localScope?.() ?? []) this.made.add(String(made.content));
    for (const made of template.blockScope?.() ?? []) this.made.add(String(made));
    for (const argument of template.arguments?.() ?? []) {
      const hasDefault = argument instanceof Value && argument.filters.some((filter) => filter.name === "default");
      for (const named of namesOf(argument, argument === collection ? "list" : undefined)) {
        const field = this.read(named);
        if (!field) continue;
        if (condition) looked.push(keyOf(field.root, field.path));
        this.fields.push({ ...field, required: !condition && !hasDefault && !this.isTested(field.root, field.path) });
      }
    }
    for (const key of looked) this.tested.set(key, (this.tested.get(key) ?? 0) + 1);
    for (const child of childrenOf(template)) this.visit(child);
    for (const key of looked) this.tested.set(key, (this.tested.get(key) as number) - 1);
  }

  private read({ names, token, use }: Named): Omit<Field, "required"> | undefined {
    const [root] = names;
    if (root !== "person" && root !== "trigger") {
      if (root !== undefined) this.others.push({ names: names.filter((name) => name !== undefined), token });
      return undefined;
    }
    const end = names.findIndex((name, i) => i > 0 && (name === undefined || COMPUTED.has(name)));
    const path = names.slice(1, end === -1 ? undefined : end) as string[];
    return path.length === 0 ? undefined : { root, path, use: end === -1 ? use : undefined };
  }

  /** Whether a condition around it looks at the field or at something above it: then the content knows that it may be absent. */
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

/** What stands inside a tag. The library gives it as the result of a generator that loads nothing for our tags. */
export function childrenOf(template: Template): Template[] {
  if (!template.children) return [];
  const step = template.children(false, true).next();
  return step.done ? (step.value as Template[]) : [];
}
