import type { Step } from "@tidings/contract/campaigns/steps";
import type { IconName } from "../../platform/look/icons.tsx";
import type { Kind } from "../model/ids.ts";

const ICONS: Record<Kind, IconName> = {
  email: "mail",
  push: "bell",
  sms: "chat",
  in_app: "window",
  wait: "clock",
  wait_until: "pulse",
  wait_window: "sun",
  branch: "branch",
  split: "route",
  batch: "tray",
  throttle: "updown",
  update: "members",
  list: "people",
  webhook: "hook",
  start: "play",
  exit: "out",
};

export const iconOfKind = (kind: Kind): IconName => ICONS[kind];
export const iconOf = (step: Step): IconName =>
  step.type === "message" ? (step.channel ? ICONS[step.channel] : "send") : ICONS[step.type];
