import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, expect, onTestFinished } from "vitest";
import { startShop } from "../../examples/shop/server/shop.ts";
import { buildSite } from "../../examples/shop/server/site.ts";
import { pngOf } from "../../server/test/support/images.ts";
import { visitor } from "./support/dashboard.ts";
import { said } from "./support/presses.ts";
import { dashboardStage, PASSWORD, test } from "./support/stage.ts";

// In-app messages: written in the dashboard, sent, and seen in an application.

const stage = await dashboardStage();
const { open, send } = stage;

let site: string;
beforeAll(async () => {
  site = await mkdtemp(join(tmpdir(), "tidings-shop-"));
  await buildSite(site);
  return () => rm(site, { recursive: true, force: true });
}, 120_000);

/** Presses controls and writes in fields, with the focus at each and keys alone. */
const keysOf = (page: Page) => {
  const press = async (role: "link" | "button" | "radio", name: string | RegExp, key = "Enter") => {
    await page.getByRole(role, { name, exact: true }).focus();
    await page.keyboard.press(key);
  };
  const write = async (label: string, text: string) => {
    const field = page.getByRole("textbox", { name: label, exact: true });
    await field.focus();
    // As one pastes it: typed, a browser is asked for each letter.
    await page.keyboard.insertText(text);
  };
  const pick = async (label: string, text: string) => {
    await page.getByRole("combobox", { name: label }).focus();
    await page.keyboard.type(text);
    await page.getByRole("option", { name: text }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
  };
  return { press, write, pick };
};

/** Opens the example shop in a window of its own, in which Ada is logged in. */
async function shopOf(page: Page): Promise<Page> {
  const { secretKey: secret, publicKey } = stage.it;
  const shop = await startShop({
    tidings: stage.address,
    keys: { secret, public: publicKey },
    signing: await send("POST", "/api/v1/signing-secrets", {}),
    site,
    port: 0,
    people: [{ person_id: "ada", name: "Ada" }],
  });
  onTestFinished(() => shop.stop());
  const browser = page.context().browser();
  if (!browser) throw new Error("no browser");
  const window = await (await visitor(browser, { phone: true })).newPage();
  await window.goto(shop.address);
  await window.getByRole("button", { name: "Ada", exact: true }).click();
  await window.getByRole("heading", { name: "Everything for tea" }).waitFor();
  return window;
}

test("a modal is written by keys, sent to an audience, shown and clicked in the shop, and counted in its funnel", async () => {
  // Known to the service before the shop opens: the shop sends its own messages to new people only.
  await send("POST", "/data-gateway/v1/identify", {
    person_id: "ada",
    attributes: { first_name: "Ada", tea: "green" },
  });
  const filter = { attribute: "tea", op: "eq", value: "green" };
  await send("POST", "/api/v1/audiences", { name: "Green tea", filter });
  const page = await open("editor", "audiences");
  const { press, write, pick } = keysOf(page);
  const shop = await shopOf(page);

  await stage.visit(page, "in-app-messages");
  await press("link", "New in-app message");
  await write("Name", "First flush");
  await write("Title", "The first flush, {{ person.first_name }}");
  await write("Text", "Picked in March.");
  await page.getByRole("combobox", { name: "Button" }).focus();
  await page.keyboard.type("Opens a link");
  await write("Words on the button", "See the oolong");
  await write("Address", "/product/oolong");
  await page.getByRole("combobox", { name: "Show on" }).focus();
  await page.keyboard.type("checkout/*");
  await press("button", "Create the message");
  await page.getByRole("heading", { level: 1, name: "First flush" }).waitFor();

  await stage.visit(page, "broadcasts/new?channel=in_app");
  await write("Name", "First flush to green tea");
  await pick("Who gets it", "Green tea");
  await press("button", "Next: Content");
  await pick("In-app message", "First flush");
  await press("button", "Save as a draft");
  await page.waitForURL(/\/broadcasts\/bc_\w+/);
  // What is pressed before the saved broadcast is there is lost.
  await page.getByRole("heading", { level: 1, name: "First flush to green tea" }).waitFor();
  await press("button", "Next: Settings");
  await press("button", "Next: Review");
  // It can't be pressed before the people are counted.
  await said(page, "1 person gets it");
  await press("button", "Send now …");
  await press("button", "Send to 1 person");

  await page.getByRole("link", { name: "Sent: 1" }).waitFor();
  // The first page of the shop is not among its screens, the cart is.
  const on = async (screen: string) =>
    (await send("GET", `/data-gateway/v1/in-app/messages/sync?person_id=ada&screen=${screen}`)).length;
  expect([await on("home"), await on("checkout/cart")]).toEqual([0, 1]);
  const modal = shop.getByRole("dialog", { name: "The first flush, Ada" });
  expect(await modal.count()).toBe(0);
  await shop.getByRole("link", { name: "Cart" }).click();
  await modal.getByText("Picked in March.").waitFor();
  // Without a reload of either page.
  await page.getByRole("link", { name: "Shown: 1" }).waitFor();
  await modal.getByRole("button", { name: "See the oolong" }).click();
  await shop.waitForURL(/\/product\/oolong$/);
  await page.getByRole("link", { name: "Clicked: 1" }).waitFor();
  await said(page, "100% of shown");
});

test("the editor shows what is typed for a person, takes an image by keys, and keeps it where the session ends or somebody else saves", async () => {
  await send("POST", "/data-gateway/v1/identify", { person_id: "mara", attributes: { first_name: "Mara" } });
  const { id } = await send("POST", "/api/v1/in-app-messages", { name: "Sale", render_type: "modal", body: "Today." });
  const { window, member } = await stage.signedInAlone("editor");
  const page = await window.newPage();
  const other = await open("owner", `in-app-messages/${id}`);
  const theirs = other.getByRole("textbox", { name: "Name", exact: true });
  await theirs.fill("Sale of today");
  await stage.visit(page, "media");
  await page
    .locator("input[type=file]")
    .setInputFiles({ name: "leaf.png", mimeType: "image/png", buffer: pngOf(40, 30, 1) });
  await page.getByRole("link", { name: "leaf.png" }).waitFor();

  await stage.visit(page, `in-app-messages/${id}`);
  const { press, write } = keysOf(page);
  const phone = page.getByRole("region", { name: "Phone" });
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Spring sale");
  await write("Title", "For {{ person.first_name }} {{ person.locale }}");
  await write("As", "mara");
  await page.keyboard.press("Enter");
  await phone.getByText("For Mara").waitFor();
  await page.getByRole("combobox", { name: "Language" }).selectOption("pt-BR");
  await phone.getByText("For Mara pt-BR").waitFor();
  await press("button", "Choose an image");
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /leaf\.png/ })
    .focus();
  await page.keyboard.press("Enter");
  await phone.locator("img").waitFor();

  await member.call("DELETE", "/api/v1/session");
  await press("button", "Save");
  await page.getByRole("dialog", { name: "Your session has ended" }).getByLabel("Password", { exact: true }).focus();
  await page.keyboard.insertText(PASSWORD);
  await page.keyboard.press("Enter");
  await said(page, "Saved as version 2.");
  expect(await send("GET", `/api/v1/in-app-messages/${id}`)).toMatchObject({
    title: "For {{ person.first_name }} {{ person.locale }}",
    image_url: expect.stringMatching(/\/media\/.+/),
  });

  // Somebody else has typed all the while, beside the first version.
  await other.getByRole("button", { name: "Save", exact: true }).click();
  await said(other, "Grace Hopper changed this");
  await other.getByRole("button", { name: "Take theirs" }).click();
  expect(await theirs.inputValue()).toBe("Spring sale");
});
