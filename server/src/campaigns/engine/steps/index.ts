import type { Step } from "@tidings/contract/campaigns/steps";
import type { StepWork } from "./batch.ts";
import { waitUntil } from "./events.ts";
import { branch } from "./filters.ts";
import { gather } from "./gather.ts";
import { message } from "./message.ts";
import { list, update } from "./people.ts";
import { split } from "./split.ts";
import { start } from "./start.ts";
import { throttle } from "./throttle.ts";
import { webhook } from "./webhook.ts";

const WORK: { [T in Step["type"]]?: StepWork<Extract<Step, { type: T }>> } = {
  message,
  wait_until: waitUntil,
  branch,
  split,
  update,
  list,
  start,
  throttle,
  batch: gather,
  webhook,
};

/** Returns the facts to load and the effect of a type of step; neither for a step that depends on time only. */
export const workOf = ({ type }: Step): StepWork => (WORK[type] ?? {}) as StepWork;
