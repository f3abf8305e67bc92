import type { Cause } from "../../content/index.ts";
import { findPeople, type Person, personView } from "../../people/index.ts";
import type { Queries, Tx } from "../../platform/db/index.ts";
import { notFound, Problem } from "../../platform/http/index.ts";
import { encodeId, newId } from "../../platform/ids.ts";
import type { Workspace } from "../../workspaces/index.ts";
import { type MessageRow, messageById } from "../definition/definition-store.ts";
import { render } from "../definition/render.ts";
import { compileVersion, contentOf, ctasOf, persistenceOf } from "../definition/version.ts";
import { assertAllowed, queue } from "./queue.ts";

/**
 * Renders a message for a known person, for given attributes, or for the person with the given attributes on top.
 * @throws Problem not_found, person_not_found, template_error
 */
export async function preview(
  q: Queries,
  workspaceId: string,
  id: string,
  input: { person_id?: string; person?: Record<string, unknown> } & Partial<Cause>,
) {
  const { person_id, person, ...cause } = input;
  const row = await requireMessage(q, workspaceId, id);
  const known = person_id === undefined ? {} : personView(await requirePerson(q, workspaceId, person_id));
  const version = compileVersion(row.id, row.version, row.definition);
  const { content, leftOut } = await render(version, {
    person: { ...known, ...person },
    ...cause,
    trigger: cause.trigger ?? {},
    turn: { workspaceId, kind: "preview" },
  });
  const { definition } = row;
  return {
    message_id: encodeId("msg", row.id),
    render_type: definition.render_type,
    priority: definition.priority,
    content: contentOf(content),
    ctas: ctasOf(definition, content.cta_value),
    persistence: persistenceOf(definition),
    left_out: leftOut,
  };
}

/**
 * Queues a message to one person and returns the delivery's id. A message that can't be rendered throws, so that the author sees
 * why at once and no failed delivery is left.
 * @throws Problem in_app_disabled, not_found, person_not_found, template_error
 */
export async function testSend(
  tx: Tx,
  workspace: Workspace,
  {
    messageId,
    input,
    now,
  }: { messageId: string; input: { person_id: string; trigger?: Record<string, unknown> }; now: Date },
): Promise<string> {
  assertAllowed(workspace);
  const row = await requireMessage(tx, workspace.id, messageId);
  const person = await requirePerson(tx, workspace.id, input.person_id);
  const deliveryId = newId();
  const [queued] = await queue(tx, workspace, {
    source: "test",
    sourceId: row.id,
    messageId: row.id,
    version: row.version,
    recipients: [{ deliveryId, person, ...(input.trigger && { cause: { trigger: input.trigger } }) }],
    now,
  });
  if (queued?.status === "failed") throw new Problem("template_error", queued.reason ?? "It can't be rendered.");
  return deliveryId;
}

async function requireMessage(q: Queries, workspaceId: string, id: string): Promise<MessageRow> {
  const row = await messageById(q, workspaceId, id);
  if (!row) throw notFound("in-app message");
  return row;
}

async function requirePerson(q: Queries, workspaceId: string, personId: string): Promise<Person> {
  const [person] = await findPeople(q, [{ workspaceId, id: personId }]);
  if (!person)
    throw new Problem("person_not_found", "The workspace knows no person with this person_id. Identify first.");
  return person;
}
