/** The data that a field name of a step can refer to. */
export interface FieldSources {
  /** `{{trigger.*}}` */
  trigger: Record<string, unknown>;
  /** `{{person.*}}` */
  person: Record<string, unknown>;
}

/** Returns the value of a name such as `trigger.order.id` or `person.plan`: the field with the whole name, otherwise the value at the path, as in filters. */
export function fieldOf(name: string, { trigger, person }: FieldSources): unknown {
  const [root, ...path] = name.split(".");
  const data = root === "person" ? person : trigger;
  const whole = path.join(".");
  if (Object.hasOwn(data, whole)) return data[whole];
  let value: unknown = data;
  for (const part of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}
