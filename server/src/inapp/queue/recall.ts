import { record } from "../../activity/index.ts";
import type { Db, Tx } from "../../platform/db/index.ts";
import { notFound, Problem } from "../../platform/http/index.ts";
import { QUEUED } from "./queue.ts";
import { cancelOne, cancelPage, everDefined, findDelivery, type PageRow, type Whole } from "./recall-store.ts";

/** Rows held at once: an impression on one of them waits for as long as its page takes, some 30 ms. */
const PAGE = 1_000;
/** Pages in one call, some seconds of work; the answer says that there are more. */
const MOST_PAGES = 100;
const DEADLOCK = "40P01";
const ATTEMPTS = 5;

/**
 * Takes back what is not over yet of a definition, all versions, page by page: what waits, and what was shown and not
 * dismissed, which may still be open somewhere. Each page is one transaction and one signal, after which open applications
 * sync at once, no longer find the message, and hear of the one they display that it is canceled. What a broadcast queues
 * meanwhile may be missed: stop it first.
 * @throws Problem not_found
 */
export async function recallMessage(
  db: Db,
  workspaceId: string,
  messageId: string,
  now: Date,
): Promise<{ recalled: number; more: boolean }> {
  if (!(await everDefined(db, workspaceId, messageId))) throw notFound("in-app message");
  return recallAll(db, workspaceId, { messageId }, now);
}

/** The same for what one broadcast queued of it, which must have been stopped before. */
export async function recallAll(
  db: Db,
  workspaceId: string,
  whole: Whole,
  now: Date,
): Promise<{ recalled: number; more: boolean }> {
  let recalled = 0;
  let after: PageRow | undefined;
  for (let i = 0; i < MOST_PAGES; i++) {
    const rows = await withoutDeadlock(() =>
      db.transaction(async (tx) => {
        const page = await cancelPage(tx, workspaceId, whole, after, PAGE);
        await announce(
          tx,
          workspaceId,
          page.filter((row) => row.recalled),
          now,
        );
        return page;
      }),
    );
    recalled += rows.filter((row) => row.recalled).length;
    if (rows.length < PAGE) return { recalled, more: false };
    after = rows.at(-1);
  }
  return { recalled, more: true };
}

/**
 * Takes back one delivery, also one that was shown. One that is over keeps its status.
 * @throws Problem not_found, channel_mismatch
 */
export async function recallDelivery(
  tx: Tx,
  workspaceId: string,
  id: string,
  now: Date,
): Promise<{ status: string; recalled: boolean }> {
  const found = await findDelivery(tx, workspaceId, id);
  if (!found) throw notFound("delivery");
  if (found.channel !== "in_app") {
    throw new Problem("channel_mismatch", `Only in-app deliveries can be recalled, and this is ${found.channel}.`);
  }
  if (!(await cancelOne(tx, found.person_key, id))) {
    return { status: (await findDelivery(tx, workspaceId, id))?.status ?? found.status, recalled: false };
  }
  await announce(tx, workspaceId, [{ person_key: found.person_key, id }], now);
  return { status: "canceled", recalled: true };
}

/** The log, and the same signal as for what was queued: it says "look again", whatever it is that changed. */
async function announce(
  tx: Tx,
  workspaceId: string,
  rows: Pick<PageRow, "person_key" | "id">[],
  now: Date,
): Promise<void> {
  if (rows.length === 0) return;
  await record(
    tx,
    rows.map((row) => ({
      workspaceId,
      personKey: row.person_key,
      deliveryId: row.id,
      type: "in_app.canceled",
      at: now,
      data: { reason: "recalled" },
    })),
  );
  tx.signal(
    QUEUED,
    rows.map((row) => `${row.person_key}:${row.id}`),
  );
}

/** Interactions lock the rows of several people in an order of their own. PostgreSQL ends one of two who wait for each other. */
async function withoutDeadlock<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if ((error as { code?: unknown }).code !== DEADLOCK || attempt === ATTEMPTS) throw error;
    }
  }
}
