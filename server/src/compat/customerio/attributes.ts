// What Customer.io's identify carries beside attributes: how to write, other names of the person, and its own switches.
const NOT_ATTRIBUTES = new Set(["id", "cio_id", "anonymous_id", "_update", "cio_subscription_preferences"]);
/** Theirs is cleared by an empty text, ours by null; an empty address or zone is no value here. */
const CLEARED_BY_EMPTY = new Set(["email", "phone", "timezone", "locale"]);

/** Customer.io's attributes as ours: `unsubscribed` is the other way round, an empty address clears it. */
export function attributesOf(data: Record<string, unknown>): Record<string, unknown> {
  const attributes: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(data)) {
    if (NOT_ATTRIBUTES.has(name)) continue;
    if (name === "unsubscribed") attributes.subscribed = !isTrue(value);
    else attributes[name] = value === "" && CLEARED_BY_EMPTY.has(name) ? null : value;
  }
  return attributes;
}

const isTrue = (value: unknown): boolean => value === true || value === 1 || /^(?:true|1)$/i.test(String(value));
