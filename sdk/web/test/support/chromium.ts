import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, vi } from "vitest";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];
/** Chromium takes the last such list, so those that Playwright disables are here too, but for other browsers and systems. */
const DISABLED = [
  "AimEnabled",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsFirstBalancedModeAutoEnable",
  "HttpsUpgrades",
  "LensOverlay",
  "MediaRouter",
  "NetworkTimeServiceQuerying",
  "OptimizationHints",
  "PaintHolding",
  "PreconnectToSearch",
  "ThirdPartyStoragePartitioning",
  // A window's address bar and the next page have a process each, which take 0.6 of the 1.1 s of CPU that a page takes.
  "SpareRendererForSitePerProcess",
  "WebUIOmniboxAimPopup",
  "WebUIOmniboxFullPopup",
  "WebUIOmniboxPopup",
];
const QUIET = [
  `--disable-features=${DISABLED.join()}`,
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // A name without https: no locks there, no crypto.randomUUID.
  "--host-resolver-rules=MAP plain.test 127.0.0.1",
];

function find(): string | undefined {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    for (const name of NAMES) {
      try {
        accessSync(join(folder, name), constants.X_OK);
        return join(folder, name);
      } catch {
        // Not in this folder.
      }
    }
  }
  return undefined;
}

/** The system's Chromium. Undefined where there is none, which says so aloud and fails under CI: a skipped test proves nothing. */
export const executablePath = find();
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
