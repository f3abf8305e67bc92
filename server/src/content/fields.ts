import { type Template, TypeGuards, Value } from "liquidjs";

/** A place in the data that a template names: `trigger.order.id`. */
export interface Field {
  root: "person" | "trigger";
  /** Names below the root; ends before an index and before size, first and last. */
  path: string[];
  /** The content shows it, gives no default and does not test it first. */
  required: boolean;
}

const COMPUTED = new Set(["size", "first", "last"]);
const CONDITIONS = new Set(["if", "unless", "case"]);

/** Every field of person and trigger that the templates name. */
export function fieldsIn(templates: Template[]): Field[] {
  const found: Field[] = [];
  for (const template of templates) visit(template, new Set(), found);
  return found;
}

function visit(template: Template, tested: ReadonlySet<string>, found: Field[]): void {
  const name = (template as { name?: string }).name;
  const condition = name !== undefined && CONDITIONS.has(name);
  let inside = tested;
  for (const argument of template.arguments?.() ?? []) {
    const hasDefault = argument instanceof Value && argument.filters.some((filter) => filter.name === "default");
    for (const { root, path } of pathsIn(argument)) {
      const text = path.join(".");
      if (condition) inside = new Set(inside).add(`${root}.${text}`);
      found.push({ root, path, required: !condition && !hasDefault && !isTested(tested, root, path) });
    }
  }
  for (const child of childrenOf(template)) visit(child, inside, found);
}

/** Whether a condition around it looks at the field or at something above it: then the content knows that it may be absent. */
function isTested(tested: ReadonlySet<string>, root: string, path: string[]): boolean {
  if (tested.size === 0) return false;
  return path.some((_, i) => tested.has(`${root}.${path.slice(0, i + 1).join(".")}`));
}

function* pathsIn(argument: unknown): Generator<Pick<Field, "root" | "path">> {
  if (argument instanceof Value) {
    for (const token of argument.initial.postfix) yield* pathsIn(token);
    for (const filter of argument.filters) {
      for (const arg of filter.args) yield* pathsIn(Array.isArray(arg) ? arg[1] : arg);
    }
  } else if (TypeGuards.isRangeToken(argument)) {
    yield* pathsIn(argument.lhs);
    yield* pathsIn(argument.rhs);
  } else if (TypeGuards.isPropertyAccessToken(argument)) {
    const names = argument.props.map(nameOf);
    const root = argument.variable === undefined ? names[0] : undefined;
    if (root === "person" || root === "trigger") {
      const end = names.findIndex((name, i) => i > 0 && (name === undefined || COMPUTED.has(name)));
      const path = names.slice(1, end === -1 ? undefined : end) as string[];
      if (path.length > 0) yield { root, path };
    }
    for (const prop of argument.props) if (!TypeGuards.isWordToken(prop)) yield* pathsIn(prop);
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
