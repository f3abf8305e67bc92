import type { PushedChannel } from "@tidings/contract/messages/outbound";
import { assertAllowed, preview, testSend } from "../inapp/index.ts";
import { type Composed, type OutboundGround, queue } from "../outbound/index.ts";
import { findPeople, type Person } from "../people/index.ts";
import type { Queries, Tx } from "../platform/db/index.ts";
import type { Ground } from "../platform/ground.ts";
import { badField, Problem } from "../platform/http/index.ts";
import { newId } from "../platform/ids.ts";
import { chooser, type EditionOverrides } from "./content/editions.ts";
import { messageFor } from "./content/fixed.ts";
import { composedFor, type QueueContext, sourceFor, type WorkspaceSending } from "./recipients/queue.ts";
import { refusals } from "./recipients/refusals.ts";
import { wrongTags } from "./rules/locale.ts";
import type { Sending } from "./sending.ts";

/** The person to whom a sending is shown, and the edition if it is not that person's own. */
export interface TryOut extends EditionOverrides {
  personId: string;
}

/**
 * Renders a sending for a person, with its variant and locale and whether the person would be held out.
 * @throws Problem person_not_found, invalid_request for an unknown variant or a wrong locale, and problems of rendering
 */
export async function previewSending(ground: Ground, { workspace, sending }: WorkspaceSending, wanted: TryOut) {
  const { db } = ground;
  const person = await thePerson(db, workspace.id, wanted.personId);
  const { edition, heldOut } = chosen(sending, person, wanted);
  const which = { variant: edition.variant, locale: edition.locale, held_out: heldOut };
  if (sending.channel === "in_app") {
    const { id } = await messageFor(db, sending, edition);
    return { ...(await preview(db, workspace.id, id, { person_id: wanted.personId })), ...which };
  }
  const source = await sourceFor(db, { ...sending, channel: sending.channel }, edition);
  const to = { person, deliveryId: newId() };
  return { ...(await composedFor(ground, { workspace, sending }, to, { source, senderNeeded: false })), ...which };
}

/** @throws Problem invalid_request */
function chosen(sending: Sending, person: Person, wanted: TryOut) {
  const { variant, locale } = wanted;
  if (variant !== undefined && !sending.editions.variants?.some(({ name }) => name === variant))
    throw badField("/variant", `names no variant of this ${sending.source}`);
  const wrong = typeof locale === "string" ? wrongTags([locale.replaceAll("_", "-")]) : undefined;
  if (wrong && wrong.size > 0) throw badField("/locale", "is no language tag such as de or pt-BR");
  return chooser(sending)(person, wanted);
}

/**
 * Sends a sending to one person, who need not be in its audience and may be held out. Returns the delivery's id.
 * @throws Problem as previewSending, and in_app_disabled, recipient_missing
 */
export async function sendTest(
  tx: Tx,
  ground: OutboundGround,
  { workspace, sending, now }: QueueContext,
  wanted: TryOut,
): Promise<string> {
  const { channel } = sending;
  if (channel === "in_app") assertAllowed(workspace);
  const person = await thePerson(tx, workspace.id, wanted.personId);
  const { edition } = chosen(sending, person, wanted);
  if (channel === "in_app") {
    const { id } = await messageFor(tx, sending, edition);
    return testSend(tx, workspace, { messageId: id, input: { person_id: wanted.personId }, now });
  }
  // A test goes to the person even if they unsubscribed, but it needs an address.
  const [reason] = await refusals(tx, { ...sending, preference: "all" }, [{ person, edition }]);
  if (reason !== undefined)
    throw new Problem("recipient_missing", `The person has no address for ${channel}. Identify them with one first.`);
  const deliveryId = newId();
  const senderNeeded = channel === "email" && (await ground.senders.needsSender(workspace.id));
  const source = await sourceFor(tx, { ...sending, channel }, edition);
  const composed = await composedFor(ground, { workspace, sending }, { person, deliveryId }, { source, senderNeeded });
  return queueTest(tx, ground, { person, deliveryId, channel, composed, now });
}

interface TestDelivery {
  person: Person;
  deliveryId: string;
  channel: PushedChannel;
  composed: Composed;
  now: Date;
}

/** Queues a message that counts as a test. Returns the delivery's id. */
export async function queueTest(
  tx: Tx,
  ground: OutboundGround,
  { person, deliveryId, channel, composed, now }: TestDelivery,
): Promise<string> {
  await queue(tx, ground, [
    {
      workspaceId: person.workspace_id,
      personKey: person.person_key,
      deliveryId,
      channel,
      source: "test",
      sourceId: null,
      ...composed,
      status: "queued",
      queuedAt: now,
      retainContent: true,
      note: { source: "test" },
    },
  ]);
  return deliveryId;
}

/** @throws Problem person_not_found */
export async function thePerson(q: Queries, workspaceId: string, personId: string): Promise<Person> {
  const [person] = await findPeople(q, [{ workspaceId, id: personId }]);
  if (!person)
    throw new Problem("person_not_found", "The workspace knows no person with this person_id. Identify first.");
  return person;
}
