import { assertAllowed, preview } from "../inapp/index.ts";
import type { OutboundGround } from "../outbound/index.ts";
import { type Person, personView, tokensOf } from "../people/index.ts";
import type { Queries } from "../platform/db/index.ts";
import { Problem } from "../platform/http/index.ts";
import { atMost } from "../platform/limits/at-most.ts";
import { mayReceive, suppressed } from "../subscriptions/index.ts";
import { type Choice, chooser, type Edition, messageIdOf } from "./content/editions.ts";
import { fixVersions } from "./content/fixed.ts";
import type { AskHeld } from "./limits/limits.ts";
import { applyLimits } from "./recipients/held.ts";
import { composedFor, type Recipient, sourceFor, type WorkspaceSending } from "./recipients/queue.ts";
import { isReachable, refusals, subscriptionAsk } from "./recipients/refusals.ts";
import type { Held } from "./rules/limits.ts";
import type { Sending } from "./sending.ts";

// Tells what a sending would send to people, without queueing it: by the rules of `queueTo`, in the same order, with the same reasons.

export type RehearsalRecipient = Pick<Recipient, "deliveryId" | "person" | "cause">;

/** What a person would get. */
export interface Rehearsed {
  variant: string | null;
  locale: string | null;
  /** A held-out person gets no delivery. */
  heldOut: boolean;
  /** The workspace's limits hold the message back, and it is sent later. */
  held?: Held | undefined;
  /** The in-app message. */
  messageId: string | null;
  /** Why the delivery would fail or be suppressed; undefined where it would be queued. */
  failed?: string | undefined;
  /** The address that it goes to, and its rendered content. */
  recipient?: string;
  content?: object | undefined;
}

/** Who is held back by the workspace's limits, and when it is asked. */
export interface RehearsalLimits {
  heldBack: AskHeld;
  now: Date;
}

export interface RehearsalContext extends WorkspaceSending, RehearsalLimits {
  q: Queries;
  ground: OutboundGround;
  /** Whether the people are made up: then they have devices for push. */
  madeUp: boolean;
}

/** How many messages are rendered at once. */
const RENDERS = 4;

/** Returns what each of these people would get. @throws Problem in_app_disabled, content_missing, template_not_found, as queueing does */
export async function rehearse(context: RehearsalContext, recipients: RehearsalRecipient[]): Promise<Rehearsed[]> {
  const { q, workspace, madeUp } = context;
  if (context.sending.channel === "in_app") assertAllowed(workspace);
  const editions = await fixVersions(q, context.sending, context.sending.editions);
  const sending = { ...context.sending, editions };
  const choose = chooser(sending);
  const chosen = recipients.map((one) => ({ ...one, ...choose(one.person) }));
  const meant = chosen.filter(({ heldOut }) => !heldOut);
  const reasons = await refusals(q, sending, meant, madeUp);
  const refused = new Map(meant.map((one, i) => [one, reasons[i]]));
  const results = await atMost(
    RENDERS,
    await beforeContent(context, sending, chosen, (one) => refused.get(one)),
    async ({ one, result }): Promise<Rehearsed> =>
      isSent(result) ? { ...result, ...(await rendered({ ...context, sending }, one, one.edition)) } : result,
  );
  return withSuppressions(q, sending, results);
}

type Chosen = RehearsalRecipient & Choice;

/** Whether a message is left for its content, after the holdout, the refusals and the limits. */
const isSent = ({ heldOut, held, failed }: Rehearsed): boolean => !heldOut && !held && failed === undefined;

/** Returns what is known of each recipient before a message has its content: the edition, the refusal, and what the limits say. */
async function beforeContent<T extends Chosen>(
  { heldBack, now }: RehearsalLimits,
  sending: Sending,
  chosen: T[],
  refusalOf: (one: T) => string | undefined,
): Promise<{ one: T; result: Rehearsed }[]> {
  const meant = chosen.filter(({ heldOut }) => !heldOut).map((one) => ({ ...one, refused: refusalOf(one) }));
  const { left, moved } = await applyLimits(heldBack, sending, meant, now);
  const refused = new Map(left.map((one) => [one.deliveryId, one.refused]));
  return chosen.map((one) => {
    const { edition, heldOut, deliveryId } = one;
    const base = { variant: edition.variant, locale: edition.locale, heldOut, messageId: messageIdOf(edition) ?? null };
    const held = moved.get(deliveryId);
    const failed = refused.get(deliveryId);
    return { one, result: { ...base, ...(held && { held }), ...(failed !== undefined && { failed }) } };
  });
}

