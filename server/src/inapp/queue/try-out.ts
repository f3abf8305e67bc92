import type { InAppDefinition, InAppMessageInput } from "@tidings/contract/inapp/definition";
import type { Cause } from "../../content/index.ts";
import { findPeople, type Person, personView } from "../../people/index.ts";
import type { Queries, Tx } from "../../platform/db/index.ts";
import { notFound, Problem } from "../../platform/http/index.ts";
import { encodeId, newId } from "../../platform/ids.ts";
import type { Workspace } from "../../workspaces/index.ts";
import { type MessageRow, messageById } from "../definition/definition-store.ts";
import { readDefinition } from "../definition/definition.ts";
import { render } from "../definition/render.ts";
import { compileVersion, contentOf, ctasOf, persistenceOf } from "../definition/version.ts";
import { assertAllowed, queue } from "./queue.ts";

/** For whom a preview is: a known person, given attributes, or the person with the given attributes on top. */
type PreviewFor = { person_id?: string; person?: Record<string, unknown> } & Partial<Cause>;

/** Renders a saved message. @throws Problem not_found, person_not_found, template_error */
export async function preview(q: Queries, workspaceId: string, id: string, input: PreviewFor) {
  const row = await requireMessage(q, workspaceId, id);
  return { message_id: encodeId("msg", row.id), ...(await rendered(q, workspaceId, row, input)) };
}

/** Renders a message that is not saved, by the rules of one that is. @throws Problem invalid_request, person_not_found, template_error */
export async function previewDraft(
  q: Queries,
  workspace: Workspace,
  { message, ...input }: PreviewFor & { message: InAppMessageInput },
) {
  const definition = draftOf(message, workspace);
  return rendered(q, workspace.id, { id: newId(), version: 0, definition }, input);
}

/** Reads a definition that is a field of the body: its problems name their place there. */
function draftOf(message: InAppMessageInput, workspace: Workspace): InAppDefinition {
  try {
    return readDefinition(message, workspace.quiet_defaults);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const errors = error.options.errors?.map(({ pointer = "", ...rest }) => ({
      ...rest,
      pointer: `/message${pointer}`,
    }));
    throw new Problem(error.code, error.message, { ...error.options, ...(errors && { errors }) });
  }
}

async function rendered(
  q: Queries,
  workspaceId: string,
  { id, version: number, definition }: { id: string; version: number; definition: InAppDefinition },
  { person_id, person, ...cause }: PreviewFor,
) {
  const known = person_id === undefined ? {} : personView(await requirePerson(q, workspaceId, person_id));
  const version = compileVersion(id, number, definition);
  const { content, leftOut } = await render(version, {
    person: { ...known, ...person },
    ...cause,
    trigger: cause.trigger ?? {},
    turn: { workspaceId, kind: "preview" },
  });
  return {
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
