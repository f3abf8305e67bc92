import fc from "fast-check";
import { expect, test } from "vitest";
import { inAppService, MESSAGES } from "../../test/support/services/in-app.ts";
import { findPeople, type Person } from "../people/index.ts";
import type { Statement } from "../platform/db/index.ts";
import { decodeId, encodeId, newId } from "../platform/ids.ts";
import { type Workspace, workspaceById } from "../workspaces/index.ts";
import { queue } from "./queue/queue.ts";
import { syncer } from "./sync/sync.ts";

// People with more than a page of live deliveries, of versions of which some show nothing here.

const { clock, it, identify, define } = await inAppService();
const { ground } = it.service;
const { db } = ground;
const workspace = (await workspaceById(db, it.workspaceId)) as Workspace;
const asked: (string | undefined)[] = [];
const sync = syncer({
  ...ground,
  db: {
    ...db,
    query: <R>(statement: Statement) => {
      asked.push(statement.name);
      return db.query<R>(statement);
    },
  },
});

const definition = fc.record({
  priority: fc.constantFrom(10, 50, 50, 75),
  screens: fc.constantFrom({}, {}, { include: ["elsewhere"] }),
  resting: fc.boolean(),
  count: fc.integer({ min: 1, max: 120 }),
});

interface Queued {
  id: string;
  priority: number;
  at: number;
  visible: boolean;
}

/** Queues page by page, by turns: many deliveries of all versions share their queue time, so that the id decides. */
async function queued(personId: string, drawn: (typeof definition extends fc.Arbitrary<infer T> ? T : never)[]) {
  const [person] = await findPeople(db, [{ workspaceId: it.workspaceId, id: personId }]);
  const all: Queued[] = [];
  const messages = await Promise.all(
    drawn.map(({ priority, screens }) =>
      define({
        priority,
        screens,
        persistence: {
          mode: "persistent_until_dismissed",
          per: "delivery",
          min_interval: { amount: 1, unit: "hours" },
        },
      }),
    ),
  );
  for (let round = 0; round < 4; round++) {
    clock.forward(1_000);
    for (const [i, { priority, screens, resting, count }] of drawn.entries()) {
      const recipients = Array.from({ length: Math.ceil(count / 4) }, () => ({
        deliveryId: newId(),
        person: person as Person,
      }));
      const messageId = decodeId("msg", messages[i] as string) as string;
      const batch = { source: "test", sourceId: null, messageId, version: 1, recipients, now: clock.now() } as const;
      await db.transaction((tx) => queue(tx, workspace, batch));
      const ids = recipients.map(({ deliveryId }) => encodeId("dlv", deliveryId));
      // Every second one was just shown: its version shows and it does not.
      const shown = resting ? ids.filter((_, n) => n % 2 === 0) : [];
      if (shown.length > 0) {
        const items = shown.map((delivery_id) => ({ delivery_id, type: "impression", event_id: delivery_id }));
        await it.call("POST", `${MESSAGES}/interactions`, { body: { person_id: personId, items } });
      }
      for (const id of ids)
        all.push({ id, priority, at: clock.now().getTime(), visible: !("include" in screens) && !shown.includes(id) });
    }
  }
  return all;
}

const elsewhere = { priority: 75, screens: { include: ["elsewhere"] }, resting: false, count: 120 };
/** The first row tells of one of the two that are hidden, and the other one fills the second page. */
const threePages = [elsewhere, elsewhere, { priority: 10, screens: {}, resting: false, count: 3 }];

test("sync returns the visible messages in order to a person with very many hidden ones", {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(definition, { minLength: 2, maxLength: 6 }), async (drawn) => {
      const personId = newId();
      await identify(personId);
      const all = await queued(personId, drawn);
      const expected = all
        .filter((one) => one.visible)
        .sort((a, b) => b.priority - a.priority || a.at - b.at || (a.id < b.id ? -1 : 1))
        .map((one) => one.id);
      for (const limit of [1, 7, 50]) {
        const body = await sync(workspace, { person_id: personId, screen: "here", limit });
        const ids = JSON.parse(body).map((one: { delivery_id: string }) => one.delivery_id);
        expect(ids).toEqual(expected.slice(0, limit));
      }
    }),
    { numRuns: 40, examples: [[threePages]] },
  );
  for (const name of ["inapp.firstLive", "inapp.nextLive", "inapp.versionsAfter"]) expect(asked).toContain(name);
});
