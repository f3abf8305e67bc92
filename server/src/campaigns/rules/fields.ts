/** The data that a step can name. */
export interface Named {
  /** `{{trigger.*}}` */
  trigger: Record<string, unknown>;
  /** `{{person.*}}` */
  person: Record<string, unknown>;
}

/** What `trigger.order.id` or `person.plan` names: a field by its whole name, else by its path, as filters read it. */
export function fieldOf(name: string, { trigger, person }: Named): unknown {
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
