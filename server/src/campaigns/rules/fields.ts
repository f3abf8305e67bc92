import { valueAt } from "../../audiences/index.ts";

/** The data that a field name of a step can refer to. */
export interface FieldSources {
  /** `{{trigger.*}}` */
  trigger: Record<string, unknown>;
  /** `{{person.*}}` */
  person: Record<string, unknown>;
}

/** Returns the value of a name such as `trigger.order.id` or `person.plan`, as a filter reads it; undefined where there is none. */
export function fieldOf(name: string, { trigger, person }: FieldSources): unknown {
  const [root, ...path] = name.split(".");
  return valueAt(root === "person" ? person : trigger, path.join("."));
}
