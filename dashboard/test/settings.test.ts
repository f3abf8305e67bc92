import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { encode } from "uqr";
import { expect } from "vitest";
import { codeOf } from "../../server/test/support/authenticator.ts";
import { identityProvider } from "../../server/test/support/network/identity-provider.ts";
import { until } from "../../server/test/support/wait.ts";
import { visitor } from "./support/dashboard.ts";
import { click, said } from "./support/presses.ts";
import { dashboardStage, PASSWORD, test } from "./support/stage.ts";

// Two people at the same settings, work that is not saved, and the ways to sign in.

/** Passkeys belong to the host of PUBLIC_URL, so the port must be known before the start. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
const port = await freePort();
const site = `http://localhost:${port}`;
const stage = await dashboardStage({
  encryptionKey: Buffer.alloc(32, 7),
  env: { PORT: String(port), PUBLIC_URL: site },
});
const { members, workspace, open } = stage;
const settings = () => stage.send("GET", "/api/v1/workspace");

const nameOf = (page: Page) => page.getByRole("textbox", { name: "Name", exact: true });

test("two people change the same settings: the later one learns who changed what, and keeps or takes it", async () => {
  const { body } = await members.owner.inWorkspace(workspace, "GET", "/members");
  const editor = body.data.find(({ email }: { email: string }) => email.startsWith("editor"));
  await members.owner.inWorkspace(workspace, "PATCH", `/members/${editor.id}`, { role: "owner" });
  const [one, two] = [await open("owner", "settings"), await open("editor", "settings")];
  await nameOf(two).fill("Grace's shop");
  await one.getByRole("textbox", { name: "Reply-to" }).fill("ada@acme.test");
  await nameOf(one).fill("Ada's shop");
  await click(one, "Save");
  await said(one, "The settings are saved.");

  await click(two, "Save");
  await said(two, "Ada Lovelace changed this");
  const rows = await two.getByRole("row").allInnerTexts();
  expect(rows.map((row) => row.split("\t"))).toEqual([
    ["Field", "Theirs", "Yours"],
    ["Name", "Ada's shop", "Grace's shop"],
    ["Reply-to", "ada@acme.test", "not touched"],
  ]);
  expect((await settings()).name).toBe("Ada's shop");
  // A page in which nothing is typed would show her version at once.
  await nameOf(one).fill("Ada's market");
  await click(two, "Save mine over it");
  await said(two, "The settings are saved.");
  // What she did not touch is as Ada left it.
  expect(await settings()).toMatchObject({
    name: "Grace's shop",
    sender_defaults: { email_reply_to: "ada@acme.test" },
  });

  await click(one, "Save");
  await click(one, "Take theirs");
  await until(async () => (await nameOf(one).inputValue()) === "Grace's shop", "her name");
  expect((await settings()).name).toBe("Grace's shop");
});

test("a change of what a form does not show is no conflict, and a wrong value is said at its field", async () => {
  const page = await open("owner", "settings");
  const country = page.getByRole("textbox", { name: "Country of phone numbers" });
  await country.fill("de");
  await stage.send("PATCH", "/api/v1/workspace", { marketing_limits: { per_day: 3 } });
  await click(page, "Save");
  await said(page, "must be the two capital letters of a country");
  expect(await country.evaluate((field) => field === document.activeElement)).toBe(true);
  await country.fill("DE");
  await click(page, "Save");
  await said(page, "The settings are saved.");
  expect(await settings()).toMatchObject({ sender_defaults: { country: "DE" }, marketing_limits: { per_day: 3 } });
});

test("unsaved work is not left without a question", async () => {
  const page = await open("owner", "settings");
  await nameOf(page).fill("Half a na");
  const keys = page.getByRole("navigation").getByRole("link", { name: "API keys" });
  await keys.click();
  await said(page, "Leave without saving?");
  await click(page, "Stay");
  expect(await nameOf(page).inputValue()).toBe("Half a na");
  const asked = page.waitForEvent("dialog");
  await page.close({ runBeforeUnload: true });
  const dialog = await asked;
  expect(dialog.type()).toBe("beforeunload");
  await dialog.dismiss();
  await keys.click();
  await click(page, "Leave");
  await page.getByRole("heading", { level: 1, name: "API keys" }).waitFor();
});

test("a sentence says what the limits mean, and a list of suppressed addresses is imported with its refused lines", async () => {
  const page = await open("owner", "limits");
  const all = page.getByRole("group", { name: "All channels" });
  await all.getByLabel("In any 24 hours").fill("2");
  await all.getByLabel("Sent").selectOption("Only at certain times");
  await all.getByLabel("From").fill("09:00");
  for (const day of ["Mon", "Tue", "Wed"]) await all.getByText(day, { exact: true }).click();
  await said(page, "A person gets at most 2 in any 24 hours, on Mon–Wed, after 09:00.");
  await click(page, "Save");
  await said(page, "The limits are saved.");
  const window = { from: "09:00", days: ["mon", "tue", "wed"] };
  expect((await settings()).marketing_limits).toEqual({ per_day: 2, window });

  await stage.visit(page, "suppressions");
  await click(page, "Import");
  const csv = Buffer.from("email,reason\none@example.com,complaint\nnot an address,manual\n");
  await page.locator("input[type=file]").setInputFiles({ name: "list.csv", mimeType: "text/csv", buffer: csv });
  await page.getByRole("dialog").getByRole("button", { name: "Import" }).click();
  await said(page, "2 lines: 1 new, 0 known, 1 refused.");
  await page.getByText("Refused lines").click();
  await said(page, "Line 3:");
  await said(page, "one@example.com");
});

test("a passkey is added in the account and signs in", async () => {
  const { window } = await stage.signedInAlone("viewer");
  const page = await window.newPage();
  const debug = await window.newCDPSession(page);
  await debug.send("WebAuthn.enable");
  await debug.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await enter(page, "viewer");
  await page.goto(`${site}/w/${workspace}/account`);
  await click(page, "Add a passkey");
  await nameOf(page).last().fill("My laptop");
  await click(page, "Go on");
  await said(page, "The passkey is added.");
  await said(page, "My laptop");
  await window.clearCookies();
  await page.goto(`${site}/sign-in`);
  await click(page, "Sign in with a passkey");
  await page.waitForURL(/\/w\//);
  await page.goto(`${site}/w/${workspace}/account`);
  await click(page, "Remove: My laptop");
  await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
  await said(page, "The passkey is removed.");
});

/** Signs in by address and password, on the host of PUBLIC_URL. */
async function enter(page: Page, role: string, code?: string): Promise<void> {
  await page.goto(`${site}/sign-in`);
  await page.getByRole("textbox", { name: "Email", exact: true }).fill(`${role}@northwind.example`);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await click(page, "Sign in");
  if (code) {
    await page.getByRole("textbox", { name: "Code" }).fill(code);
    await click(page, "Sign in");
  }
  await page.waitForURL(/\/w\//);
}

test("a second factor is set up by its QR code, and a recovery code of the file signs in once", async () => {
  const page = await open("viewer", "account");
  await click(page, "Set it up");
  const uri = await page.getByRole("link", { name: "Open the app on this device" }).getAttribute("href");
  const drawn = await page.getByRole("img", { name: "QR code of the key" }).locator("path").getAttribute("d");
  const { data } = encode(uri ?? "", { ecc: "M", border: 0 });
  const dark = data.flatMap((row, y) => row.flatMap((on, x) => (on ? [`${x} ${y}`] : [])));
  expect([...(drawn ?? "").matchAll(/M(\d+ \d+)h1v1h-1z/g)].map(([, at]) => at)).toEqual(dark);
  const secret = new URL(uri ?? "").searchParams.get("secret") ?? "";
  await page.getByRole("textbox", { name: "Code" }).fill(codeOf(secret));
  await click(page, "Confirm");
  const saving = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download" }).click();
  const codes = (await readFile(await (await saving).path(), "utf8")).trim().split("\n");
  expect(codes).toHaveLength(10);
  await enter(page, "viewer", codes[3]);
});

test("an owner sets up an identity provider, and somebody new signs in through it with the role of the mapping", async () => {
  const provider = await identityProvider();
  const page = await open("owner", "members");
  await click(page, "Set it up");
  await page.getByLabel("Issuer").fill(provider.issuer);
  await page.getByLabel("Client id").fill("tidings");
  await page.getByLabel("Client secret").fill("secret");
  await page.getByRole("switch", { name: "The provider gives the roles" }).check();
  await page.getByRole("combobox", { name: "Editors" }).fill("marketing");
  await page.keyboard.press("Enter");
  await click(page, "Save");
  await said(page, "by the claim “groups”");

  const elsewhere = await (await visitor(page.context().browser() as never)).newPage();
  await elsewhere.goto(`${site}/sign-in?to=/w/${workspace}/members`);
  await click(elsewhere, "Sign in with your organisation");
  await elsewhere.waitForURL(`${provider.issuer}/**`);
  const asked = new URL(elsewhere.url()).searchParams;
  const back = `${asked.get("redirect_uri")}?code=x&state=${asked.get("state")}`;
  const claims = { sub: "42", email: "new@northwind.example", name: "Nina" };
  provider.says({ ...claims, groups: ["sales"] }, asked.get("nonce") ?? "");
  await elsewhere.goto(back);
  await said(elsewhere, "gives you no role in this workspace");
  await elsewhere.goto(`${site}/api/v1/oidc/start?workspace=${workspace}`);
  const again = new URL(elsewhere.url()).searchParams;
  provider.says({ ...claims, groups: ["marketing"] }, again.get("nonce") ?? "");
  await elsewhere.goto(`${again.get("redirect_uri")}?code=x&state=${again.get("state")}`);
  await elsewhere.waitForURL(/\/w\//);
  const list = (await members.owner.inWorkspace(workspace, "GET", "/members")).body.data;
  expect(list).toContainEqual(expect.objectContaining({ email: "new@northwind.example", role: "editor" }));
});
