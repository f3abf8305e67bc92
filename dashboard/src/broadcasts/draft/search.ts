import type { Channel } from "@tidings/contract/facts/activity";
import { channels } from "../../activity/delivery.ts";
import { type Step, steps } from "./values.ts";

/** What the address of a draft says: the open step, and of a new one its channel. */
export interface DraftSearch {
  step?: Step;
  channel?: Channel;
}

/** Reads such an address; what it does not know is left out. */
export function draftSearchOf(given: Record<string, unknown>): DraftSearch {
  const step = steps.find((one) => one === given.step);
  const channel = channels.find((one) => one === given.channel);
  return { ...(step && { step }), ...(channel && { channel }) };
}
