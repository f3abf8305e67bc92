import type { IconName } from "../look/icons.tsx";

/** What people author, by the first part of its route, which is also the first part of its page's address, with its icon. */
export const authoredIcons = {
  broadcasts: "send",
  campaigns: "branch",
  transactionals: "mail",
  "in-app-messages": "window",
  audiences: "people",
  "email-templates": "mail",
  "email-layouts": "desktop",
  snippets: "chat",
} as const satisfies Record<string, IconName>;

export type AuthoredKind = keyof typeof authoredIcons;
export const authoredKinds = Object.keys(authoredIcons) as AuthoredKind[];
