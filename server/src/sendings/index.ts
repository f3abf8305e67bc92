// TO MANY: what is said to many people, by a broadcast or by a step of a campaign, and who gets which of it.
// A sender chooses each person's edition (`chooser`), asks why they would get nothing (`refusals`), adds reasons of its own, and
// queues (`queueTo`). It keeps the people, the ids of their deliveries and its own status.
export { noTopic, readRules, readSaying } from "./content/authored.ts";
export { chooser, isHeldOut, messagesOf } from "./content/editions.ts";
export { fixVersions } from "./content/fixed.ts";
export { preflight } from "./preflight.ts";
export { needsWhole, queueTo, type Recipient } from "./recipients/queue.ts";
export { refusals } from "./recipients/refusals.ts";
export { claimants, sharedAddress } from "./recipients/same-address.ts";
export { duesAt, firstDue, lastDue } from "./rules/local-time.ts";
export { placeOf } from "./rules/split.ts";
export type { Locales, Rules, Saying, Sending, Variant } from "./sending.ts";
export { previewOf, testOf, type TryOut } from "./try-out.ts";
