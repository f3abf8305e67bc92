import { execFile } from "node:child_process";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { useChromium } from "../../sdk/web/test/support/chromium.ts";
import { setupLink } from "../../server/src/members/index.ts";
import { testService } from "../../server/test/support/service.ts";
import { atEnd, until } from "../../server/test/support/wait.ts";
import { assertSound, useDashboard, visitor } from "./support/dashboard.ts";
import { settled, test } from "./support/stage.ts";

// A service on which nobody has an account yet.

const chromium = useChromium();
useDashboard();
const it = await testService({ roles: "api,worker" });
const address = await it.service.listen();

test.each([
  ["light, in English, on a desktop", {}, "Sign in"],
  ["dark, in German, on a phone", { dark: true, german: true, phone: true }, "Anmelden"],
])("the sign-in is sound, %s", async (_look, look, button) => {
  const page = await (await visitor(chromium.browser, look)).newPage();
  await page.goto(`${address}/sign-in`);
  await page.getByRole("button", { name: button, exact: true }).waitFor();
  await assertSound(page);
});

test("a page that tries to run a script of its own is refused it", async () => {
  const page = await (await visitor(chromium.browser)).newPage();
  await page.goto(`${address}/sign-in`);
  await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
  await page.evaluate(() =>
    document.body.append(
      Object.assign(document.createElement("div"), { innerHTML: "<img src=x onerror='window.ran=1'>" }),
    ),
  );
  const refused = () => page.evaluate(() => globalThis.refused.splice(0).length > 0);
  await until(refused, "the refusal of the script");
  expect(await page.evaluate(() => "ran" in window)).toBe(false);
});

/** Presses Tab until the focus is there. @throws where it never is */
async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await wanted.waitFor();
  for (let i = 0; i < 80; i++) {
    if (await wanted.evaluate((one) => one === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not reach ${wanted}`);
}

async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

test("from the link of the first start to the first message, by keys alone", async () => {
  const window = await visitor(chromium.browser);
  await window.grantPermissions(["clipboard-read", "clipboard-write"], { origin: address });
  const page = await window.newPage();
  const button = (name: string) => page.getByRole("button", { name });
  /** Waits until such a text was copied. */
  const copied = (what: RegExp) =>
    until(async () => {
      const text = await page.evaluate(() => navigator.clipboard.readText());
      return what.test(text) ? text : undefined;
    }, `a copied ${what}`);
  const run = await shell();

  await page.goto((await setupLink(it.service.ground.db, address, new Date())) ?? "");
  await until(() => page.evaluate(() => document.activeElement?.getAttribute("name") === "email"), "the focus");
  await assertSound(page);
  await page.keyboard.type("ada@northwind.example");
  await press(page, "Tab");
  await page.keyboard.type("Ada Lovelace");
  await press(page, "Tab");
  await page.keyboard.type("correct horse battery");
  await press(page, "Enter");
  await page.waitForURL(/\/w\//);
  await settled(page);

  await press(page, "g", "k");
  await tabTo(page, button("New key"));
  await press(page, "Enter");
  await page.getByRole("dialog").getByLabel("Name").waitFor();
  await page.keyboard.type("my terminal");
  await press(page, "Enter");
  await tabTo(page, page.getByRole("dialog").getByRole("button", { name: "Copy: API keys" }));
  await press(page, "Enter");
  const key = await copied(/^tid_sec_/);
  await tabTo(page, button("Done"));
  await press(page, "Enter");

  await press(page, "g", "h");
  for (const step of ["Report a person", "Send them an email"]) {
    const open = page.locator("details[open]").filter({ hasText: step });
    await tabTo(page, open.getByRole("button", { name: "Copy: Call" }));
    await press(page, "Enter");
    await run(await copied(/^curl/), key);
    await page.evaluate(() => navigator.clipboard.writeText(""));
  }
  await page.getByText("2 of 4 steps are done.").waitFor();

  await press(page, "g", "o");
  await page.frameLocator("iframe").getByText("It works, Ada.").waitFor();
  await assertSound(page);
});

/** Returns a function that runs a call as it was copied, with the key in the variable that it names. */
async function shell(): Promise<(call: string, key: string) => Promise<unknown>> {
  const folder = await mkdtemp(join(tmpdir(), "tidings-first-visit-"));
  atEnd(() => rm(folder, { recursive: true }));
  // The machine may have no curl.
  const curl = fileURLToPath(new URL("../../server/test/support/docs/curl.mjs", import.meta.url));
  await writeFile(join(folder, "curl"), `#!/bin/sh\nexec "${process.execPath}" "${curl}" "$@"\n`);
  await chmod(join(folder, "curl"), 0o755);
  const PATH = `${folder}${delimiter}${process.env.PATH}`;
  return (call, key) => promisify(execFile)("sh", ["-c", call], { env: { PATH, TIDINGS_KEY: key } });
}
