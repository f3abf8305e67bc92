import { type Entry, record } from "../../activity/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import type { Ground } from "../../platform/ground.ts";
import { derivedId } from "../../platform/ids.ts";
import { mailbox } from "../../platform/mailbox.ts";
import { suppress } from "../../subscriptions/index.ts";
import { logText } from "../message/message.ts";
import { applyFeedback, type FeedbackChange, lockPushed, type PushedDelivery } from "./feedback-store.ts";
import type { PlacedDelivery } from "./places-store.ts";
import { afterReport, type FeedbackKind, JUST_SENT, type Report } from "./rules.ts";

/** One report about a delivery that was handed over. */
export interface Feedback extends Report, PlacedDelivery {
  workspaceId: string;
  /** The open or click of a program and not of a person: a proxy that fetches ahead, a scanner. */
  machine?: boolean;
  /** The address that it is about, which may be that of a copy. Without it, the delivery's own recipient. */
  recipient?: string | undefined;
  /** Believed only of the delivery's own recipient, because the source has not proven to be the provider. */
  ownOnly?: boolean;
  /** In the words of the source. */
  reason?: string | undefined;
  /** Distinguishes two opens, clicks or soft bounces; without it their times do. All others count once anyhow. */
  eventId?: string | undefined;
  /** The kind of provider that reports it. */
  source?: string;
  data?: Record<string, unknown>;
}

/** The result of one item. */
export interface FeedbackResult {
  delivery: PushedDelivery;
  /** It was not reported before. */
  fresh: boolean;
  /** It is about the reader of a copy. */
  copy: boolean;
}

/**
 * The one entrance for reports about deliveries after they were handed over: providers' callbacks, bounce mails, opens, clicks
 * and unsubscribes. Inside the caller's transaction it updates the rows (rules.ts), logs each item once as `<channel>.<kind>`,
 * and puts addresses that bounced for good or complained on the suppression list. A repeated item, also from another
 * callback, changes nothing.
 * @returns a result for each item; undefined where the workspace does not have the delivery
 */
export async function feedback(tx: Tx, ground: Ground, items: Feedback[]): Promise<(FeedbackResult | undefined)[]> {
  if (items.length === 0) return [];
  const now = ground.clock.now();
  const deliveries = new Map<string, PushedDelivery>();
  for (const row of await lockPushed(tx, items)) deliveries.set(`${row.workspace_id} ${row.id}`, row);
  const matched = items.map((item) => {
    const delivery = deliveries.get(`${item.workspaceId} ${item.deliveryId}`);
    if (!delivery) return undefined;
    const at = item.at > now || Number.isNaN(item.at.getTime()) ? now : item.at;
    const copy = item.recipient !== undefined && !isRecipient(delivery, item.recipient);
    if (copy && item.ownOnly) return undefined;
    const copyOf = copy ? bare(delivery, item.recipient as string) : "";
    return { item: { ...item, at }, delivery, copy, id: idOf(item, copyOf) };
  });
  const matches = matched.filter((match) => match !== undefined);
  const freshIds = await record(tx, matches.map(entryOf));
  const fresh = matches.filter(({ id }) => freshIds.has(id));
  await applyFeedback(tx, changesOf(fresh), now);
  await suppress(tx, fresh.flatMap(suppressionOf), now);
  return matched.map((match) => match && { delivery: match.delivery, copy: match.copy, fresh: freshIds.has(match.id) });
}

interface Match {
  item: Feedback;
  delivery: PushedDelivery;
  /** It is about the reader of a copy: the delivery itself does not change. */
  copy: boolean;
  /** Of the log entry: a repeated item has the same id. */
  id: string;
}

/** These happen once to a delivery and recipient, whichever source reports them. */
const ONCE = new Set<FeedbackKind>(["delivered", "complained", "failed", "unsubscribed"]);

function idOf({ deliveryId, kind, permanent, at, eventId }: Feedback, copyOf: string): string {
  const once = ONCE.has(kind) || (kind === "bounced" && permanent === true);
  const which = once ? String(permanent === true) : (eventId ?? String(at.getTime()));
  return derivedId("feedback", deliveryId, kind, copyOf, which);
}

/** Returns the address alone, in a form that can be compared. */
const bare = ({ channel }: PushedDelivery, text: string): string =>
  ((channel === "email" && mailbox(text)?.address) || text).toLowerCase();

const isRecipient = (delivery: PushedDelivery, address: string): boolean =>
  delivery.recipient !== null && bare(delivery, delivery.recipient) === bare(delivery, address);

const entryOf = ({ item, delivery, copy, id }: Match): Entry => ({
  id,
  workspaceId: item.workspaceId,
  personKey: delivery.person_key,
  deliveryId: item.deliveryId,
  type: `${delivery.channel}.${item.kind}`,
  at: item.at,
  data: {
    ...item.data,
    ...(item.reason !== undefined && { reason: logText(item.reason) }),
    ...(item.kind === "bounced" && { permanent: item.permanent === true }),
    ...(item.machine !== undefined && { machine: item.machine }),
    ...(copy && { copy: true, recipient: logText(item.recipient ?? "") }),
    ...(item.source !== undefined && { source: item.source }),
  },
});

/** Returns one change for each delivery, for all its items together. Opens and clicks of machines do not count. */
function changesOf(fresh: Match[]): FeedbackChange[] {
  const changes = new Map<string, FeedbackChange>();
  for (const { item, delivery, copy } of fresh) {
    if (copy || (item.machine && (item.kind === "opened" || item.kind === "clicked"))) continue;
    const change = changes.get(delivery.id) ?? {
      personKey: delivery.person_key,
      deliveryId: delivery.id,
      state: JUST_SENT,
      reason: null,
    };
    const state = afterReport(change.state, item);
    const advanced = state.status !== change.state.status;
    const reason = advanced && item.reason !== undefined ? logText(item.reason) : change.reason;
    changes.set(delivery.id, { ...change, state, reason });
  }
  return [...changes.values()].sort((a, b) => (a.deliveryId < b.deliveryId ? -1 : 1));
}

/** Returns the suppression that follows from a complaint or a permanent bounce, or an empty list. */
function suppressionOf({ item, delivery }: Match) {
  const dead = item.kind === "bounced" && item.permanent === true;
  const reason = item.kind === "complained" ? ("complaint" as const) : dead ? ("hard_bounce" as const) : undefined;
  const text = item.recipient ?? delivery.recipient;
  if (reason === undefined || text === null || delivery.channel === "push") return [];
  const { workspaceId, source = "feedback" } = item;
  return [{ workspaceId, channel: delivery.channel, address: bare(delivery, text), reason, source }];
}
