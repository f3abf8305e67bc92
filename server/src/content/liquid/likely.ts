import { ROOTS } from "./scope.ts";

// Guesses which name an author meant who wrote an unknown one.

/** Names that other tools use for the person, and for the data of a call. */
const PERSON = new Set(
  "customer user contact recipient subscriber profile member people persons lead client account attributes".split(" "),
);
const TRIGGER = new Set("event data message_data message payload params properties vars variables triggers".split(" "));
/** Names that most likely are a person's attributes. */
const OF_PERSON =
  /^(?:(?:first|last|full|middle|user|nick|given|family)_?name|name|salutation|e?mail|email_address|phone(?:_number)?|mobile|person_id|user_?id|timezone|locale|language|country|city|birthday|plan)$/i;

/** The name that was probably meant: `person.first_name` for `customer.first_name`. */
export function likelyOf([root = "", ...rest]: string[]): string {
  const near = ROOTS.find((known) => distance(known, root.toLowerCase()) <= 2);
  if (near) return [near, ...rest].join(".");
  if (rest.length === 0) return `${OF_PERSON.test(root) ? "person" : "trigger"}.${root}`;
  const lower = root.toLowerCase();
  if (PERSON.has(lower)) return ["person", ...rest].join(".");
  return ["trigger", ...(TRIGGER.has(lower) ? [] : [root]), ...rest].join(".");
}

/** The edit distance of two names; 99 where it is surely more than 2. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 99;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let k = 1; k <= b.length; k++) {
      const same = a[i - 1] === b[k - 1] ? 0 : 1;
      next.push(Math.min((row[k] as number) + 1, (next[k - 1] as number) + 1, (row[k - 1] as number) + same));
    }
    row = next;
  }
  return row[b.length] as number;
}
