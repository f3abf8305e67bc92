import type { Page } from "playwright-core";
import { expect, test as always } from "vitest";
import { until } from "../../../server/test/support/wait.ts";
import { bundle } from "./support/build.ts";
import { executablePath, useChromium } from "./support/chromium.ts";
import { context, open, see, shown } from "./support/page.ts";
import { site, stage, stageService } from "./support/stage.ts";

// Tests several tabs in real Chromium, on a page of another origin with a strict policy, against a real service.

const test = always.skipIf(!executablePath);
const chromium = useChromium();
const service = await stageService();
const code = await bundle();

test("two tabs share one stream, and when the tab that has it closes the other takes over", async () => {
  const it = await stage(service);
  const address = await site(code, it.address);
  const message = await it.define();
  const at = await context(chromium.browser);
  const leader = await open(at, address, it, { personId: "tabs" });
  await until(async () => (await it.openStreams()) === 1, "the stream");
  const follower = await open(at, address, it, { personId: "tabs" });
  const first = await it.send(message, "tabs");
  await Promise.all([see(leader, first), see(follower, first)]);
  expect(await it.openStreams()).toBe(1);

  // What one tab dismisses the other need not show.
  await follower.evaluate((id) => tidings.dismiss(id), first);
  await until(async () => (await shown(leader)).length === 0, "the end of the message in the other tab");

  await leader.close();
  const second = await it.send(message, "tabs");
  await see(follower, second);
  await until(async () => (await it.openStreams()) === 1, "the stream of the other tab");
  const third = await it.send(message, "tabs");
  await see(follower, third);
});

test("a card that is read or unread in one tab is so in the other", async () => {
  const it = await stage(service);
  const address = await site(code, it.address);
  const at = await context(chromium.browser);
  const sent = await it.send(await it.define({ render_type: "inbox_card" }), "reads");
  const tabs = [
    await open(at, address, it, { personId: "reads" }),
    await open(at, address, it, { personId: "reads" }),
  ] as const;
  const unread = (page: Page) => page.evaluate(() => tidings.inbox.unreadCount);
  for (const tab of tabs) await tab.evaluate(() => tidings.inbox.load());
  expect(await Promise.all(tabs.map(unread))).toEqual([1, 1]);
  await tabs[0].evaluate((id) => tidings.inbox.read(id), sent);
  await until(async () => (await unread(tabs[1])) === 0, "the read card in the other tab");
  await tabs[1].evaluate((id) => tidings.inbox.unread(id), sent);
  await until(async () => (await unread(tabs[0])) === 1, "the unread card in the other tab");
});

test("logout forgets everything: messages, stream, queue and storage, in the other tabs too", async () => {
  const it = await stage(service);
  const address = await site(code, it.address);
  const sent = await it.send(await it.define(), "leaves");
  const at = await context(chromium.browser);
  const [page, other] = [
    await open(at, address, it, { personId: "leaves" }),
    await open(at, address, it, { personId: "leaves" }),
  ];
  await Promise.all([see(page, sent), see(other, sent)]);
  await at.route(`${it.address}/**/batch`, (route) => route.abort());
  await page.evaluate(() => tidings.track("seen"));
  expect(await page.evaluate(() => Object.keys(localStorage).length)).toBe(1);

  await page.evaluate(() => tidings.logout());
  expect(await page.evaluate(() => [Object.keys(localStorage), tidings.messages])).toEqual([[], []]);
  await until(async () => (await shown(other)).length === 0, "the end in the other tab");
  await until(async () => (await it.openStreams()) === 0, "the end of the stream");
  await page.evaluate(() => tidings.sync());
  expect(await shown(page)).toEqual([]);

  await page.evaluate(() => tidings.login("leaves"));
  await see(page, sent);
});

test("a page without https has neither locks nor randomUUID, and works: each tab has a stream of its own", async () => {
  const it = await stage(service);
  const address = (await site(code, it.address)).replace("127.0.0.1", "plain.test");
  const at = await context(chromium.browser);
  const tabs = [
    await open(at, address, it, { personId: "plain" }),
    await open(at, address, it, { personId: "plain" }),
  ] as const;
  expect(await tabs[0].evaluate(() => [isSecureContext, "locks" in navigator])).toEqual([false, false]);
  await until(async () => (await it.openStreams()) === 2, "both streams");
  const sent = await it.send(await it.define(), "plain");
  await Promise.all(tabs.map((tab) => see(tab, sent)));
  await tabs[0].evaluate((id) => tidings.dismiss(id), sent);
  await until(async () => (await it.delivery(sent)).status === "dismissed", "the dismissal");
  expect(await tabs[0].evaluate(() => [errors, refused])).toEqual([[], []]);
});
