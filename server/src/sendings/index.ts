// TO MANY: the messages that go to many people, by a broadcast or by a step of a campaign, and who gets which edition.
// A sender chooses each person's edition (`chooser`), asks for whom sending is refused and why (`refusals`), adds reasons of its
// own, and queues (`queueTo`). The sender keeps the people, the ids of their deliveries and its own status.
import type { OutboundGround } from "../outbound/index.ts";
import { held, type Slice, TURNS } from "../workspaces/index.ts";
import { product } from "./product.ts";

export { noTopic, readEditions, readRules } from "./content/authored.ts";
export { chooser, isHeldOut, messageIdsOf } from "./content/editions.ts";
export { fixVersions, namedContents } from "./content/fixed.ts";
export { type AskHeld, askHeldWith, lockLimits, windowOf } from "./limits/limits.ts";
export { receivedSince } from "./limits/store.ts";
export { countPreflight, preflight } from "./preflight.ts";
export { applyLimits, recordHeld } from "./recipients/held.ts";
export { needsFullPeople, queueTo, type Recipient } from "./recipients/queue.ts";
export { refusals } from "./recipients/refusals.ts";
export { claimants, sharedAddress } from "./recipients/same-address.ts";
export { dueTimes, firstDue, lastDue } from "./rules/local-time.ts";
export { type Held, isHeldReason } from "./rules/limits.ts";
export { type Rehearsed, type RehearsalLimits, type RehearsalRecipient, rehearse, rehearseAhead } from "./rehearse.ts";
export { assignmentOf } from "./rules/split.ts";
export type { Editions, Locales, Rules, Sending, Variant } from "./sending.ts";
export { previewSending, sendTest, type TryOut } from "./try-out.ts";

/** What the roof connects. */
export const slice: Slice<OutboundGround> = {
  name: "sendings",
  product,
  // Whoever sends locks these rows before the person's own row.
  holds: [held("frequency_locks", { lockedFirst: TURNS.limits })],
};
