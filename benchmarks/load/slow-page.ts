import type { Browser, Page } from "playwright-core";

/** A page on a machine whose processor is four times slower, with what the browser itself notes about it. */
export interface SlowPage {
  page: Page;
  /** When the largest part of the page appeared, in ms since the navigation. */
  largestPaint(): Promise<number>;
  /**
   * Calls `work`, and returns how much of the slowed processor the longest task of the page's thread took meanwhile, in ms: keys wait for it.
   * The time that other programs had the processor is not in it.
   */
  longestTask(work: () => Promise<void>): Promise<number>;
  close(): Promise<void>;
}

const SLOWER = 4;

declare global {
  var largest: number;
}

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** Microseconds of the processor, of tasks. */
  tdur?: number;
  args?: { name?: string };
}

/** Opens it with nothing in its cache. `cookie` signs it in. */
export async function slowPage(browser: Browser, address: string, cookie?: string): Promise<SlowPage> {
  const window = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "en-GB" });
  window.setDefaultTimeout(60_000);
  const [name = "", value = ""] = (cookie ?? "").split("=");
  if (cookie) await window.addCookies([{ name, value, url: address }]);
  await window.addInitScript(() => {
    globalThis.largest = 0;
    new PerformanceObserver((list) => {
      for (const { startTime } of list.getEntries()) globalThis.largest = startTime;
    }).observe({ type: "largest-contentful-paint", buffered: true });
  });
  const page = await window.newPage();
  const debug = await window.newCDPSession(page);
  await debug.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  // The observer is told after the task, before the frame after the next.
  const noticed = () =>
    page.evaluate(
      () => new Promise((told) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(told)))),
    );
  return {
    page,
    async largestPaint() {
      await noticed();
      return page.evaluate(() => globalThis.largest);
    },
    async longestTask(work) {
      await noticed();
      await browser.startTracing(page, { categories: ["toplevel"] });
      await work();
      await noticed();
      return longestTask(await browser.stopTracing());
    },
    close: () => window.close(),
  };
}

function longestTask(trace: Buffer): number {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const threads = traceEvents.filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain");
  const ofPages = new Set(threads.map(({ pid, tid }) => `${pid} ${tid}`));
  const tasks = traceEvents.filter(({ pid, tid, tdur }) => tdur !== undefined && ofPages.has(`${pid} ${tid}`));
  if (tasks.length === 0) throw new Error("the browser traced no task of the page");
  return tasks.reduce((most, { tdur = 0 }) => Math.max(most, tdur), 0) / 1_000;
}
