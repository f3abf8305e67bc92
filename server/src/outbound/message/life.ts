/*
 * The life of a delivery that we push (email, push, SMS). Its row is the job, so the row's status is all that a process has to know.
 *
 *   (none) --queue------> queued       queue/queue.ts, in the transaction of whoever asked for the message
 *                         suppressed   the address is on the suppression list, or the person does not want it
 *                         failed       it could not be made for this person
 *   queued --claim------> sending      queue/store.ts: `claim` leases what is due; `begin` marks `at_most_once` right before the hand-off
 *   queued, sending       suppressed   queue/suppression-check.ts: unwanted by the time of its turn
 *                         failed       sending/give-up.ts: nobody could send it in time
 *                         canceled     queue/delivery-actions.ts by a caller, queue/suspended.ts with its workspace, people/holdings with its person
 *   sending --put back--> queued       queue/store.ts: `release`, `takeBack` and `putBack`, where nobody was asked; no attempt
 *   sending --settle----> queued       queue/settle-store.ts, after sending/send.ts handed it over: tried again later,
 *                         sent         taken by a provider,
 *                         failed       or refused for good. In a process that sends, a row is born with a lease and is settled as queued
 *   sent, failed -------> delivered    feedback/feedback.ts: what providers and recipients report later, in any order. A delivery
 *                         bounced      only advances (feedback/rules.ts): sent < failed < delivered < bounced < complained.
 *                         complained   Feedback that comes before `settle` counts at once where nobody holds the lease, else by `settle`
 *
 * A process may die anywhere: the lease runs out, and another process claims the row again. `suppressed` and `canceled` are
 * never left.
 */

/** Every status of a pushed delivery, each with those that may come right after it. */
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
