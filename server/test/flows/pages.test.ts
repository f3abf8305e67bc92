import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, test as always } from "vitest";
import { executablePath, useChromium } from "../../../sdk/web/test/support/chromium.ts";
import { personKey } from "../../src/people/index.ts";
import { messageLinks } from "../../src/subscriptions/index.ts";
import { testService } from "../support/service.ts";

// Tests the pages for recipients in a real browser: without JavaScript, by keyboard, and with axe-core.

const test = always.skipIf(!executablePath);
const chromium = useChromium();
const it = await testService();
const base = await it.service.listen();
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Violation {
  id: string;
  nodes: { html: string; failureSummary: string }[];
}

let people = 0;
async function reader() {
  const person_id = `reader${++people}`;
  await it.call("POST", "/data-gateway/v1/identify", {
    body: { person_id, attributes: { email: `${person_id}@example.test` } },
  });
  const { ground } = it.service;
  const { workspaceId } = it;
  const links = messageLinks(ground, { workspaceId, personKey: personKey(workspaceId, person_id), channel: "email" });
  const here = (url: string) => base + url.slice(ground.config.publicUrl.length);
  const states = async () => (await it.call("GET", `/api/v1/people/${person_id}/subscriptions`)).body;
  return { preferences: here(links.preferences_url), unsubscribe: here(links.unsubscribe_url), states };
}
const topic = (
  await it.call("POST", "/api/v1/topics", {
    body: { name: "Travel news", description: "Once a month", default: "subscribed" },
  })
).body.id;

test("a reader chooses and unsubscribes without JavaScript, by keyboard only", async () => {
  const { preferences, unsubscribe, states } = await reader();
  const page = await chromium.browser.newPage({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
  const refused: string[] = [];
  page.on("console", (message) => refused.push(message.text()));
  await page.goto(preferences);
  await page.getByLabel("Travel news").press("Space");
  await page.getByLabel("Email").press("Space");
  await page.getByRole("button", { name: "Save" }).press("Enter");
  await page.getByRole("status").getByText("Saved.").waitFor();
  expect(await states()).toMatchObject({ topics: { [topic]: false }, channels: { email: false, sms: true } });

  await page.goto(unsubscribe);
  await page.getByRole("link", { name: "Choose what you receive instead" }).press("Enter");
  await page.getByRole("button", { name: "Unsubscribe from everything" }).press("Enter");
  await page.getByRole("button", { name: "Subscribe again" }).waitFor();
  expect((await states()).subscribed).toBe(false);
  // A browser reports a style or a form that the policy refuses.
  expect(refused).toEqual([]);
  await page.close();
});

test("nothing on the pages is hard to read or to operate, wide or narrow, light or dark", async () => {
  for (const [width, colorScheme] of [
    [390, "dark"],
    [1280, "light"],
  ] as const) {
    const { preferences, unsubscribe } = await reader();
    const page = await chromium.browser.newPage({ colorScheme, viewport: { width, height: 800 } });
    for (const url of [preferences, unsubscribe, `${base}/unsubscribe/nonsense`]) {
      await page.goto(url);
      await page.evaluate(axe);
      const { violations } = (await page.evaluate("axe.run(document)")) as { violations: Violation[] };
      expect(violations.map(({ id, nodes }) => `${url} ${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`)).toEqual(
        [],
      );
      const wider = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
      expect(wider).toBeLessThanOrEqual(0);
    }
    await page.close();
  }
});
