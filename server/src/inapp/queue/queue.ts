import { setImmediate as turn } from "node:timers/promises";
import { RECORDED, type StepOrigin } from "../../activity/index.ts";
import type { Cause } from "../../content/index.ts";
import { type Person, personView } from "../../people/index.ts";
import type { Queries, Tx } from "../../platform/db/index.ts";
import { notFound, Problem } from "../../platform/http/index.ts";
import { atMost } from "../../platform/limits/at-most.ts";
import type { Workspace } from "../../workspaces/index.ts";
import { render } from "../definition/render.ts";
import { loadVersions } from "../definition/compiled.ts";
import type { Version } from "../definition/version.ts";
import { countEarlier } from "../delivery/counts-store.ts";
import { insertDeliveries, type NewDelivery } from "../delivery/insert-store.ts";
import { expiryOf } from "../rules/persistence.ts";

/** Signal that carries "person_key:delivery_id" of deliveries that were just queued, recalled, or marked as read or unread. */
export const QUEUED = "inapp.queued";

/** Renders in parallel. Heavy renders wait for a thread; when 100 wait, all others are refused, also those of requests. */
const RENDERS = 8;
/** People rendered in one turn of the event loop, about 3 ms: a whole batch in one turn would delay every request of this process. */
const RENDERS_A_TURN = 100;

export interface Recipient {
  /** Derived from the cause (broadcast or campaign run and step, and the person), or a fresh id for a test. */
  deliveryId: string;
  person: Person;
  /** What the content sees beside the person. */
  cause?: Cause;
  /** Why this person gets nothing. The delivery is written as failed with this reason, so that every recipient is accounted for. */
  refused?: string | undefined;
}

/** Recipients of one version of one message. Recipients of several versions are several batches, and as many statements. */
export interface Batch {
  source: "broadcast" | "campaign" | "test";
  sourceId: string | null;
  step?: StepOrigin;
  /** The variant, where the source sends several. */
  variant?: string | null;
  topicId?: string | null;
  messageId: string;
  version: number;
  recipients: Recipient[];
  now: Date;
}

/** What became of one recipient of a batch. */
export interface QueueResult {
  deliveryId: string;
  status: "queued" | "failed";
  reason: string | null;
  /** False where the delivery existed before: the batch is repeated after a crash. */
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
 * Queues a message for many people in the caller's transaction, by one statement that logs each delivery and one signal for all,
 * which reaches open streams only after the commit. A person whose content can't be rendered gets a failed delivery with the
 * reason; the others are queued. Returns the results in the order of the recipients.
 * @throws Problem in_app_disabled, not_found
 */
export async function queue(tx: Tx, workspace: Workspace, batch: Batch): Promise<QueueResult[]> {
  assertAllowed(workspace);
  const { recipients, now } = batch;
  const version = await versionOf(tx, workspace, batch);
  const rows = await rowsOf(version, recipients);
  const isFresh = await insertDeliveries(
    tx,
    {
      workspaceId: workspace.id,
      source: batch.source,
      sourceId: batch.sourceId,
      step: batch.step ?? null,
      variant: batch.variant ?? null,
      topicId: batch.topicId ?? null,
      messageId: version.messageId,
      version: version.version,
      priority: version.definition.priority,
      inbox: version.definition.render_type === "inbox_card",
      expiresAt: expiryOf(version.definition.expiry, now),
      sharedLimits: version.shared,
      now,
    },
    rows,
  );
  if (version.shared && version.version > 1)
    await countEarlier(
      tx,
      workspace.id,
      version.messageId,
      rows.map((row) => row.personKey),
    );
  const made = rows.filter((row) => isFresh(row.id));
  const live = made.filter((row) => row.reason === null);
  if (made.length > 0)
    await tx.announce(RECORDED, [workspace.id], () =>
      made.map(({ id, personKey, reason }) => {
        const type = reason === null ? "in_app.queued" : "in_app.failed";
        return { workspaceId: workspace.id, personKey, deliveryId: id, type, at: now };
      }),
    );
  if (live.length > 0)
    tx.signal(
      QUEUED,
      live.map((row) => `${row.personKey}:${row.id}`),
    );
  return rows.map(({ id, reason }) => ({
    deliveryId: id,
    status: reason === null ? "queued" : "failed",
    reason,
    fresh: isFresh(id),
  }));
}

/** Whether a message's content differs from person to person, so that rendering needs their attributes. @throws Problem not_found */
export const isPersonal = async (
  q: Queries,
  workspace: Workspace,
  message: Pick<Batch, "messageId" | "version">,
): Promise<boolean> => (await versionOf(q, workspace, message)).dynamic.length > 0;

async function versionOf(
  q: Queries,
  workspace: Workspace,
  { messageId, version: number }: Pick<Batch, "messageId" | "version">,
): Promise<Version> {
  const [version] = await loadVersions(q, workspace.id, [{ message_id: messageId, message_version: number }]);
  if (!version) throw notFound("in-app message");
  return version;
}

async function rowsOf(version: Version, recipients: Recipient[]): Promise<NewDelivery[]> {
  if (version.dynamic.length === 0) return recipients.map((recipient) => rowOf(recipient));
  const rows: NewDelivery[] = [];
  for (let i = 0; i < recipients.length; i += RENDERS_A_TURN) {
    if (i > 0) await turn();
    rows.push(...(await atMost(RENDERS, recipients.slice(i, i + RENDERS_A_TURN), (one) => renderedFor(version, one))));
  }
  return rows;
}

/** The delivery of a recipient without content of its own: it shows the version's. */
const rowOf = ({ person, deliveryId, refused }: Recipient): NewDelivery => ({
  personKey: person.person_key,
  id: deliveryId,
  reason: refused ?? null,
  content: null,
  note: refused === undefined ? null : { reason: refused },
});

const NO_CAUSE: Cause = { trigger: {} };

async function renderedFor(version: Version, recipient: Recipient): Promise<NewDelivery> {
  const row = rowOf(recipient);
  if (row.reason !== null) return row;
  const { person, cause = NO_CAUSE } = recipient;
  try {
    const { content, leftOut } = await render(version, {
      ...cause,
      person: personView(person),
      turn: { workspaceId: person.workspace_id, kind: "bulk" },
    });
    return { ...row, content: JSON.stringify(content), note: leftOut.length > 0 ? { left_out: leftOut } : null };
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "template_error") throw error;
    return rowOf({ ...recipient, refused: error.message });
  }
}
