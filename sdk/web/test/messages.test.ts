import { expect, test as always } from "vitest";
import { until } from "../../../server/test/support/wait.ts";
import { bundle } from "./support/build.ts";
import { executablePath, useChromium } from "./support/chromium.ts";
import { context, open, see, shown } from "./support/page.ts";
import { site, stage, stageService } from "./support/stage.ts";

// Tests the package in real Chromium, on a page of another origin with a strict policy, against a real service.

const test = always.skipIf(!executablePath);
const chromium = useChromium();
const service = await stageService();
const code = await bundle();

test("a message that is sent while the page is open comes by itself, and the page's policy refused nothing", async () => {
  const it = await stage(service);
  const address = await site(code, it.address);
  const message = await it.define();
  const page = await open(await context(chromium.browser), address, it, { personId: "stream" });
  await until(async () => (await it.openStreams()) === 1, "the stream");
  expect(await shown(page)).toEqual([]);
  await see(page, await it.send(message, "stream"));
  expect(await page.evaluate(() => [errors, refused])).toEqual([[], []]);
});

test("a one-time message stays while it is displayed, and goes at once when it is dismissed elsewhere", async () => {
  const it = await stage(service);
  const address = await site(code, it.address);
  const sent = await it.send(await it.define(), "stays");
  const [here, there] = [
    await open(await context(chromium.browser), address, it, { personId: "stays" }),
    await open(await context(chromium.browser), address, it, { personId: "stays" }),
  ];
  await Promise.all([see(here, sent), see(there, sent)]);
  await here.evaluate((id) => tidings.impression(id), sent);
  await until(async () => (await it.delivery(sent)).status === "shown", "the impression");
  await here.evaluate(() => tidings.sync());
  expect(await shown(here)).toEqual([sent]);
  await there.evaluate(() => tidings.sync());
  expect(await shown(there)).toEqual([]);

  await there.evaluate((id) => tidings.dismiss(id), sent);
  await until(async () => (await it.delivery(sent)).status === "dismissed", "the dismissal");
  // Anything new makes the other device look, and it learns that too.
  const next = await it.send(await it.define(), "stays");
  await until(async () => (await shown(here)).join() === next, "the next message alone");
  expect((await it.delivery(sent)).impressions).toBe(1);
});

test("an answer that comes late for another screen is never shown", async () => {
  const it = await stage(service);
  const address = await site(code, it.address);
  const onCart = await it.send(await it.define({ screens: { include: ["cart"] } }), "late");
  const onHome = await it.send(await it.define({ screens: { include: ["home"] } }), "late");
  const at = await context(chromium.browser);
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let [asked, answered] = [0, 0];
  await at.route(/sync\?.*screen=cart/, async (route) => {
    asked++;
    const response = await route.fetch();
    await held;
    await route.fulfill({ response });
    answered++;
  });
  const page = await open(at, address, it, { personId: "late", screen: "cart" });
  await page.evaluate(() => {
    globalThis.refused = [];
    tidings.subscribe((messages) => {
      for (const { delivery_id } of messages) refused.push(delivery_id);
    });
  });
  await until(() => asked > 0, "the question for the cart");
  await page.evaluate(() => tidings.setScreen("home"));
  await see(page, onHome);
  letGo();
  await until(() => answered > 0, "the late answer");
  await page.evaluate(() => tidings.sync());
  expect(await shown(page)).toEqual([onHome]);
  expect(await page.evaluate(() => refused)).not.toContain(onCart);
});
