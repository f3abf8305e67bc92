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
}

/** Opens a window. The test fails if the policy of a page refused anything in it, or a script failed. */
export async function visitor(browser: Browser, { dark, phone, german }: Look = {}): Promise<BrowserContext> {
  const at = await browser.newContext({
    viewport: phone ? { width: 375, height: 740 } : { width: 1280, height: 800 },
    colorScheme: dark ? "dark" : "light",
    locale: german ? "de-DE" : "en-GB",
    reducedMotion: "reduce",
  });
  at.setDefaultTimeout(30_000);
  // Through the debugger, which the page's policy does not restrict.
  await at.addInitScript(axe);
  await at.addInitScript(() => {
    globalThis.refused = [];
    document.addEventListener("securitypolicyviolation", (event) =>
      refused.push(`${event.violatedDirective} ${event.blockedURI}`),
    );
  });
  const errors: string[] = [];
  at.on("weberror", (error) => errors.push(String(error.error())));
  onTestFinished(async () => {
    for (const page of at.pages()) expect(await page.evaluate(() => refused), page.url()).toEqual([]);
    expect(errors).toEqual([]);
    await at.close();
  });
  return at;
}

interface Finding {
  id: string;
  impact: string;
  nodes: { html: string; failureSummary: string }[];
}

/** Looks at the open page: axe finds nothing serious, and nothing scrolls sideways. */
export async function assertSound(page: Page): Promise<void> {
  const { violations } = (await page.evaluate("axe.run(document)")) as { violations: Finding[] };
  const grave = violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
  expect(grave, page.url()).toEqual([]);
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(beyond, `${page.url()} scrolls sideways`).toBeLessThanOrEqual(0);
}
