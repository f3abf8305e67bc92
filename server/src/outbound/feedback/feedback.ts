import { type Entry, record } from "../../activity/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import type { Ground } from "../../platform/ground.ts";
import { derivedId } from "../../platform/ids.ts";
import { mailbox } from "../../platform/mailbox.ts";
import { suppress } from "../../subscriptions/index.ts";
import { logText } from "../message/log-text.ts";
import { type Change, lift, type Subject, subjectsOf } from "./feedback-store.ts";
import { type FeedbackKind, JUST_SENT, type Report, told } from "./rules.ts";

/** One thing that is told of a delivery that was sent. */
export interface Feedback extends Report {
  workspaceId: string;
  deliveryId: string;
  /** Opened by a program and not by a person: a proxy that fetches ahead, a scanner. */
  machine?: boolean;
  /** Whom it is about where that may be a copy. The delivery's own recipient unless given. */
  recipient?: string | undefined;
  /** Not believed of anybody but the delivery's own recipient: who tells has not proven to be the provider. */
  ownOnly?: boolean;
  /** In the words of who tells. */
  reason?: string | undefined;
  /** What tells two opens, clicks or soft bounces apart; their time unless given. All others count once anyhow. */
  eventId?: string | undefined;
  /** Who tells: the kind of provider. */
  source?: string;
  data?: Record<string, unknown>;
}

/** What became of one item: whose it is, and whether it was new. */
export interface Heard {
  subject: Subject;
  fresh: boolean;
  /** It is about one who got a copy. */
  copy: boolean;
}

/**
 * The one door for what is told of deliveries after they were sent: providers' callbacks, bounce mails, opens, clicks and
 * unsubscribes. Inside the caller's transaction it lifts the rows (rules/feedback.ts), logs each once as `<channel>.<kind>`,
 * and puts addresses that bounced for good or complained on the suppression list. An item told again, also by another
 * callback, changes nothing. Gives what was heard of each item, undefined for a delivery that the workspace does not have.
 */
export async function feedback(tx: Tx, ground: Ground, items: Feedback[]): Promise<(Heard | undefined)[]> {
  if (items.length === 0) return [];
  const now = ground.clock.now();
  const subjects = new Map<string, Subject>();
  for (const row of await subjectsOf(tx, items)) subjects.set(`${row.workspace_id} ${row.id}`, row);
  const matched = items.map((item) => {
    const subject = subjects.get(`${item.workspaceId} ${item.deliveryId}`);
    if (!subject) return undefined;
    const at = item.at > now || Number.isNaN(item.at.getTime()) ? now : item.at;
    const copy = item.recipient !== undefined && !same(subject, item.recipient);
    if (copy && item.ownOnly) return undefined;
    const whom = copy ? bare(subject, item.recipient as string) : "";
    return { item: { ...item, at }, subject, copy, id: idOf(item, whom) };
  });
  const found = matched.filter((match) => match !== undefined);
  const fresh = await record(tx, found.map(entryOf));
  const news = found.filter(({ id }) => fresh.has(id));
  await lift(tx, changesOf(news), now);
  await suppress(tx, news.flatMap(suppressionOf), now);
  return matched.map((match) => match && { subject: match.subject, copy: match.copy, fresh: fresh.has(match.id) });
}

interface Match {
  item: Feedback;
  subject: Subject;
  /** It is about one who got a copy: the delivery itself is as it was. */
  copy: boolean;
  id: string;
}

/** Told by whom so ever, this happens once to a delivery and recipient. */
const ONCE = new Set<FeedbackKind>(["delivered", "complained", "failed", "unsubscribed"]);

function idOf({ deliveryId, kind, permanent, at, eventId }: Feedback, whom: string): string {
  const once = ONCE.has(kind) || (kind === "bounced" && permanent === true);
  const which = once ? String(permanent === true) : (eventId ?? String(at.getTime()));
  return derivedId("feedback", deliveryId, kind, whom, which);
}

/** An address alone, as the two sides of a comparison. */
const bare = ({ channel }: Subject, text: string): string =>
  ((channel === "email" && mailbox(text)?.address) || text).toLowerCase();

const same = (subject: Subject, other: string): boolean =>
  subject.recipient !== null && bare(subject, subject.recipient) === bare(subject, other);

const entryOf = ({ item, subject, copy, id }: Match): Entry => ({
  id,
  workspaceId: item.workspaceId,
  personKey: subject.person_key,
  deliveryId: item.deliveryId,
  type: `${subject.channel}.${item.kind}`,
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

/** One change a delivery, whatever their number. A machine's open is no open. */
function changesOf(news: Match[]): Change[] {
  const changes = new Map<string, Change>();
  for (const { item, subject, copy } of news) {
    if (copy || (item.machine && (item.kind === "opened" || item.kind === "clicked"))) continue;
    const change = changes.get(subject.id) ?? {
      personKey: subject.person_key,
      deliveryId: subject.id,
      fate: JUST_SENT,
      reason: null,
    };
    const fate = told(change.fate, item);
    const climbed = fate.height !== change.fate.height;
    const reason = climbed && item.reason !== undefined ? logText(item.reason) : change.reason;
    changes.set(subject.id, { ...change, fate, reason });
  }
  return [...changes.values()].sort((a, b) => (a.deliveryId < b.deliveryId ? -1 : 1));
}

/** The address that gets nothing more, where that is what was told. */
function suppressionOf({ item, subject }: Match) {
  const dead = item.kind === "bounced" && item.permanent === true;
  const reason = item.kind === "complained" ? ("complaint" as const) : dead ? ("hard_bounce" as const) : undefined;
  const text = item.recipient ?? subject.recipient;
  if (reason === undefined || text === null || subject.channel === "push") return [];
  const { workspaceId, source = "feedback" } = item;
  return [{ workspaceId, channel: subject.channel, address: bare(subject, text), reason, source }];
}
