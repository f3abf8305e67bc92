import { expect, test as always } from "vitest";
import { until } from "../../../server/test/support/wait.ts";
import { executablePath, useChromium } from "../../../sdk/web/test/support/chromium.ts";
import { context } from "../../../sdk/web/test/support/page.ts";
import { stageService } from "../../../sdk/web/test/support/stage.ts";
import { drawn, goTo, isNow, sees, seesNoMore, synced, testShop, useSite } from "./support/shop.ts";

// Tests the components of @tidings/react in the shop, in real Chromium: keyboard, focus, visibility, and the limits of a message.

const test = always.skipIf(!executablePath);
const chromium = useChromium();
const service = await stageService();
const site = useSite();

const focused = () => document.activeElement?.textContent;

test("a modal holds the focus, Escape dismisses it, and the focus returns", async () => {
  const it = await testShop(service, site.folder);
  const page = await it.visit(await context(chromium.browser), "/checkout/cart");
  await until(async () => (await it.openStreams()) === 1, "the stream");
  const pay = page.getByRole("link", { name: "Pay" });
  await pay.focus();
  const modal = await it.give("modal");
  await sees(page, modal);
  const dialog = page.getByRole("dialog", { name: "Spring is here, Ada" });
  await dialog.waitFor();
  for (let presses = 0; presses < 6; presses++) {
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.closest("main, header"))).toBeNull();
  }
  await page.keyboard.press("Escape");
  await seesNoMore(page, modal);
  await until(async () => (await page.evaluate(focused)) === "Pay", "the focus where it was");
  await isNow(it, modal, "dismissed");
});

test("two modals are shown one after the other, and a click outside dismisses one", async () => {
  const it = await testShop(service, site.folder);
  const [first, second] = [await it.give("modal"), await it.give("modal")];
  const page = await it.visit(await context(chromium.browser), "/checkout/cart");
  await sees(page, first);
  expect(await drawn(page)).toEqual([first]);
  await page.mouse.click(5, 5);
  await isNow(it, first, "dismissed");
  await sees(page, second);
  expect(await drawn(page)).toEqual([second]);
});

test("an open modal stays when a more urgent one arrives, and a covered message has no impression until the modal closes", async () => {
  const it = await testShop(service, site.folder);
  const persistence = { mode: "persistent_until_dismissed" };
  const screens = { include: ["product/*"] };
  const first = await it.sendTo(await it.define({ render_type: "modal", priority: 10, screens, persistence }));
  const page = await it.visit(await context(chromium.browser), "/product/cups");
  await until(async () => (await it.openStreams()) === 1, "the stream");
  await sees(page, first);
  const urgent = await it.sendTo(await it.define({ render_type: "modal", priority: 100, screens, persistence }));
  const inline = await it.give("inline");
  await sees(page, inline);
  expect(await drawn(page)).toEqual([inline, first]);
  await isNow(it, first, "shown");
  await page.waitForTimeout(600);
  expect((await it.delivery(inline)).status).toBe("queued");
  await page.keyboard.press("Escape");
  await sees(page, urgent);
  await page.keyboard.press("Escape");
  await isNow(it, inline, "shown");
});

test("Escape in a banner dismisses it, and the focus returns to where it was", async () => {
  const it = await testShop(service, site.folder);
  const banner = await it.give("banner");
  const page = await it.visit(await context(chromium.browser), "/");
  await sees(page, banner);
  await page.getByRole("link", { name: "Profile" }).focus();
  await page.getByRole("button", { name: "Look around" }).focus();
  await page.keyboard.press("Escape");
  await seesNoMore(page, banner);
  await until(async () => (await page.evaluate(focused)) === "Profile", "the focus where it was");
  await isNow(it, banner, "dismissed");
});

test("Escape closes the inbox and returns the focus to the bell", async () => {
  const it = await testShop(service, site.folder);
  const card = await it.give("inbox_card");
  const page = await it.visit(await context(chromium.browser), "/profile");
  const bell = page.getByRole("button", { name: "Inbox, 1 unread" });
  await bell.click();
  await sees(page, card);
  await page.getByRole("button", { name: "Inbox", exact: true }).waitFor();
  await page.keyboard.press("Escape");
  await page.locator(".tidings-panel").waitFor({ state: "detached" });
  const label = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
  await until(async () => (await label()) === "Inbox", "the focus on the bell");
  await isNow(it, card, "shown");
});

