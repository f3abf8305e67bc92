import { expect, test as always } from "vitest";
import { testService } from "../../server/test/support/service.ts";
import { executablePath, useChromium } from "../../sdk/web/test/support/chromium.ts";
import { assertSound, useDashboard, visitor } from "./support/dashboard.ts";

const test = always.skipIf(!executablePath);
const chromium = useChromium();
useDashboard();
const it = await testService();
const address = await it.service.listen();

test.each([
  ["light, in English, on a desktop", {}, "Sign in"],
  ["dark, in German, on a phone", { dark: true, german: true, phone: true }, "Anmelden"],
])("the sign-in is sound, %s", async (_look, look, button) => {
  const page = await (await visitor(chromium.browser, look)).newPage();
  await page.goto(`${address}/sign-in`);
  await page.getByRole("button", { name: button }).waitFor();
  await assertSound(page);
});

test("a page that tries to run a script of its own is refused it", async () => {
  const page = await (await visitor(chromium.browser)).newPage();
  await page.goto(`${address}/sign-in`);
  await page.getByRole("button", { name: "Sign in" }).waitFor();
  const refused = await page.evaluate(() => {
    document.body.append(
      Object.assign(document.createElement("div"), { innerHTML: "<img src=x onerror='window.ran=1'>" }),
    );
    return new Promise((resolve) =>
      setTimeout(() => resolve([globalThis.refused.splice(0).length > 0, "ran" in window]), 200),
    );
  });
  expect(refused).toEqual([true, false]);
});
