/*
 * The life of a delivery that we push (email, push, SMS). Its row is the job, so a process needs to know only the row's status.
 *
 *   (none) --queue------> queued       queue/queue.ts, in the transaction of the caller
 *                         suppressed   the address is on the suppression list, or the person does not want it
 *                         failed       it could not be composed for this person
 *   queued --claim------> sending      queue/store.ts: `claim` leases due deliveries; `begin` marks `at_most_once` right before the hand-off
 *   queued, sending       suppressed   queue/suppression-check.ts: unwanted when its turn comes
 *                         failed       sending/give-up.ts: no provider could be asked in time
 *                         canceled     queue/delivery-actions.ts by a caller, queue/suspended.ts with its workspace, people/holdings with its person
 *   sending --put back--> queued       queue/store.ts: `release`, `takeBack` and `putBack`, where no provider was asked; no attempt
 *   sending --settle----> queued       queue/settle-store.ts, after sending/send.ts handed it over: tried again later,
 *                         sent         taken by a provider,
 *                         failed       or refused for good. In a process that sends, a row is inserted with a lease and settled from queued
 *   sent, failed -------> delivered    feedback/feedback.ts: what providers and recipients report later, in any order. A delivery
 *                         bounced      only advances (feedback/rules.ts): sent < failed < delivered < bounced < complained.
 *                         complained   Feedback that arrives before `settle` counts at once where the row is not leased, otherwise by `settle`
 *
 * A process may die anywhere: the lease ends, and another process claims the row again. `suppressed` and `canceled` are final.
 */

/** Every status of a pushed delivery, with the statuses that may follow directly. */
export const LIFE = {
  queued: ["sending", "sent", "failed", "suppressed", "canceled", "delivered", "bounced", "complained"],
  sending: ["queued", "sent", "failed", "suppressed", "canceled", "delivered", "bounced", "complained"],
  sent: ["failed", "delivered", "bounced", "complained"],
  failed: ["delivered", "bounced", "complained"],
  delivered: ["bounced", "complained"],
  bounced: ["complained"],
  complained: [],
  suppressed: [],
  canceled: [],
} as const;

export type Status = keyof typeof LIFE;
