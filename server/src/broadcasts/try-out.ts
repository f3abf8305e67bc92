import { assertAllowed, preview, testSend } from "../inapp/index.ts";
import { type OutboundGround, queue } from "../outbound/index.ts";
import { findPeople, type Person } from "../people/index.ts";
import type { Queries, Tx } from "../platform/db/index.ts";
import type { Ground } from "../platform/ground.ts";
import { badField, Problem } from "../platform/http/index.ts";
import { newId } from "../platform/ids.ts";
import type { Workspace } from "../workspaces/index.ts";
import { messageFor } from "./broadcast.ts";
import { filled } from "./content.ts";
import { type As, chooser } from "./editions.ts";
import { type Asked, composedFor, refusals } from "./recipients.ts";
import { wrongTags } from "./rules/locale.ts";
import type { BroadcastRow } from "./store.ts";

/** Whom it is shown to, and as whom. */
export interface TryOut extends As {
  personId: string;
}

/**
 * How a broadcast comes out for a person: which variant in which language, and whether they would be held out.
 * @throws Problem person_not_found, invalid_request for a variant or a locale that is none, and what can't be made for this person
 */
export async function previewOf(ground: Ground, workspace: Workspace, row: BroadcastRow, wanted: TryOut) {
  const { db } = ground;
  const person = await thePerson(db, workspace.id, wanted.personId);
  const { edition, heldOut } = chosen(row, person, wanted);
  const which = { variant: edition.variant, locale: edition.locale, held_out: heldOut };
  if (row.channel === "in_app") {
    const { id } = await messageFor(db, workspace.id, edition);
    return { ...(await preview(db, workspace.id, id, { person_id: wanted.personId })), ...which };
  }
  const to = { person, edition, deliveryId: newId() };
  return { ...(await composedAs(db, ground, workspace, row, to, false)), ...which };
}

/** @throws Problem invalid_request */
function chosen(row: BroadcastRow, person: Person, wanted: TryOut) {
  const { variant, locale } = wanted;
  if (variant !== undefined && !row.variants?.some(({ name }) => name === variant))
    throw badField("/variant", "names no variant of this broadcast");
  const wrong = typeof locale === "string" ? wrongTags([locale.replaceAll("_", "-")]) : undefined;
  if (wrong && wrong.size > 0) throw badField("/locale", "is no language tag such as de or pt-BR");
  return chooser(row)(person, wanted);
}

/**
 * Sends a broadcast to one person, whether in the audience or not, held out or not, and gives the delivery's id.
 * @throws Problem as previewOf, and in_app_disabled, recipient_missing
 */
export async function testOf(
  tx: Tx,
  ground: OutboundGround,
  workspace: Workspace,
  row: BroadcastRow,
  wanted: TryOut,
  now: Date,
): Promise<string> {
  const { channel } = row;
  if (channel === "in_app") assertAllowed(workspace);
  const person = await thePerson(tx, workspace.id, wanted.personId);
  const { edition } = chosen(row, person, wanted);
  if (channel === "in_app") {
    const { id } = await messageFor(tx, workspace.id, edition);
    return testSend(tx, workspace, id, { person_id: wanted.personId }, now);
  }
  // Whoever asks for a test wants it, subscribed or not; an address is needed all the same.
  const [reason] = await refusals(tx, { ...row, subscription_preference: "all" }, [{ person, edition }]);
  if (reason !== undefined)
    throw new Problem("recipient_missing", `The person has no address for ${channel}. Identify them with one first.`);
  const deliveryId = newId();
  const senderNeeded = channel === "email" && (await ground.senders.needsSender(workspace.id));
  const composed = await composedAs(tx, ground, workspace, row, { person, edition, deliveryId }, senderNeeded);
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

async function composedAs(
  q: Queries,
  ground: Ground,
  workspace: Workspace,
  row: BroadcastRow,
  recipient: Asked & { deliveryId: string },
  senderNeeded: boolean,
) {
  const content = await filled(q, workspace.id, recipient.edition.said.content ?? {});
  return composedFor(ground, workspace, row, recipient, { content, senderNeeded });
}

async function thePerson(q: Queries, workspaceId: string, personId: string): Promise<Person> {
  const [person] = await findPeople(q, [{ workspaceId, id: personId }]);
  if (!person)
    throw new Problem("person_not_found", "The workspace knows no person with this person_id. Identify first.");
  return person;
}
