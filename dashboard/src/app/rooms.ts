import type { Role } from "@tidings/contract/members";
import type { IconName } from "../platform/look/icons.tsx";
import type { texts } from "./texts.ts";

/** The pages that the navigation lists. `keys` are pressed one after the other. */
export const rooms = [
  { text: "home", to: "/w/$workspace", icon: "home", keys: "g h", group: undefined },
  { text: "broadcasts", to: "/w/$workspace/broadcasts", icon: "send", keys: "m b", group: "author" },
  { text: "campaigns", to: "/w/$workspace/campaigns", icon: "branch", keys: "m c", group: "author" },
  { text: "transactionals", to: "/w/$workspace/transactionals", icon: "mail", keys: "m t", group: "author" },
  { text: "inAppMessages", to: "/w/$workspace/in-app-messages", icon: "window", keys: "m i", group: "author" },
  { text: "audiences", to: "/w/$workspace/audiences", icon: "people", keys: "m a", group: "author" },
  { text: "templates", to: "/w/$workspace/email-templates", icon: "mail", keys: "m e", group: "author" },
  { text: "deliveries", to: "/w/$workspace/deliveries", icon: "send", keys: "g d", group: "observe" },
  { text: "activity", to: "/w/$workspace/activity", icon: "pulse", keys: "g v", group: "observe" },
  { text: "explain", to: "/w/$workspace/explain", icon: "question", keys: "g e", group: "observe" },
  { text: "outbox", to: "/w/$workspace/outbox", icon: "tray", keys: "g o", group: "observe" },
  { text: "analytics", to: "/w/$workspace/analytics", icon: "chart", keys: "g n", group: "observe" },
  { text: "rejected", to: "/w/$workspace/rejected", icon: "refused", keys: "g r", group: "observe" },
  { text: "people", to: "/w/$workspace/people", icon: "people", keys: "g p", group: "observe" },
  { text: "screens", to: "/w/$workspace/screens", icon: "window", keys: "g b", group: "observe" },
  { text: "workspace", to: "/w/$workspace/settings", icon: "settings", keys: "g s", group: "settings" },
  { text: "channels", to: "/w/$workspace/channels", icon: "route", keys: "g c", group: "settings" },
  { text: "webhooks", to: "/w/$workspace/webhooks", icon: "hook", keys: "g w", group: "settings" },
  { text: "destinations", to: "/w/$workspace/export-destinations", icon: "external", keys: "g z", group: "settings" },
  { text: "topics", to: "/w/$workspace/topics", icon: "bell", keys: "g t", group: "settings" },
  { text: "suppressions", to: "/w/$workspace/suppressions", icon: "mail", keys: "g x", group: "settings" },
  { text: "limits", to: "/w/$workspace/limits", icon: "clock", keys: "g f", group: "settings" },
  { text: "media", to: "/w/$workspace/media", icon: "image", keys: "g l", group: "settings" },
  { text: "keys", to: "/w/$workspace/keys", icon: "key", keys: "g k", group: "settings" },
  { text: "identity", to: "/w/$workspace/identity", icon: "check", keys: "g i", group: "settings" },
  { text: "members", to: "/w/$workspace/members", icon: "members", keys: "g m", group: "settings" },
  { text: "audit", to: "/w/$workspace/audit", icon: "history", keys: "g u", group: "settings", role: "owner" },
  { text: "account", to: "/w/$workspace/account", icon: "keyboard", keys: "g a", group: "settings" },
] as const satisfies readonly {
  text: keyof typeof texts;
  to: string;
  icon: IconName;
  keys: string;
  group: keyof typeof texts | undefined;
  /** The only role that may read what is in it. */
  role?: Role;
}[];

/** Returns the rooms that a member with this role may enter. */
export const roomsFor = (role: Role) => rooms.filter((room) => !("role" in room) || room.role === role);
