import type { Page } from "playwright-core";
import { expect, test as always } from "vitest";
import { setupLink } from "../../server/src/members/index.ts";
import { browserOf } from "../../server/test/support/browser.ts";
import { testService } from "../../server/test/support/service.ts";
import { until } from "../../server/test/support/wait.ts";
import { executablePath, useChromium } from "../../sdk/web/test/support/chromium.ts";
import { useDashboard, visitor } from "./support/dashboard.ts";

// Two people at the same settings, sessions that end, and the ways to sign in.

const test = always.skipIf(!executablePath);
const chromium = useChromium();
useDashboard();
const it = await testService({ encryptionKey: Buffer.alloc(32, 7), env: { ALLOW_PRIVATE_NETWORK: "true" } });
const address = await it.service.listen();
const PASSWORD = "correct horse battery";
const link = await setupLink(it.service.ground.db, address, new Date());
const ada = browserOf(it);
const setup = { email: "ada@example.org", name: "Ada", password: PASSWORD, token: link?.split("#token=")[1] };
const workspace = (await ada.post("/setup", setup)).body.workspaces[0].id as string;
for (const [email, role] of [
  ["grace@example.org", "owner"],
  ["vera@example.org", "viewer"],
]) {
  const { body } = await ada.inWorkspace(workspace, "POST", "/members", { email, role });
  const token = body.invite_url.split("#token=")[1];
  await browserOf(it).post("/invitations/accept", { token, password: PASSWORD, name: email?.split("@")[0] });
}
const settings = async () => (await ada.inWorkspace(workspace, "GET", "/workspace")).body;

/** Signs a member in, in a window of their own, and opens a room. */
async function open(name: string, room: string): Promise<Page> {
  const page = await (await visitor(chromium.browser)).newPage();
  await page.goto(`${address}/sign-in?to=${encodeURIComponent(`/w/${workspace}/${room}`)}`);
  await signIn(page, name);
  await page.getByRole("heading", { level: 1 }).waitFor();
  return page;
}
async function signIn(page: Page, name: string): Promise<void> {
  await page.getByRole("textbox", { name: "Email", exact: true }).fill(`${name}@example.org`);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}
const click = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const said = (page: Page, text: string) => page.getByText(text).first().waitFor();

test("two people change the same settings: the later one learns who changed what, and keeps or takes it", async () => {
  const one = await open("ada", "settings");
  const two = await open("grace", "settings");
  const name = (page: Page) => page.getByRole("textbox", { name: "Name", exact: true });
  const replyTo = (page: Page) => page.getByRole("textbox", { name: "Reply-to" });
  await name(two).fill("Grace's shop");
  await replyTo(one).fill("ada@acme.test");
  await name(one).fill("Ada's shop");
  await click(one, "Save");
  await said(one, "The settings are saved.");

  await click(two, "Save");
  await said(two, "Ada changed this");
  const rows = await two.getByRole("row").allInnerTexts();
  expect(rows.map((row) => row.split("\t"))).toEqual([
    ["Field", "Theirs", "Yours"],
    ["Name", "Ada's shop", "Grace's shop"],
    ["Reply-to", "ada@acme.test", "nothing"],
  ]);
  expect((await settings()).name).toBe("Ada's shop");
  await click(two, "Save mine over it");
  await said(two, "The settings are saved.");
  // What she did not touch is as Ada left it.
  expect(await settings()).toMatchObject({
    name: "Grace's shop",
    sender_defaults: { email_reply_to: "ada@acme.test" },
  });

  await name(one).fill("Ada's market");
  await click(one, "Save");
  await click(one, "Take theirs");
  await until(async () => (await name(one).inputValue()) === "Grace's shop", "her name");
  expect((await settings()).name).toBe("Grace's shop");
});

test("a change of what a form does not show is no conflict, and a wrong value is said at its field", async () => {
  const page = await open("grace", "settings");
  const country = page.getByRole("textbox", { name: "Country of phone numbers" });
  await country.fill("de");
  await ada.inWorkspace(workspace, "PATCH", "/workspace", { marketing_limits: { per_day: 3 } });
  await click(page, "Save");
  await said(page, "must be the two capital letters of a country");
  expect(await country.evaluate((field) => field === document.activeElement)).toBe(true);
  await country.fill("DE");
  await click(page, "Save");
  await said(page, "The settings are saved.");
  expect(await settings()).toMatchObject({ sender_defaults: { country: "DE" }, marketing_limits: { per_day: 3 } });
});

test("unsaved work is not left without a question", async () => {
  const page = await open("grace", "settings");
  const name = page.getByRole("textbox", { name: "Name", exact: true });
  await name.fill("Half a na");
  await page.getByRole("link", { name: "API keys" }).click();
  await said(page, "Leave without saving?");
  await click(page, "Stay");
  expect(await name.inputValue()).toBe("Half a na");
  const asked = page.waitForEvent("dialog");
  await page.close({ runBeforeUnload: true });
  const dialog = await asked;
  expect(dialog.type()).toBe("beforeunload");
  await dialog.dismiss();
  await page.getByRole("link", { name: "API keys" }).click();
  await click(page, "Leave");
  await page.getByRole("heading", { level: 1, name: "API keys" }).waitFor();
});

test("the session ends in the middle of typing: after signing in again, what was typed is saved", async () => {
  const page = await open("grace", "settings");
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("The long name");
  await page.context().clearCookies();
  await click(page, "Save");
  await said(page, "Your session has ended");
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await click(page, "Sign in");
  await said(page, "The settings are saved.");
  expect((await settings()).name).toBe("The long name");
});

test.each(["settings", "identity"])("a viewer can change nothing in %s", async (room) => {
  const page = await open("vera", room);
  await said(page, "Only owners can change");
  const fields = page.locator("main :is(input, select, textarea)");
  expect(await fields.count()).toBeGreaterThan(0);
  for (const field of await fields.all()) expect(await field.isDisabled(), await field.innerHTML()).toBe(true);
});
