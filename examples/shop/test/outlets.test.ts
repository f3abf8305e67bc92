import { fileURLToPath } from "node:url";
import { expect, test as always } from "vitest";
import { executablePath, useChromium } from "../../../sdk/web/test/support/chromium.ts";
import { context } from "../../../sdk/web/test/support/page.ts";
import { stageService } from "../../../sdk/web/test/support/stage.ts";
import { drawnAre, isNow, sees, seesNoMore, testShop, useSite } from "./support/shop.ts";

// Tests several outlets on one web page, in real Chromium: outlets/main.tsx.

const test = always.skipIf(!executablePath);
const chromium = useChromium();
const service = await stageService();
const site = useSite(fileURLToPath(new URL("outlets", import.meta.url)));

test("with several outlets a modal and a banner are shown once, one at a time, with one impression each", async () => {
  const it = await testShop(service, site.folder);
  const given: Record<string, string> = {};
  for (const [name, render_type, priority] of [
    ["first", "modal", 90],
    ["second", "modal", 80],
    ["banner", "banner", 70],
  ] as const)
    given[name] = await it.sendTo(await it.define({ render_type, priority, title: name }));
  const { first = "", second = "", banner = "" } = given;
  const page = await it.visit(await context(chromium.browser), "/");
  await sees(page, first);
  await drawnAre(page, first, banner);
  await isNow(it, first, "shown");

  // The next outlet takes over, and the person sees the same modal.
  await page.getByText("Take the first away").dispatchEvent("click");
  await page.locator(".tidings-strip").nth(2).waitFor({ state: "detached" });
  await sees(page, first);
  await drawnAre(page, first, banner);
  await page.keyboard.press("Escape");
  await sees(page, second);
  await drawnAre(page, second, banner);
  await isNow(it, second, "shown");
  expect((await it.delivery(banner)).status).toBe("queued");
  await page.keyboard.press("Escape");
  await seesNoMore(page, second);
  await isNow(it, banner, "shown");
  await drawnAre(page, banner);
  for (const id of [first, second, banner]) expect((await it.delivery(id)).impressions).toBe(1);
});

test("an inline message in two places has one impression, and disappears from both", async () => {
  const it = await testShop(service, site.folder);
  const sent = await it.sendTo(await it.define({ render_type: "inline" }));
  const page = await it.visit(await context(chromium.browser), "/");
  const both = page.locator(`[data-tidings-delivery="${sent}"]`);
  await both.nth(1).waitFor();
  await isNow(it, sent, "shown");
  await both.first().getByRole("button", { name: "Close" }).click();
  await isNow(it, sent, "dismissed");
  await drawnAre(page);
  expect((await it.delivery(sent)).impressions).toBe(1);
});
