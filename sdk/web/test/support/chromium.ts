import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, vi } from "vitest";
import { chromiumFile, NAMES, QUIET } from "./chromium-file.ts";

/** The system's Chromium. Undefined where there is none, which says so aloud and fails under CI: a skipped test proves nothing. */
export const executablePath = chromiumFile;
if (!executablePath) {
  const message = `the browser tests need one of ${NAMES.join(", ")} on the PATH (Debian: apt install chromium)`;
  if (process.env.CI) throw new Error(message);
  console.warn(`SKIPPED: ${message}`);
}

/** A browser, a service and a page take half a minute to start where six other programs want the same two processors. */
const PATIENCE_MS = 120_000;

/** The browser of this worker. It ends with the process, whose end closes the pipe between them. */
let shared: Promise<Browser> | undefined;

/** Starts the worker's browser at the first call, and again where a test ended it: a start takes 0.7 s of CPU, and 30 files need one. */
async function browserOfWorker(executable: string): Promise<Browser> {
  const running = await shared;
  if (running?.isConnected()) return running;
  shared = chromium.launch({ executablePath: executable, args: QUIET, timeout: PATIENCE_MS });
  return shared;
}

/** The browser for a test file, whose tests wait as long as a loaded machine needs. What a file opens in it, the file closes. */
export function useChromium(): { browser: Browser } {
  const used = {} as { browser: Browser };
  vi.setConfig({ testTimeout: PATIENCE_MS, hookTimeout: PATIENCE_MS });
  beforeAll(async () => {
    if (executablePath) used.browser = await browserOfWorker(executablePath);
  });
  afterAll(() => Promise.all(used.browser?.contexts().map((context) => context.close()) ?? []));
  return used;
}
