// Every kind of entry, by what it is about. The contract has the same list, but its code is not loaded (rules.test.ts compares them).

const outbound = [
  "queued",
  "suppressed",
  "attempt",
  "held",
  "sent",
  "delivered",
  "failed",
  "canceled",
  "bounced",
  "complained",
  "opened",
  "clicked",
  "unsubscribed",
];
const byFamily = {
  person: ["identified", "merged", "subscribed", "unsubscribed", "suppressed", "unsuppressed"],
  email: outbound,
  push: outbound,
  sms: outbound,
  in_app: ["queued", "held", "impression", "click", "dismiss", "read", "unread", "expired", "canceled", "failed"],
  campaign: ["entered", "goal", "ended"],
} as const;

export type Family = keyof typeof byFamily;
export const families = Object.keys(byFamily) as Family[];
export const kindsOf = (family: Family): string[] => byFamily[family].map((what) => `${family}.${what}`);
export const kinds: string[] = [...families.flatMap(kindsOf), "webhook.disabled"];
