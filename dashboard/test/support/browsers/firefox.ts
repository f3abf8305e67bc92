import { launch } from "puppeteer-core";
import { programOf } from "../../../../sdk/web/test/support/program.ts";
import { type Driven, PATIENCE_MS } from "./driven.ts";

/** Firefox of the system. Undefined where there is none. */
export const firefoxFile = programOf(["firefox-esr", "firefox"]);

/** Starts it without a window. Puppeteer speaks WebDriver BiDi with it, which needs no driver between them. */
export async function startFirefox(): Promise<Driven> {
  const browser = await launch({
    browser: "firefox",
    executablePath: firefoxFile as string,
    defaultViewport: { width: 1280, height: 800 },
    // As all windows of the tests: a click on what still moves misses it.
    extraPrefsFirefox: { "ui.prefersReducedMotion": 1 },
    timeout: PATIENCE_MS,
    protocolTimeout: PATIENCE_MS,
  });
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" && /Content.Security.Policy/.test(message.text())) faults.push(message.text());
  });
  const at = (xpath: string) => page.locator(`::-p-xpath(${xpath})`);
  return {
    goTo: async (url) => void (await page.goto(url)),
    see: async (xpath) => void (await at(xpath).setVisibility("visible").wait()),
    click: (xpath) => at(xpath).click(),
    type: (xpath, text) => at(xpath).fill(text),
    faults: async () => faults,
    close: () => browser.close(),
  };
}
