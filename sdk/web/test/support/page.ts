import type { Browser, BrowserContext, Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { until } from "../../../../server/test/support/wait.ts";
import type { createTidings as CreateTidings, Tidings } from "../../src/index.ts";
import type { Stage } from "./stage.ts";

declare global {
  var createTidings: typeof CreateTidings;
  var tidings: Tidings;
  var errors: string[];
  var refused: string[];
}

/** Opens a browser of one person; its tabs share the storage. */
export async function context(browser: Browser): Promise<BrowserContext> {
  const made = await browser.newContext();
  // Twice Playwright's default of 30 s, which a loaded machine exceeds now and then.
  made.setDefaultTimeout(60_000);
  onTestFinished(async () => {
    // A call that a test holds back goes on when the page closes, and would fail outside of any test.
    await made.unrouteAll({ behavior: "ignoreErrors" });
    await made.close();
  });
  return made;
}

/** Opens the page and creates Tidings in it. */
export async function open(
  at: BrowserContext,
  address: string,
  it: Stage,
  { personId, screen }: { personId: string; screen?: string },
): Promise<Page> {
  const page = await at.newPage();
  await page.goto(address);
  await create(page, it, personId, screen);
  return page;
}

/** Creates Tidings in a page that is open. */
export async function create(page: Page, it: Stage, personId: string, screen?: string): Promise<void> {
  await page.waitForFunction(() => globalThis.createTidings);
  const options = { baseUrl: it.address, apiKey: it.publicKey, personId, screen };
  await page.evaluate(({ screen, ...given }) => {
    globalThis.errors = [];
    globalThis.tidings = createTidings({ ...given, onError: (error) => errors.push(String(error)) });
    if (screen) tidings.setScreen(screen);
  }, options);
}

/** Returns the messages that the page may show. */
export const shown = (page: Page): Promise<string[]> =>
  page.evaluate(() => tidings.messages.map(({ delivery_id }) => delivery_id));
/** Less than the 48 s after which a page polls: a message that is there by then came over the stream. */
export const see = (page: Page, deliveryId: string, ms = 40_000) =>
  until(async () => (await shown(page)).includes(deliveryId), "the message", ms);
