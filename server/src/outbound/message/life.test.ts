import { expect, test } from "vitest";
import { testClock, testService } from "../../../test/support/service.ts";
import { sql, type Tx } from "../../platform/db/index.ts";
import { newId } from "../../platform/ids.ts";
import { personKey } from "../../workspaces/index.ts";
import { feedback } from "../feedback/feedback.ts";
import { cancelWaiting } from "../queue/delivery-actions-store.ts";
import { type Settlement, settle } from "../queue/settle-store.ts";
import { begin, claim, putBack, release, renew, takeBack } from "../queue/store.ts";
import { endSuppressed } from "../queue/suppression-check-store.ts";
import { cancelSuspended } from "../queue/suspended-store.ts";
import { failWaiting } from "../sending/give-up-store.ts";
import { LIFE, type Status } from "./life.ts";
import type { Job } from "./message.ts";

const clock = testClock();
const it = await testService({ clock });
const { ground } = it.service;
const { db } = ground;
const now = clock.now();
const person_key = personKey(it.workspaceId, "ada");

interface Row {
  id: string;
  leaseId: string;
  atMostOnce: boolean;
}

/** The lease of a row: none, a worker's, or one that has run out. */
const holders = { nobody: null, worker: "1 minute", "a dead worker": "-1 minute" };

async function made(tx: Tx, status: Status, holder: keyof typeof holders, atMostOnce: boolean): Promise<Row> {
  const waits = status === "queued" || status === "sending";
  const row = { id: newId(), leaseId: newId(), atMostOnce };
  await tx.execute(sql`
    insert into deliveries (person_key, id, workspace_id, channel, source, status, queued_at, recipient, content, lease_id, due_at,
      first_due_at, at_most_once)
    values (${person_key}, ${row.id}, ${it.workspaceId}, 'email', 'test', ${status}, ${now}, 'ada@acme.test', '{}',
      ${waits && holder !== "nobody" ? row.leaseId : null}::uuid,
      case when ${waits} then now() + ${holders[holder] ?? "-2 days"}::interval end, now() - interval '2 days', ${atMostOnce})`);
  return row;
}

const jobOf = ({ id, leaseId, atMostOnce }: Row): Job =>
  ({ personKey: person_key, deliveryId: id, leaseId, atMostOnce, attempts: 0, workspaceId: it.workspaceId }) as Job;

const settled = (status: Settlement["status"]) => (tx: Tx, row: Row) => {
  const rest = { reason: null, provider: "smtp", providerMessageId: null, note: {}, dead: [] };
  return settle(tx, [{ job: jobOf(row), status, waitMs: status === "queued" ? 60_000 : null, ...rest }], now);
};

const told =
  (kind: "delivered" | "bounced" | "complained" | "failed") =>
  (tx: Tx, { id }: Row) =>
    feedback(tx, ground, [{ workspaceId: it.workspaceId, deliveryId: id, kind, at: now, permanent: true }]);

/** Everything that happens to a pushed delivery, by the statements of the service. */
const happenings: Record<string, (tx: Tx, row: Row) => Promise<unknown>> = {
  claim: (tx) => claim(tx, newId(), 10, { full: [] }),
  begin: (tx, row) => begin(tx, [jobOf(row)]),
  renew: (tx, row) => renew(tx, [jobOf(row)]),
  release: (tx, row) => release(tx, [jobOf(row)]),
  takeBack: (tx, row) => takeBack(tx, [row.leaseId]),
  putBack: (tx, row) => putBack(tx, [{ job: jobOf(row), reason: "waits", waitMs: 0 }]),
  sent: settled("sent"),
  refused: settled("failed"),
  "tried again later": settled("queued"),
  suppressed: (tx, row) => endSuppressed(tx, [{ job: jobOf(row), reason: "complaint" }], now),
  canceled: (tx, { id }) => cancelWaiting(tx, [{ person_key, id }], { reason: null, skipLocked: false }),
  "its workspace is suspended": (tx) => cancelSuspended(tx, [it.workspaceId], 10),
  "given up": (tx) =>
    failWaiting(tx, [{ workspaceId: it.workspaceId, channel: "email" }], {
      reasons: { overdue: "late", expired: "late" },
      most: 10,
      now,
    }),
  delivered: told("delivered"),
  bounced: told("bounced"),
  complained: told("complained"),
  "failed later": told("failed"),
  "delivered, heard before the end of the hand-off": async (tx, row) => {
    await told("delivered")(tx, row);
    await settled("sent")(tx, row);
  },
};

class Undone extends Error {}

/** Returns what becomes of a new delivery, and rolls everything back. */
async function becomes(
  happening: (tx: Tx, row: Row) => Promise<unknown>,
  make: (tx: Tx) => Promise<Row>,
): Promise<string> {
  let status = "";
  await db
    .transaction(async (tx) => {
      const row = await make(tx);
      await happening(tx, row);
      status =
        (await tx.query<{ status: string }>(sql`select status from deliveries where id = ${row.id}`))[0]?.status ?? "";
      throw new Undone();
    })
    .catch((error) => {
      if (!(error instanceof Undone)) throw error;
    });
  return status;
}

test("whatever happens to a delivery, in any state, its status changes only as LIFE allows", async () => {
  const seen = new Set<string>();
  for (const from of Object.keys(LIFE) as Status[])
    for (const holder of Object.keys(holders) as (keyof typeof holders)[])
      for (const atMostOnce of [false, true])
        for (const [name, happening] of Object.entries(happenings)) {
          const to = await becomes(happening, (tx) => made(tx, from, holder, atMostOnce));
          if (to !== from) seen.add(`${from} -> ${to}`);
          expect([from, ...LIFE[from]], `${from}, held by ${holder}: ${name}`).toContain(to);
        }
  const all = Object.entries(LIFE).flatMap(([from, next]) => next.map((to) => `${from} -> ${to}`));
  expect([...seen].toSorted()).toEqual(all.toSorted());
});
