import { expect, test } from "vitest";
import { setupLink } from "../../server/src/members/index.ts";
import { browserOf } from "../../server/test/support/browser.ts";
import { testService } from "../../server/test/support/service.ts";
import { atEnd } from "../../server/test/support/wait.ts";
import { type Driven, missing } from "./support/browsers/driven.ts";
import { firefoxFile, startFirefox } from "./support/browsers/firefox.ts";
import { hasWebKit, startWebKit } from "./support/browsers/webkit.ts";
import { useDashboard } from "./support/dashboard.ts";
import { PASSWORD } from "./support/stage.ts";

// What all other files do in Chromium, once in each of the other two engines.

useDashboard();
const it = await testService({ roles: "api,worker", env: { ALLOW_PRIVATE_NETWORK: "true" } });
const address = await it.service.listen();
const email = "ada@northwind.example";
const token = (await setupLink(it.service.ground.db, address, new Date()))?.split("#token=")[1];
await browserOf(it).post("/setup", { email, password: PASSWORD, name: "Ada Lovelace", token });
await it.call("POST", "/data-gateway/transactionals/email", {
  body: {
    identifiers: { id: "mara" },
    to: "mara@example.com",
    from: "orders@northwind.example",
    subject: "Your order 7",
    body: "<p>It is on its way.</p>",
  },
});

const button = (name: string) => `//button[normalize-space()='${name}']`;
const field = (label: string) => `//*[@id=//label[starts-with(normalize-space(), '${label}')]/@for]`;
const text = (what: string) => `//*[contains(text(), '${what}')]`;
const room = (name: string) => `//nav//a[normalize-space()='${name}']`;
const dialog = "//*[@role='dialog']";

/** Signs in, finds a delivery and reads it, saves a setting, signs out. */
async function play(browser: Driven, workspace: string): Promise<void> {
  await browser.goTo(`${address}/sign-in`);
  await browser.type(field("Email"), email);
  await browser.type(field("Password"), PASSWORD);
  await browser.click(button("Sign in"));
  await browser.click(room("Deliveries"));
  await browser.click("//main//li[@data-index]//a[contains(., 'mara@example.com')]");
  await browser.see(`${dialog}//h2[.='Your order 7']`);
  await browser.click(`${dialog}//button[@aria-label='Close']`);
  await browser.click(room("Workspace"));
  await browser.type(field("Name"), workspace);
  await browser.click(button("Save"));
  await browser.see(text("The settings are saved."));
  await browser.click("//button[contains(., 'Ada Lovelace')]");
  await browser.click("//*[@role='menuitem'][contains(., 'Sign out')]");
  await browser.see(button("Sign in"));
}

const browsers = [
  { name: "Firefox", packages: "firefox-esr", there: Boolean(firefoxFile), start: startFirefox },
  { name: "WebKit", packages: "webkit2gtk-driver xvfb", there: hasWebKit, start: startWebKit },
];
for (const { name, packages, there, start } of browsers) {
  if (!there) missing(name, packages);
  test.skipIf(!there)(
    `${name}: a member signs in, reads a delivery, saves a setting and signs out; no script fails, and the policy refuses nothing`,
    async () => {
      const browser = await start();
      atEnd(() => browser.close());
      await play(browser, `Northwind in ${name}`);
      expect(await browser.faults()).toEqual([]);
      expect((await it.call("GET", "/api/v1/workspace")).body.name).toBe(`Northwind in ${name}`);
    },
    180_000,
  );
}
