import { expect, onTestFinished, test } from "vitest";
import { startJourney } from "../support/campaigns/journey.ts";
import { testDatabase } from "../support/database.ts";
import { hasOlder, unpackOlder } from "../support/older.ts";
import { serve } from "../support/tidings.ts";
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

test.skipIf(!hasOlder)(
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
