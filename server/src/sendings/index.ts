// TO MANY: the messages that go to many people, by a broadcast or by a step of a campaign, and who gets which edition.
// A sender chooses each person's edition (`chooser`), asks for whom sending is refused and why (`refusals`), adds reasons of its
// own, and queues (`queueTo`). The sender keeps the people, the ids of their deliveries and its own status.
export { noTopic, readEditions, readRules } from "./content/authored.ts";
export { chooser, isHeldOut, messageIdsOf } from "./content/editions.ts";
export { fixVersions } from "./content/fixed.ts";
export { preflight } from "./preflight.ts";
export { needsFullPeople, queueTo, type Recipient } from "./recipients/queue.ts";
export { refusals } from "./recipients/refusals.ts";
export { claimants, sharedAddress } from "./recipients/same-address.ts";
export { dueTimes, firstDue, lastDue } from "./rules/local-time.ts";
export { assignmentOf } from "./rules/split.ts";
export type { Editions, Locales, Rules, Sending, Variant } from "./sending.ts";
export { previewSending, sendTest, type TryOut } from "./try-out.ts";
