import { type Message, queue } from "../../../src/outbound/index.ts";
import { sql } from "../../../src/platform/db/index.ts";
import { newId } from "../../../src/platform/ids.ts";
import { personKey } from "../../../src/workspaces/index.ts";
import { testService } from "../service.ts";

/** Returns an email that may be queued. */
export const queueable = (workspaceId: string, extra: Partial<Message> = {}): Message => ({
  workspaceId,
  personKey: personKey(workspaceId, newId()),
  deliveryId: newId(),
  channel: "email",
  source: "test",
  sourceId: null,
  recipient: "ada@example.test",
  content: { from: null, subject: "S", body: "B" },
  status: "queued",
  queuedAt: new Date(),
  retainContent: true,
  ...extra,
});

/** Starts a service that sends nothing: deliveries that are due wait, unless the test starts a dispatcher. */
export async function queueService() {
  const it = await testService({ env: { ALLOW_PRIVATE_NETWORK: "true" } });
  const { ground } = it.service;
  const { db } = ground;
  const enqueue = (batch: Message[]) => db.transaction((tx) => queue(tx, ground, batch));
  const rowOf = async (id: string): Promise<Record<string, unknown>> => {
    const [row] = await db.query<Record<string, unknown>>(sql`select * from deliveries where id = ${id}`);
    if (!row) throw new Error(`no delivery ${id}`);
    return row;
  };
  /** Ends the lease of a delivery, or makes it due. */
  const lapse = (id: string) => db.execute(sql`update deliveries set due_at = now() where id = ${id}`);
  return { it, ground, db, enqueue, rowOf, lapse };
}
