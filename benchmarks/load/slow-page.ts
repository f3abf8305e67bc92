import type { Browser, Page } from "playwright-core";

/** A page on a machine whose processor is four times slower, with what the browser itself notes about it. */
export interface SlowPage {
  page: Page;
  /** When the largest part of the page appeared, in ms since the navigation. */
  largestPaint(): Promise<number>;
  /** Calls `work`, and returns the longest task of the page's thread meanwhile, in ms. The browser reports those over 50: 50 stands for none. */
  longestTask(work: () => Promise<void>): Promise<number>;
  close(): Promise<void>;
}

const SLOWER = 4;
/** What the browser calls a long task. */
const LONG_MS = 50;

declare global {
  var noted: { largest: number; tasks: number[] };
}

/** Opens it with nothing in its cache. `cookie` signs it in. */
export async function slowPage(browser: Browser, address: string, cookie?: string): Promise<SlowPage> {
  const window = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "en-GB" });
  window.setDefaultTimeout(60_000);
  const [name = "", value = ""] = (cookie ?? "").split("=");
  if (cookie) await window.addCookies([{ name, value, url: address }]);
  await window.addInitScript(() => {
    globalThis.noted = { largest: 0, tasks: [] };
    const note = (type: string, take: (entry: PerformanceEntry) => void) =>
      new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
    note("largest-contentful-paint", ({ startTime }) => {
      noted.largest = startTime;
    });
    note("longtask", ({ duration }) => noted.tasks.push(duration));
  });
  const page = await window.newPage();
  const debug = await window.newCDPSession(page);
  await debug.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  // The observers are told after the task, before the frame after the next.
  const noticed = () =>
    page.evaluate(
      () => new Promise((told) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(told)))),
    );
  return {
    page,
    async largestPaint() {
      await noticed();
      return page.evaluate(() => noted.largest);
    },
    async longestTask(work) {
      await noticed();
      await page.evaluate(() => void noted.tasks.splice(0));
      await work();
      await noticed();
      return Math.max(LONG_MS, ...(await page.evaluate(() => noted.tasks)));
    },
    close: () => window.close(),
  };
}
