import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { expect, test as always } from "vitest";
import { executablePath, useChromium } from "../../../sdk/web/test/support/chromium.ts";
import { context } from "../../../sdk/web/test/support/page.ts";
import { stageService } from "../../../sdk/web/test/support/stage.ts";
import { goTo, sees, testShop, useSite } from "./support/shop.ts";

// Runs axe-core on every screen with its message, light and dark, wide and narrow. With SCREENSHOTS=true (npm run screenshots)
// it also writes each screen into docs/screenshots.

const test = always.skipIf(!executablePath);
const chromium = useChromium();
const service = await stageService();
const site = useSite();
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const pictures = fileURLToPath(new URL("../../../docs/screenshots/", import.meta.url));
/** The most bytes of a screenshot, so that the documentation loads quickly. */
const LARGEST_PICTURE = 100_000;

async function picture(page: Page, name: string): Promise<void> {
  if (!process.env.SCREENSHOTS) return;
  await page.waitForLoadState("networkidle", { timeout: 2_000 }).catch(() => {
    // The stream is never idle.
  });
  await page.mouse.move(0, 0);
  const { length } = await page.screenshot({ path: `${pictures}${name}.png` });
  expect(length).toBeLessThan(LARGEST_PICTURE);
}

interface Finding {
  id: string;
  impact: string;
  nodes: { html: string; failureSummary: string }[];
}

/** Returns axe's serious and critical findings, one line each. */
async function grave(page: Page): Promise<string[]> {
  // During the fade-in no contrast can be measured.
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map((animation) => animation.finished)));
  const { violations } = (await page.evaluate("axe.run(document)")) as { violations: Finding[] };
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${page.url()} ${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
}

for (const colorScheme of ["light", "dark"] as const) {
  for (const [device, width, height] of [
    ["desktop", 1000, 640],
    ["phone", 390, 720],
  ] as const) {
    test(`axe finds nothing serious or critical, ${colorScheme}, on a ${device}`, async () => {
      const it = await testShop(service, site.folder);
      const [modal, banner, inline, card] = [
        await it.give("modal"),
        await it.give("banner"),
        await it.give("inline"),
        await it.give("inbox_card"),
      ];
      const at = await context(chromium.browser);
      // Through the debugger, which the page's policy does not restrict.
      await at.addInitScript(axe);
      const page = await it.visit(at, "/");
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      const found: string[] = [];
      const look = async (renderType: string, delivery: string) => {
        await sees(page, delivery);
        found.push(...(await grave(page)));
        await picture(page, `${renderType}-${device}-${colorScheme}`);
      };
      await look("banner", banner);
      await goTo(page, "/product/teapot");
      await look("inline", inline);
      await goTo(page, "/checkout/cart");
      await look("modal", modal);
      await goTo(page, "/profile");
      await page.getByRole("button", { name: /^Inbox/ }).click();
      await look("inbox", card);
      expect(found).toEqual([]);
    });
  }
}
