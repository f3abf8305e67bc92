import { expect, test as always } from "vitest";
import { until } from "../../../server/test/support/wait.ts";
import { executablePath, useChromium } from "../../../sdk/web/test/support/chromium.ts";
import { context } from "../../../sdk/web/test/support/page.ts";
import { stageService } from "../../../sdk/web/test/support/stage.ts";
import type { RenderType } from "../server/messages.ts";
import { DRAWN, drawn, goTo, isNow, sees, seesNoMore, synced, testShop, useSite } from "./support/shop.ts";

// Tests the shop in real Chromium with a real service: which message is shown where, when, and for how long.

const test = always.skipIf(!executablePath);
const chromium = useChromium();
const service = await stageService();
const site = useSite();

const PLACES: [RenderType, string][] = [
  ["modal", "/checkout/cart"],
  ["banner", "/"],
  ["inline", "/product/teapot"],
  ["inbox_card", "/profile"],
];

test("each render type appears on its screens, and on no other", async () => {
  const it = await testShop(service, site.folder);
  const given: Partial<Record<string, string>> = {};
  for (const [renderType] of PLACES) given[renderType] = await it.give(renderType);
  const page = await it.visit(await context(chromium.browser), "/profile");
  for (const [path, renderType] of [
    ["/checkout/cart", "modal"],
    ["/checkout/pay", undefined],
    ["/product/kettle", "inline"],
    ["/", "banner"],
    ["/profile", undefined],
    ["/product/cups", "inline"],
  ] as const) {
    const answer = synced(page, path.slice(1) || "home");
    await goTo(page, path);
    await answer;
    const delivery = renderType && given[renderType];
    if (delivery) await sees(page, delivery);
    expect(await drawn(page)).toEqual(delivery ? [delivery] : []);
    expect(await page.locator(renderType ? DRAWN[renderType] : "main").count()).toBe(1);
  }
  await page.getByRole("button", { name: "Inbox, 1 unread" }).click();
  await sees(page, given.inbox_card ?? "");
  expect(await page.getByRole("heading", { name: "Inbox" }).count()).toBe(1);
});

test.each(PLACES)(
  "a %s that is sent while %s is open comes by itself, and has one impression",
  async (renderType, path) => {
    const it = await testShop(service, site.folder);
    const page = await it.visit(await context(chromium.browser), path);
    await until(async () => (await it.openStreams()) === 1, "the stream");
    if (renderType === "inbox_card") await page.getByRole("button", { name: "Inbox", exact: true }).click();
    for (let i = 0; i < 2; i++) {
      const sent = await it.give(renderType);
      await sees(page, sent);
      await isNow(it, sent, "shown");
      expect((await it.delivery(sent)).impressions).toBe(1);
      // One banner or modal at a time.
      await page.getByRole("button", { name: "Close" }).click();
      await seesNoMore(page, sent);
    }
  },
);

test("after a reload a persistent message is shown again, and a one-time message is not", async () => {
  const it = await testShop(service, site.folder);
  const [modal, banner] = [await it.give("modal"), await it.give("banner")];
  const page = await it.visit(await context(chromium.browser), "/");
  await sees(page, banner);
  await isNow(it, banner, "shown");
  const home = synced(page, "home");
  await page.reload();
  await home;
  await page.getByRole("heading", { level: 1 }).waitFor();
  expect(await drawn(page)).toEqual([]);

  await goTo(page, "/checkout/cart");
  await sees(page, modal);
  await isNow(it, modal, "shown");
  await page.reload();
  await sees(page, modal);
  await until(async () => (await it.delivery(modal)).impressions === 2, "the second impression");

  await page.getByRole("button", { name: "Close" }).click();
  await isNow(it, modal, "dismissed");
  const cart = synced(page, "checkout/cart");
  await page.reload();
  await cart;
  expect(await drawn(page)).toEqual([]);
});

test.each([
  ...PLACES.map((place) => [...place, "persistent_until_dismissed"] as const),
  // Shown once and open: sync no longer returns it.
  ["modal", "/checkout/cart", "one_time"],
  ["inline", "/product/teapot", "one_time"],
] as const)("a %s on %s that was shown disappears when it is recalled: %s", async (renderType, path, mode) => {
  const it = await testShop(service, site.folder);
  const persistence = { mode };
  const sent = await it.sendTo(await it.define({ render_type: renderType, persistence }));
  const page = await it.visit(await context(chromium.browser), path);
  await until(async () => (await it.openStreams()) === 1, "the stream");
  if (renderType === "inbox_card") await page.getByRole("button", { name: "Inbox, 1 unread" }).click();
  await sees(page, sent);
  await isNow(it, sent, "shown");
  expect((await it.call("POST", `/api/v1/deliveries/${sent}/recall`)).status).toBe(200);
  await seesNoMore(page, sent);
  expect(await it.delivery(sent)).toMatchObject({ status: "canceled", impressions: 1 });
});

test("an action offline has its effect at once, and is reported later, once", async () => {
  const it = await testShop(service, site.folder);
  const [modal, inline] = [await it.give("modal"), await it.give("inline")];
  const at = await context(chromium.browser);
  const page = await it.visit(at, "/checkout/cart");
  await sees(page, modal);
  await isNow(it, modal, "shown");
  await at.setOffline(true);
  await page.getByRole("button", { name: "Close" }).click();
  await seesNoMore(page, modal);
  await goTo(page, "/product/teapot");
  expect((await it.delivery(modal)).status).toBe("shown");
  await at.setOffline(false);
  await isNow(it, modal, "dismissed");
  await sees(page, inline);
  const { events } = await it.delivery(modal);
  expect(events.filter(({ type }) => type === "in_app.dismiss")).toHaveLength(1);
});

test("two tabs share one stream, and a message that one dismisses disappears from the other", async () => {
  const it = await testShop(service, site.folder);
  const at = await context(chromium.browser);
  const first = await it.visit(at, "/product/teapot");
  await until(async () => (await it.openStreams()) === 1, "the stream");
  const second = await it.visit(at, "/product/teapot");
  const sent = await it.give("inline");
  await Promise.all([sees(first, sent), sees(second, sent)]);
  expect(await it.openStreams()).toBe(1);
  await first.getByRole("button", { name: "Close" }).click();
  await seesNoMore(second, sent);
});

test("a modal of one screen never appears on the next", async () => {
  const it = await testShop(service, site.folder);
  const modal = await it.give("modal");
  const at = await context(chromium.browser);
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const page = await it.visit(at, "/profile");
  await page.evaluate(() => {
    new MutationObserver(() => {
      if (document.querySelector("dialog") && location.pathname !== "/checkout/cart") refused.push("a modal");
    }).observe(document, { subtree: true, childList: true });
  });
  let late = 0;
  await at.route(/sync\?.*screen=checkout%2Fcart/, async (route) => {
    const response = await route.fetch();
    await held;
    await route.fulfill({ response });
    late++;
  });
  const asked = page.waitForRequest(/sync\?.*screen=checkout%2Fcart/);
  await goTo(page, "/checkout/cart");
  await asked;
  const paying = synced(page, "checkout/pay");
  await goTo(page, "/checkout/pay");
  letGo();
  await until(() => late > 0, "the late answer");
  await paying;
  expect(await drawn(page)).toEqual([]);

  // An open one disappears together with its screen.
  await goTo(page, "/checkout/cart");
  await sees(page, modal);
  await goTo(page, "/checkout/pay");
  await seesNoMore(page, modal);
  expect((await it.delivery(modal)).status).not.toBe("dismissed");
});
