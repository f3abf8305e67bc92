import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { beforeAll, expect, onTestFinished } from "vitest";

declare global {
  var refused: string[];
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Builds the dashboard once for all test files: nothing happens if the build is of these sources already. */
export function useDashboard(): void {
  const build = fileURLToPath(new URL("../../build.ts", import.meta.url));
  beforeAll(async () => {
    await promisify(execFile)(process.execPath, [build]);
  }, 120_000);
}

export interface Look {
  dark?: boolean;
  phone?: boolean;
  german?: boolean;
  /** What a desktop of 1280 x 1024 shows at 400 % (WCAG 1.4.10). */
  zoomed?: boolean;
}

/** The size of a window of this look. */
export const sizeOf = ({ phone, zoomed }: Look) =>
  zoomed ? { width: 320, height: 256 } : phone ? { width: 375, height: 740 } : { width: 1280, height: 800 };

/** A window of a browser, which notes what went wrong in it. */
export interface Watched {
  window: BrowserContext;
  /** Fails if the policy of a page refused anything, or a script failed, since it was asked last. */
  assertQuiet(): Promise<void>;
}

/** Opens a window that shows what this look says. */
export async function watchedWindow(browser: Browser, look: Look = {}): Promise<Watched> {
  const window = await browser.newContext({
    viewport: sizeOf(look),
    colorScheme: look.dark ? "dark" : "light",
    locale: look.german ? "de-DE" : "en-GB",
    reducedMotion: "reduce",
  });
  window.setDefaultTimeout(30_000);
  await window.addInitScript(() => {
    globalThis.refused = [];
    document.addEventListener("securitypolicyviolation", (event) =>
      refused.push(`${event.violatedDirective} ${event.blockedURI}`),
    );
  });
  const errors: string[] = [];
  window.on("weberror", (error) => errors.push(String(error.error())));
  // React writes the errors that it catches. What the browser itself writes, such as an answer that is an error, has no arguments.
  window.on("console", (said) => {
    if (said.type() === "error" && said.args().length > 0) errors.push(said.text());
  });
  const assertQuiet = async () => {
    for (const page of window.pages()) expect(await page.evaluate(() => refused), page.url()).toEqual([]);
    expect(errors.splice(0)).toEqual([]);
  };
  return { window, assertQuiet };
}

/** Opens a window for one test, which fails if something went wrong in it. */
export async function visitor(browser: Browser, look: Look = {}): Promise<BrowserContext> {
  const { window, assertQuiet } = await watchedWindow(browser, look);
  onTestFinished(() => assertQuiet().finally(() => window.close()));
  return window;
}

interface Finding {
  id: string;
  impact: string;
  nodes: { html: string; failureSummary: string }[];
}

// `region` takes a third of the time, and axe calls what it finds moderate. What `preload` fetches, no rule that is on reads.
const AXE =
  '{ preload: false, rules: { "target-size": { enabled: true }, region: { enabled: false } }, resultTypes: ["violations"] }';

/** A branch of a tree is named by itself. What axe takes for its label is the text of all that is in it. */
const isBranch = (id: string, html: string) =>
  id === "label-content-name-mismatch" && /^<[^>]*aria-expanded/.test(html);

/** Looks at the open page: axe finds nothing serious, each target is 24 px or has that room, nothing scrolls sideways, nothing moves. */
export async function assertSound(page: Page): Promise<void> {
  // Through the debugger, which the page's policy does not restrict; 550 KB that only a page that is looked at needs.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe);
  const { violations } = (await page.evaluate(`axe.run(document, ${AXE})`)) as { violations: Finding[] };
  const grave = violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes
        .filter(({ html }) => !isBranch(id, html))
        .map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    );
  expect(grave, page.url()).toEqual([]);
  await assertFits(page);
}

/** Nothing scrolls sideways but what a person writes or copies, and nothing moves by itself: all windows ask for less motion. */
export async function assertFits(page: Page): Promise<void> {
  // After a change of the window's size the canvas of a journey fits one frame later.
  await expect.poll(() => wideIn(page), { message: `${page.url()} scrolls sideways`, timeout: 5_000 }).toEqual([]);
  // The placeholder of what is being read moves until it is there.
  await expect.poll(() => movingIn(page), { message: `${page.url()} moves`, timeout: 10_000 }).toEqual([]);
}

const wideIn = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const scrolls = (one: Element) =>
      one === document.documentElement ||
      (/auto|scroll/.test(getComputedStyle(one).overflowX) && !one.matches("pre, textarea, [data-scrolls-sideways]"));
    const named = (one: Element) =>
      `${one.tagName.toLowerCase()}.${one.className} by ${one.scrollWidth - one.clientWidth} px, widest ${widest(one)}`;
    const rightOf = (one: Element) => one.getBoundingClientRect().right;
    const widest = (one: Element) =>
      [...one.querySelectorAll("*")].toSorted((a, b) => rightOf(b) - rightOf(a))[0]?.outerHTML.slice(0, 200);
    return [...document.querySelectorAll("*")]
      .filter((one) => one.scrollWidth > one.clientWidth + 1 && scrolls(one))
      .map(named);
  });

const movingIn = (page: Page): Promise<(string | undefined)[]> =>
  page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ playState }) => playState === "running")
      .map(({ effect }) => ((effect as KeyframeEffect).target as Element | null)?.outerHTML.slice(0, 200)),
  );
