import { record } from "../../activity/index.ts";
import type { Db, Queries } from "../../platform/db/index.ts";
import { mailbox } from "../../platform/mailbox.ts";
import { suppressed, type Target, unsubscribedSince } from "../../subscriptions/index.ts";
import type { Content, Job, Message } from "../message/message.ts";
import { endSuppressed } from "./suppression-check-store.ts";

// The suppression list is checked twice: when a message is queued, and again before a message that waited (for its time, for
// its next attempt, for a place) is handed over. A message with suppressed copies is sent without those.

/** An address that gets no copy, for the log. */
interface LeftOut {
  address: string;
  reason: string;
}

interface CheckedMessage {
  workspaceId: string;
  channel: Message["channel"];
  recipient: string | null;
  content: Content | null;
}

/** What the suppression list contains of a message's addresses. */
interface SuppressionResult {
  /** Why the recipient is on the list; undefined where it is not. */
  reason?: string;
  leftOut: LeftOut[];
}

/** An address to look up in the suppression list. */
interface AddressToCheck extends Target {
  copy: boolean;
}

/** Returns the addresses to check for a message: its recipient, and the bare addresses of those who get a copy. */
function addressesOf({ workspaceId, channel, recipient, content }: CheckedMessage): AddressToCheck[] {
  if (channel === "push") return [];
  const copies = content && "subject" in content ? [...(content.cc ?? []), ...(content.bcc ?? [])].map(bare) : [];
  const addresses = copies.map((address): AddressToCheck => ({ workspaceId, channel, address, copy: true }));
  return recipient === null ? addresses : [{ workspaceId, channel, address: recipient, copy: false }, ...addresses];
}

/** @param reasons for each address why it is on the list; undefined where it is not */
function resultOf(addresses: AddressToCheck[], reasons: (string | undefined)[]): SuppressionResult {
  const result: SuppressionResult = { leftOut: [] };
  addresses.forEach(({ address, copy }, i) => {
    const reason = reasons[i];
    if (reason === undefined) return;
    if (copy) result.leftOut.push({ address, reason });
    else result.reason = reason;
  });
  return result;
}

async function checkSuppressions(q: Queries, list: CheckedMessage[]): Promise<SuppressionResult[]> {
  const addresses = list.map(addressesOf);
  const reasons = (await suppressed(q, addresses.flat())).map((row) => row?.reason);
  let at = 0;
  return addresses.map((those) => {
    const from = at;
    at += those.length;
    return resultOf(those, reasons.slice(from, at));
  });
}

const bare = (text: string): string => mailbox(text)?.address ?? text;

function without<C extends Content>(content: C, leftOut: LeftOut[]): C {
  const gone = new Set(leftOut.map(({ address }) => address));
  const copies = content as { cc?: string[]; bcc?: string[] };
  const kept = (list: string[] | undefined) => list?.filter((text) => !gone.has(bare(text)));
  return { ...content, ...(copies.cc && { cc: kept(copies.cc) }), ...(copies.bcc && { bcc: kept(copies.bcc) }) };
}

/**
 * Checks the addresses of messages that are about to be queued.
 * @returns the messages as they may be queued: one to a suppressed address has the status `suppressed` and the list's reason
 */
export async function applySuppressions(tx: Queries, batch: Message[]): Promise<Message[]> {
  const queued = batch.filter((message) => message.status === "queued");
  const results = await checkSuppressions(tx, queued);
  const checked = new Map(queued.map((message, i) => [message, results[i] as SuppressionResult]));
  return batch.map((message) => applyResult(message, checked.get(message) ?? { leftOut: [] }));
}

/**
 * Does the same for one message with what the caller has read from the list already.
 * @param listed for each address that was checked why it is on the list; undefined where it is not
 * @returns the message as it may be queued; undefined where one of its addresses was not checked
 */
export function applyKnownSuppressions(
  message: Message,
  listed: ReadonlyMap<string, string | undefined>,
): Message | undefined {
  if (message.status !== "queued") return message;
  const addresses = addressesOf(message);
  if (!addresses.every(({ address }) => listed.has(address))) return undefined;
  return applyResult(
    message,
    resultOf(
      addresses,
      addresses.map(({ address }) => listed.get(address)),
    ),
  );
}

function applyResult(message: Message, { reason, leftOut }: SuppressionResult): Message {
  if (reason !== undefined) return { ...message, status: "suppressed", reason };
  if (leftOut.length === 0) return message;
  return { ...message, content: without(message.content, leftOut), note: { ...message.note, left_out: leftOut } };
}

/**
 * Returns the jobs that may still be handed over. This function ends the others as `suppressed`, fenced by their lease: since
 * they were queued their address was suppressed, or their person unsubscribed from the subscription or topic that they
 * respect. Jobs that a provider may have already (`undetermined`) are returned unchecked.
 */
export async function stillWanted(db: Db, claimed: Job[], now: Date): Promise<Job[]> {
  const jobs = claimed.filter((job) => !job.undetermined);
  if (jobs.length === 0) return claimed;
  const respecting = jobs.flatMap((job) => (job.respects ? [{ ...job, topicId: job.respects.topicId }] : []));
  const [results, unsubscribed] = await Promise.all([checkSuppressions(db, jobs), unsubscribedSince(db, respecting)]);
  const unwanted = new Map(respecting.map((job, i) => [job.deliveryId, unsubscribed[i]]));
  const kept = claimed.filter((job) => job.undetermined);
  const ended: { job: Job; reason: string }[] = [];
  jobs.forEach((job, i) => {
    const { reason = unwanted.get(job.deliveryId), leftOut = [] } = results[i] ?? {};
    if (reason !== undefined) ended.push({ job, reason });
    else kept.push(leftOut.length === 0 ? job : withoutCopies(job, job.content, leftOut));
  });
  if (ended.length > 0) await end(db, ended, now);
  return kept;
}

/** Returns the job with its content, which was too big to come with the claim, without the copies that are suppressed by now. */
export async function withLoadedContent(q: Queries, job: Job, content: Content | null): Promise<Job> {
  const loaded = { ...job, content };
  const [result] = await checkSuppressions(q, [{ ...loaded, recipient: null }]);
  return result && result.leftOut.length > 0 ? withoutCopies(job, content, result.leftOut) : loaded;
}

const withoutCopies = (job: Job, content: Content | null, leftOut: LeftOut[]): Job => ({
  ...job,
  content: content && without(content, leftOut),
  note: { left_out: leftOut },
});

function end(db: Db, ended: { job: Job; reason: string }[], now: Date): Promise<void> {
  return db.transaction(async (tx) => {
    const ours = await endSuppressed(tx, ended, now);
    await record(
      tx,
      ended
        .filter(({ job }) => ours.has(job.deliveryId))
        .map(({ job, reason }) => ({
          workspaceId: job.workspaceId,
          personKey: job.personKey,
          deliveryId: job.deliveryId,
          type: `${job.channel}.suppressed`,
          at: now,
          data: { reason },
        })),
    );
  });
}