type Pushed = Pick<Rehearsed, "recipient" | "content" | "failed">;

/** Renders a message for one person. A content that can't be rendered fails for this person, as it does when it is queued. */
async function rendered(context: RehearsalContext, to: RehearsalRecipient, edition: Edition): Promise<Pushed> {
  const { q, ground, workspace, sending } = context;
  const { channel } = sending;
  try {
    if (channel === "in_app") {
      const person = personView(to.person);
      return { content: await preview(q, workspace.id, messageIdOf(edition) ?? "", { person, ...to.cause }) };
    }
    const senderNeeded = channel === "email" && (await ground.senders.needsSender(workspace.id));
    const source = await sourceFor(q, { ...sending, channel }, edition);
    return await composedFor(ground, { workspace, sending }, to, { source, senderNeeded });
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500 || error.code === "busy") throw error;
    return { failed: error.message };
  }
}

/** Adds the reason of the suppression list to the results whose address is on it. */
async function withSuppressions(
  q: Queries,
  { workspaceId, channel }: Sending,
  results: Rehearsed[],
): Promise<Rehearsed[]> {
  if (channel !== "email" && channel !== "sms") return results;
  const sent = results.filter(({ failed, recipient }) => failed === undefined && recipient !== undefined);
  const entries = await suppressed(
    q,
    sent.map(({ recipient = "" }) => ({ workspaceId, channel, address: recipient })),
  );
  const reasons = new Map(sent.map((one, i) => [one, entries[i]?.reason]));
  return results.map((one) => {
    const reason = reasons.get(one);
    return reason === undefined ? one : { ...one, failed: reason, content: undefined };
  });
}

/**
 * Reads once what decides about a sending for all of these people. Returns the function that tells what some of them would get at a time, without
 * rendering: no content fails.
 */
export async function rehearseAhead(
  q: Queries,
  sending: Sending,
  people: Person[],
): Promise<(limits: RehearsalLimits, recipients: RehearsalRecipient[]) => Promise<Rehearsed[]>> {
  const { workspaceId, channel } = sending;
  const ask = await subscriptionAsk(q, sending);
  const keys = people.map((person) => person.person_key);
  const devices = new Set(channel === "push" ? (await tokensOf(q, keys)).map((device) => device.person_key) : []);
  const listed = new Map<string, string>();
  if (channel === "email" || channel === "sms") {
    const addresses = people.flatMap((person) => addressOf(channel, person) ?? []);
    const entries = await suppressed(
      q,
      addresses.map((address) => ({ workspaceId, channel, address })),
    );
    for (const [i, entry] of entries.entries()) if (entry) listed.set(addresses[i] ?? "", entry.reason);
  }
  const choose = chooser(sending);
  const refusalOf = ({ person, edition }: Chosen): string | undefined => {
    const isReached = isReachable(sending, { person, edition }, devices.has(person.person_key) ? 1 : 0);
    return mayReceive(person, ask) ?? (isReached ? undefined : "no_address");
  };
  return async (limits, recipients) => {
    const chosen = recipients.map((one) => ({ ...one, ...choose(one.person) }));
    return (await beforeContent(limits, sending, chosen, refusalOf)).map(({ one: { person }, result }) => {
      const suppressedBy = isSent(result) ? listed.get(addressOf(channel, person) ?? "") : undefined;
      return suppressedBy === undefined ? result : { ...result, failed: suppressedBy };
    });
  };
}

const addressOf = (channel: Sending["channel"], { email, phone }: Person): string | null =>
  channel === "email" ? email : channel === "sms" ? phone : null;
