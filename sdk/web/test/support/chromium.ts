import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, vi } from "vitest";
import { findChromium, NAMES, QUIET } from "./chromium-file.ts";

/** The system's Chromium. Undefined where there is none, which says so aloud and fails under CI: a skipped test proves nothing. */
export const executablePath = findChromium();
if (!executablePath) {
  const message = `the browser tests need one of ${NAMES.join(", ")} on the PATH (Debian: apt install chromium)`;
  if (process.env.CI) throw new Error(message);
  console.warn(`SKIPPED: ${message}`);
}

/** A browser, a service and a page take half a minute to start where six other programs want the same two processors. */
const PATIENCE_MS = 120_000;

/** One browser for the test file, whose tests wait as long as a loaded machine needs. */
export function useChromium(): { browser: Browser } {
  const used = {} as { browser: Browser };
  vi.setConfig({ testTimeout: PATIENCE_MS, hookTimeout: PATIENCE_MS });
  beforeAll(async () => {
    if (executablePath) used.browser = await chromium.launch({ executablePath, args: QUIET, timeout: PATIENCE_MS });
  });
  afterAll(() => used.browser?.close());
  return used;
}
