import { record } from "../activity/index.ts";
import { type Person, personView } from "../people/index.ts";
import { atMost } from "../platform/at-most.ts";
import type { Tx } from "../platform/db/index.ts";
import { notFound, Problem } from "../platform/http/index.ts";
import type { Workspace } from "../workspaces/index.ts";
import { render } from "./render.ts";
import { expiryOf } from "./rules/persistence.ts";
import { insertDeliveries, type NewDelivery } from "./store.ts";
import { knownVersion, loadVersions, type Version } from "./version.ts";

/** Signal that carries "person_key:delivery_id" of what was just queued. */
export const QUEUED = "inapp.queued";

/** Renders at once. Heavy ones wait for a thread, and when 100 wait all others are refused, those of requests too. */
const RENDERS = 8;

export interface Recipient {
  /** Derived from the cause (broadcast or campaign run and step, and the person), or a fresh id for a test. */
  deliveryId: string;
  person: Person;
  /** What `{{trigger.*}}` sees. */
  trigger?: Record<string, unknown>;
  /** Why this person gets nothing: the delivery is there, failed with this reason, so that every recipient is accounted for. */
  refused?: string | undefined;
}

/** One page of one cause. All of it has one definition. */
export interface Batch {
  source: "broadcast" | "campaign" | "test";
  sourceId: string | null;
  messageId: string;
  version: number;
  recipients: Recipient[];
  now: Date;
}

export interface Queued {
  deliveryId: string;
  status: "queued" | "failed";
  reason: string | null;
  /** False where the delivery was there before: a page that is repeated after a crash. */
  fresh: boolean;
}

/** @throws Problem in_app_disabled while the workspace's allow_in_app is off */
export function assertAllowed(workspace: Workspace): void {
  if (workspace.allow_in_app) return;
  throw new Problem(
    "in_app_disabled",
    "In-app is switched off for this workspace. Switch allow_in_app on in its settings.",
  );
}

/**
 * Queues a message for many people in the caller's transaction: one insert, one log entry each, one signal for all, which
 * open streams hear only after the commit. A person whose content can't be rendered gets a delivery that failed with its
 * reason, and the others go on. Gives the outcomes in the order of the recipients.
 * @throws Problem in_app_disabled, not_found
 */
export async function queue(tx: Tx, workspace: Workspace, batch: Batch): Promise<Queued[]> {
  assertAllowed(workspace);
  const { messageId, version: number, recipients, now } = batch;
  await loadVersions(tx, workspace.id, [{ message_id: messageId, message_version: number }]);
  const version = knownVersion(messageId, number);
  if (!version) throw notFound("in-app message");
  const rows = await atMost(RENDERS, recipients, (recipient) => rowOf(version, recipient));
  const fresh = await insertDeliveries(
    tx,
    {
      workspaceId: workspace.id,
      source: batch.source,
      sourceId: batch.sourceId,
      messageId,
      version: number,
      priority: version.definition.priority,
      inbox: version.definition.render_type === "inbox_card",
      expiresAt: expiryOf(version.definition.expiry, now),
      now,
    },
    rows,
  );
  const made = rows.filter((row) => fresh.has(row.id));
  await record(
    tx,
    made.map((row) => ({
      workspaceId: workspace.id,
      personKey: row.personKey,
      deliveryId: row.id,
      type: `in_app.${row.status}`,
      at: now,
      data: {
        source: batch.source,
        ...(row.reason !== null && { reason: row.reason }),
        ...(row.leftOut.length > 0 && { left_out: row.leftOut }),
      },
    })),
  );
  const live = made.filter((row) => row.status === "queued");
  if (live.length > 0)
    tx.signal(
      QUEUED,
      live.map((row) => `${row.personKey}:${row.id}`),
    );
  return rows.map((row) => ({ deliveryId: row.id, status: row.status, reason: row.reason, fresh: fresh.has(row.id) }));
}

async function rowOf(version: Version, recipient: Recipient): Promise<NewDelivery & { leftOut: string[] }> {
  const { person, deliveryId: id, trigger = {}, refused } = recipient;
  const row = { personKey: person.person_key, id, reason: null, content: null, leftOut: [] };
  if (refused !== undefined) return { ...row, status: "failed", reason: refused };
  if (version.dynamic.length === 0) return { ...row, status: "queued" };
  try {
    const { content, leftOut } = await render(version, { person: personView(person), trigger });
    return { ...row, status: "queued", content: JSON.stringify(content), leftOut };
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "template_error") throw error;
    return { ...row, status: "failed", reason: error.message };
  }
}
