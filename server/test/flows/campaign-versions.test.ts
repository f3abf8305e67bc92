import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { startJourney } from "../support/campaigns/journey.ts";
import { inShards } from "../support/database/citus.ts";
import { testDatabase } from "../support/database.ts";
import { hasOlder, unpackOlder } from "../support/older.ts";
import { type Running, serve } from "../support/tidings.ts";
import { until } from "../support/wait.ts";

// An upgrade without a stop: an older version of the service and the present one work on one database while people go through a campaign.

const PEOPLE = 600;
const databaseUrl = await testDatabase();
const secretKey = "tid_sec_campaign-versions-key";
const env = {
  DATABASE_URL: databaseUrl,
  ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
  BOOTSTRAP_SECRET_KEY: secretKey,
  BOOTSTRAP_PUBLIC_KEY: "tid_pub_campaign-versions-key",
  LOG_FORMAT: "json",
};

const CALLS = 100;

/** Both versions take each call of the service at once; a repeat at the other one has the answer of the first, and nothing is made twice or lost. */
async function callBoth(of: { databaseUrl: string; versions: [Running, Running] }): Promise<void> {
  const post = async (at: Running, path: string, body: object, key?: string) => {
    const headers = {
      authorization: `Bearer ${secretKey}`,
      "content-type": "application/json",
      ...(key && { "idempotency-key": key }),
    };
    const answer = await fetch(at.address + path, { method: "POST", headers, body: JSON.stringify(body) });
    const json = (await answer.json()) as { id: string; delivery_id: string };
    expect(answer.ok, JSON.stringify(json)).toBe(true);
    return json.delivery_id ?? json.id;
  };
  const message = await post(of.versions[1], "/api/v1/in-app-messages", {
    name: "Both",
    render_type: "modal",
    body: "Hello",
  });
  const ids = await Promise.all(
    Array.from({ length: CALLS }, async (_, i) => {
      const [one, other] = i % 2 ? of.versions : of.versions.toReversed();
      const [person, email] = [`both${i}`, `both${i}@example.org`];
      const calls: [string, object][] = [
        ["/data-gateway/transactionals/email", { identifiers: { email }, subject: "S", body: "B" }],
        [`/api/v1/in-app-messages/${message}/test-sends`, { person_id: person }],
      ];
      await post(one as Running, "/data-gateway/v1/identify", { person_id: person, attributes: { email } });
      const made = [];
      for (const [n, [path, body]] of calls.entries()) {
        const id = await post(one as Running, path, body, `${n} ${person}`);
        expect(await post(other as Running, path, body, `${n} ${person}`)).toBe(id);
        made.push(id);
      }
      const url = `${other?.address}/data-gateway/v1/in-app/messages/sync?person_id=${person}`;
      const shown = (await (
        await fetch(url, { headers: { authorization: `Bearer ${secretKey}` } })
      ).json()) as object[];
      expect(shown).toMatchObject([{ delivery_id: made[1] }]);
      return made;
    }),
  );
  expect(new Set(ids.flat()).size).toBe(2 * CALLS);
  const db = new pg.Client({ connectionString: of.databaseUrl });
  await db.connect();
  onTestFinished(() => db.end());
  const sent = async () =>
    (await db.query("select from deliveries where channel = 'email' and status = 'sent'")).rowCount;
  await until(async () => (await sent()) === CALLS, "the sending of each email");
  // Whichever queued a message, both have it in the feed.
  for (const version of of.versions)
    await until(async () => {
      const queued = await queuedIn(version);
      return ids.every(([, inApp]) => queued.has(inApp as string));
    }, "each in-app message in the feed");
}

/** Returns the in-app deliveries that were queued, as a version has them in its feed. */
async function queuedIn({ address }: Running): Promise<Set<string>> {
  const found = new Set<string>();
  for (let query = "types=in_app.queued&limit=100", more = true; more; ) {
    const answer = await fetch(`${address}/api/v1/events?${query}`, {
      headers: { authorization: `Bearer ${secretKey}` },
    });
    const page = (await answer.json()) as {
      data: { data: { delivery_id: string } }[];
      next_cursor: string;
      has_more: boolean;
    };
    expect(answer.status, JSON.stringify(page)).toBe(200);
    for (const { data } of page.data) found.add(data.delivery_id);
    more = page.has_more;
    query = `types=in_app.queued&limit=100&cursor=${page.next_cursor}`;
  }
  return found;
}

test.skipIf(!hasOlder || inShards)(
  "two versions at once take everybody through each step once, whichever takes their events",
  async () => {
    const older = unpackOlder();
    onTestFinished(older.remove);
    // The present version migrates, and the older one starts after it: as a process that is restarted during an upgrade.
    const present = await serve(env);
    const old = await serve(env, { bin: older.bin });
    const journey = await startJourney({ databaseUrl, secretKey, api: old }, PEOPLE);
    const [first, second] = [journey.people.slice(0, PEOPLE / 2), journey.people.slice(PEOPLE / 2)];
    await Promise.all([journey.join(first, old), journey.join(second, present)]);
    await Promise.all([
      journey.pay(
        journey.paying.filter((_, i) => i % 2 === 0),
        present,
      ),
      journey.pay(
        journey.paying.filter((_, i) => i % 2 === 1),
        old,
      ),
    ]);
    await callBoth({ databaseUrl, versions: [old, present] });
    await until(async () => (await journey.passed()) > 0.8 * PEOPLE, "some steps");
    old.kill("SIGTERM");
    expect(await old.exit).toBe(0);
    await journey.repeatEvents(present);
    // The hour passes with an older worker that came back, as in a rollback.
    const back = await serve({ ...env, ROLES: "worker" }, { bin: older.bin });
    await journey.end();
    await journey.check();
    for (const one of [present, back]) {
      one.kill("SIGTERM");
      expect(await one.exit).toBe(0);
    }
  },
  240_000,
);
