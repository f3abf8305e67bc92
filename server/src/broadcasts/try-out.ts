import { preview, testSend } from "../inapp/index.ts";
import { queue } from "../outbound/index.ts";
import { findPeople, type Person } from "../people/index.ts";
import type { Queries, Tx } from "../platform/db/index.ts";
import type { Ground } from "../platform/ground.ts";
import { Problem } from "../platform/http/index.ts";
import { newId } from "../platform/ids.ts";
import type { Workspace } from "../workspaces/index.ts";
import { messageFor } from "./broadcast.ts";
import { filled } from "./content.ts";
import { composedFor, refusals, senders } from "./recipients.ts";
import type { BroadcastRow } from "./store.ts";

/** How a broadcast comes out for a person. @throws Problem person_not_found, and what can't be made for this person */
export async function previewOf(ground: Ground, workspace: Workspace, row: BroadcastRow, personId: string) {
  const { db } = ground;
  if (row.channel === "in_app")
    return preview(db, workspace.id, (await messageFor(db, row)).id, { person_id: personId });
  const person = await thePerson(db, workspace.id, personId);
  return { ...(await composedAs(db, ground, workspace, row, { person, deliveryId: newId() }, false)) };
}

/**
 * Sends a broadcast to one person, whether in the audience or not, and gives the delivery's id.
 * @throws Problem person_not_found, in_app_disabled, recipient_missing, and what can't be made for this person
 */
export async function testOf(
  tx: Tx,
  ground: Ground,
  workspace: Workspace,
  row: BroadcastRow,
  personId: string,
  now: Date,
): Promise<string> {
  const { channel } = row;
  if (channel === "in_app")
    return testSend(tx, workspace, (await messageFor(tx, row)).id, { person_id: personId }, now);
  const person = await thePerson(tx, workspace.id, personId);
  // Whoever asks for a test wants it, subscribed or not; an address is needed all the same.
  const [reason] = await refusals(tx, { ...row, subscription_preference: "all" }, [person]);
  if (reason !== undefined)
    throw new Problem("recipient_missing", `The person has no address for ${channel}. Identify them with one first.`);
  const deliveryId = newId();
  const senderNeeded = channel === "email" && (await senders(ground)(workspace.id));
  const composed = await composedAs(tx, ground, workspace, row, { person, deliveryId }, senderNeeded);
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
  recipient: { person: Person; deliveryId: string },
  senderNeeded: boolean,
) {
  const content = await filled(q, workspace.id, row.content ?? {});
  return composedFor(ground, workspace, { ...row, content }, recipient, senderNeeded);
}

async function thePerson(q: Queries, workspaceId: string, personId: string): Promise<Person> {
  const [person] = await findPeople(q, [{ workspaceId, id: personId }]);
  if (!person)
    throw new Problem("person_not_found", "The workspace knows no person with this person_id. Identify first.");
  return person;
}
