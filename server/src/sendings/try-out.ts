import { assertAllowed, preview, testSend } from "../inapp/index.ts";
import { type OutboundGround, queue } from "../outbound/index.ts";
import { findPeople, type Person } from "../people/index.ts";
import type { Queries, Tx } from "../platform/db/index.ts";
import type { Ground } from "../platform/ground.ts";
import { badField, Problem } from "../platform/http/index.ts";
import { newId } from "../platform/ids.ts";
import { type As, chooser } from "./content/editions.ts";
import { messageFor } from "./content/fixed.ts";
import { composedFor, type Queueing, sourceFor } from "./recipients/queue.ts";
import { refusals } from "./recipients/refusals.ts";
import { wrongTags } from "./rules/locale.ts";
import type { Sending } from "./sending.ts";

/** Whom it is shown to, and as whom. */
export interface TryOut extends As {
  personId: string;
}

/** A workspace's sending that is tried out. */
type Tried = Pick<Queueing, "workspace" | "sending">;

/**
 * How a sending comes out for a person: which variant in which language, and whether they would be held out.
 * @throws Problem person_not_found, invalid_request for a variant or a locale that is none, and what can't be made for this person
 */
export async function previewOf(ground: Ground, { workspace, sending }: Tried, wanted: TryOut) {
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
  if (variant !== undefined && !sending.saying.variants?.some(({ name }) => name === variant))
    throw badField("/variant", `names no variant of this ${sending.source}`);
  const wrong = typeof locale === "string" ? wrongTags([locale.replaceAll("_", "-")]) : undefined;
  if (wrong && wrong.size > 0) throw badField("/locale", "is no language tag such as de or pt-BR");
  return chooser(sending)(person, wanted);
}

/**
 * Sends a sending to one person, whether it is meant for them or not, held out or not. Returns the delivery's id.
 * @throws Problem as previewOf, and in_app_disabled, recipient_missing
 */
export async function testOf(
  tx: Tx,
  ground: OutboundGround,
  { workspace, sending, now }: Queueing,
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
  // Whoever asks for a test wants it, subscribed or not; an address is needed all the same.
  const [reason] = await refusals(tx, { ...sending, preference: "all" }, [{ person, edition }]);
  if (reason !== undefined)
    throw new Problem("recipient_missing", `The person has no address for ${channel}. Identify them with one first.`);
  const deliveryId = newId();
  const senderNeeded = channel === "email" && (await ground.senders.needsSender(workspace.id));
  const source = await sourceFor(tx, { ...sending, channel }, edition);
  const composed = await composedFor(ground, { workspace, sending }, { person, deliveryId }, { source, senderNeeded });
  await queue(tx, ground, [
    {
      workspaceId: workspace.id,
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

async function thePerson(q: Queries, workspaceId: string, personId: string): Promise<Person> {
  const [person] = await findPeople(q, [{ workspaceId, id: personId }]);
  if (!person)
    throw new Problem("person_not_found", "The workspace knows no person with this person_id. Identify first.");
  return person;
}
