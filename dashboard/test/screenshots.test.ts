import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { sql } from "../../server/src/platform/db/index.ts";
import { testClock } from "../../server/test/support/service.ts";
import { until } from "../../server/test/support/wait.ts";
import { makeSample, order } from "./support/sample.ts";
import { dashboardStage, type Stage } from "./support/stage.ts";

// `npm run screenshots -w dashboard` writes the pictures of README.md and docs/dashboard.md anew. Skipped otherwise.

const folder = fileURLToPath(new URL("../../docs/screenshots/", import.meta.url));
/** The most bytes of a picture, so that the pages load quickly. */
const LARGEST = 200_000;
const DAY_MS = 86_400_000;
const DAYS = 14;
const PEOPLE = 36;

const clock = testClock(new Date(Date.now() - DAYS * DAY_MS));
const stage = process.env.SCREENSHOTS ? await dashboardStage({ clock }) : undefined;

/** Two weeks of a shop: more orders on some days than on others, and what became of the mails. */
async function history({ it, send }: Stage): Promise<string> {
  await send("PATCH", "/api/v1/workspace", { name: "Northwind Coffee", timezone: "Europe/Berlin" });
  const { delivery } = await makeSample(send, PEOPLE);
  for (let day = 1; day <= DAYS; day++) {
    clock.set(new Date(Date.now() - (DAYS - day) * DAY_MS));
    for (let i = 0; i < 14 + ((day * 11) % 17); i++) await order(send, (day * 7 + i * 5) % PEOPLE);
    const queued = "/api/v1/deliveries?status=queued&channel=email";
    await until(async () => (await send("GET", queued)).data.length === 0, "the sending of a day");
  }
  await it.service.ground.db.execute(sql`
    update deliveries set status = case when hashed % 43 = 0 then 'bounced' else 'delivered' end,
      delivered_at = case when hashed % 43 > 0 then sent_at + interval '2 s' end,
      bounced_at = case when hashed % 43 = 0 then sent_at + interval '4 s' end,
      opened_at = case when hashed % 43 > 0 and hashed % 7 < 4 then sent_at + interval '9 min' end,
      clicked_at = case when hashed % 43 > 0 and hashed % 7 = 0 then sent_at + interval '11 min' end
    from (select id as same, abs(hashtext(id::text)) as hashed from deliveries) as each
    where same = id and channel = 'email' and status = 'sent'`);
  return delivery;
}

test.runIf(stage)("the pictures of the documentation", async () => {
  const { signedInAlone, visit, send } = stage as Stage;
  const delivery = await history(stage as Stage);
  const pages = {
    deliveries: `deliveries?open=${delivery}`,
    analytics: "analytics",
    person: `people/${(await send("GET", `/api/v1/deliveries/${delivery}`)).person_id}`,
  };
  for (const theme of ["light", "dark"] as const) {
    // The first sessions are two weeks old, and have ended.
    const page = await (await signedInAlone("owner", { dark: theme === "dark" })).window.newPage();
    for (const [name, path] of Object.entries(pages)) {
      await visit(page, path);
      await page.waitForLoadState("networkidle", { timeout: 3_000 }).catch(() => {
        // A live stream is never idle.
      });
      const picture = await page.screenshot({ path: `${folder}dashboard-${name}-${theme}.png` });
      expect(picture.length, name).toBeLessThan(LARGEST);
    }
  }
});
