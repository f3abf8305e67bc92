// Fields of Customer.io's identify that are not attributes: how to write, other names of the person, and settings of Customer.io.
const NOT_ATTRIBUTES = new Set(["id", "cio_id", "anonymous_id", "_update", "cio_subscription_preferences"]);
/** Customer.io removes these by an empty text. Tidings removes them by null, and refuses an empty one. */
const CLEARED_BY_EMPTY = new Set(["email", "phone", "timezone", "locale"]);

/** Translates Customer.io's attributes: `unsubscribed` becomes the opposite `subscribed`, and an empty address becomes null. */
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