test("an impression is reported when half of the message is in view, and once", async () => {
  const it = await testShop(service, site.folder);
  const inline = await it.give("inline");
  const page = await it.visit(await context(chromium.browser), "/profile");
  const reports: string[] = [];
  page.on("request", (request) => {
    if (request.postData()?.includes('"impression"')) reports.push(request.url());
  });
  await page.evaluate(() => {
    document.body.style.paddingTop = "3000px";
  });
  await goTo(page, "/product/teapot");
  await sees(page, inline);
  await page.waitForTimeout(600);
  expect(reports).toEqual([]);
  expect((await it.delivery(inline)).status).toBe("queued");
  await page.locator(".tidings-inline").scrollIntoViewIfNeeded();
  await isNow(it, inline, "shown");
  await page.evaluate(() => scrollTo(0, 0));
  await page.locator(".tidings-inline").scrollIntoViewIfNeeded();
  await page.waitForTimeout(600);
  expect((await it.delivery(inline)).impressions).toBe(1);
});

test("a deep link stays in the shop, and a custom action calls the shop's function", async () => {
  const it = await testShop(service, site.folder);
  const [modal, inline] = [await it.give("modal"), await it.give("inline")];
  const page = await it.visit(await context(chromium.browser), "/checkout/cart");
  await sees(page, modal);
  await page.getByRole("button", { name: "See the oolong" }).click();
  await page.getByRole("heading", { name: "Mountain oolong" }).waitFor();
  await sees(page, inline);
  expect(await drawn(page)).toEqual([inline]);
  await page.getByRole("button", { name: "Take the coupon" }).click();
  await page.getByText("Coupon SPRING is in your cart.").waitFor();
  for (const id of [modal, inline])
    await until(async () => (await it.delivery(id)).events.some(({ type }) => type === "in_app.click"), "the click");
});

test("a modal does not cover the target of its button, and returns with the next screen", async () => {
  const it = await testShop(service, site.folder);
  const persistence = { mode: "persistent_until_dismissed" };
  const cta = { label: "Take me there", action: "deep_link", value: "/product/cups" };
  const sent = await it.sendTo(await it.define({ render_type: "modal", cta, persistence }));
  const page = await it.visit(await context(chromium.browser), "/product/cups");
  await sees(page, sent);
  await page.getByRole("button", { name: "Take me there" }).click();
  await seesNoMore(page, sent);
  await goTo(page, "/product/kettle");
  await sees(page, sent);
});

test("no text of a message runs code or loads anything but images", async () => {
  const it = await testShop(service, site.folder);
  const modal = await it.give("modal");
  const at = await context(chromium.browser);
  const body = '<img src=x onerror="refused.push(1)"><script>refused.push(2)</script>';
  await at.route(/messages\/sync/, async (route) => {
    const response = await route.fetch();
    // A second sync finds nothing new: 304, without a body.
    if (response.status() !== 200) return route.fulfill({ response });
    const messages = await response.json();
    for (const message of messages) {
      message.content = { title: null, body, image_url: "data:image/svg+xml,<svg/>" };
      message.ctas = [{ id: "a", label: "Go", action: "deep_link", value: "java\nscript:refused.push(3)" }];
    }
    await route.fulfill({ response, json: messages });
  });
  const page = await it.visit(at, "/checkout/cart");
  await sees(page, modal);
  const dialog = page.getByRole("dialog", { name: "Message" });
  expect(await dialog.getByText(body, { exact: true }).count()).toBe(1);
  expect(await dialog.locator("img").count()).toBe(0);
  await dialog.getByRole("button", { name: "Go" }).click();
  await seesNoMore(page, modal);
  expect(new URL(page.url()).pathname).toBe("/checkout/cart");
});

test("a logout leaves nothing in the browser, and the person's next call is refused", async () => {
  const it = await testShop(service, site.folder);
  const page = await it.visit(await context(chromium.browser), "/profile");
  const first = synced(page, "profile");
  await goTo(page, "/");
  await goTo(page, "/profile");
  await first;
  await page.getByRole("button", { name: "Log out" }).click();
  await page.getByText("Who are you today?").waitFor();
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
  const headers = { "content-type": "application/json" };
  const answer = await page.request.post(`${it.shop.address}/shop/person-token`, { headers, data: "{}" });
  expect(answer.status()).toBe(401);
});
