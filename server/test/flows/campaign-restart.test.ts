import { expect, test } from "vitest";
import { startEmbedded } from "../../src/platform/embedded/index.ts";
import { startJourney } from "../support/campaigns/journey.ts";
import { dataDir, freePort, serve } from "../support/tidings.ts";
import { until } from "../support/wait.ts";

// PostgreSQL is restarted, and crashes, while people go through a campaign.

const PEOPLE = 600;
const secretKey = "tid_sec_campaign-restart-key";

test("a PostgreSQL that restarts and crashes in the middle of a journey loses no step and repeats none", async () => {
  const folder = await dataDir();
  const port = await freePort();
  // Durable as in production: what a crash forgets would be done again, and nobody would know whether it was done twice.
  let database = await startEmbedded(folder, { port });
  const service = await serve({
    DATABASE_URL: database.url,
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
    BOOTSTRAP_SECRET_KEY: secretKey,
    BOOTSTRAP_PUBLIC_KEY: "tid_pub_campaign-restart-key",
    DATA_DIR: `${folder}/none`,
  });
  const journey = await startJourney({ databaseUrl: database.url, secretKey, api: service }, PEOPLE);
  const reached = (part: number, what: string) => until(async () => (await journey.passed()) > part * PEOPLE, what);

  // Some people enter before each fault, so that runs are in the middle of their steps.
  await journey.join(journey.people.slice(0, 300));
  await reached(0.1, "the first steps");
  await database.stop();
  database = await startEmbedded(folder, { port });
  await until(
    () =>
      journey.join(journey.people.slice(300)).then(
        () => true,
        () => false,
      ),
    "the service after the restart",
  );
  const paid = journey.pay(journey.paying).then(
    () => {},
    () => {},
  );
  await reached(0.6, "more steps");
  database.kill();
  await database.stop();
  database = await startEmbedded(folder, { port });
  await paid;
  await journey.repeatEvents();
  await journey.end();
  await journey.check();
  expect(service.over()).toBe(false);
  service.kill("SIGTERM");
  expect(await service.exit).toBe(0);
  await database.stop();
}, 240_000);
