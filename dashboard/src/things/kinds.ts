/** What people author, by the first part of its route: also in the address of its page. */
export const thingKinds = ["email-templates", "email-layouts", "snippets"] as const;
export type ThingKind = (typeof thingKinds)[number];
export const isThingKind = (kind: string): kind is ThingKind => (thingKinds as readonly string[]).includes(kind);

/** One thing as the service answers. Each kind has fields of its own. */
export interface Thing {
  id: string;
  name: string;
  channel?: string;
  created_at: string;
  updated_at: string;
  [field: string]: unknown;
}
