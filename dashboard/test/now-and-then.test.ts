import { expect } from "vitest";
import { resetLink } from "../../server/src/members/index.ts";
import { decodeId } from "../../server/src/platform/ids.ts";
import { assertSound } from "./support/dashboard.ts";
import { click, inDialog, said } from "./support/presses.ts";
import { dashboardStage, PASSWORD, settled, test } from "./support/stage.ts";

// What members do now and then in the rooms of settings: each press is checked at the service.

const stage = await dashboardStage();
const list = async (path: string) => (await stage.send("GET", `/api/v1/${path}`)).data;

test("a topic is made, changed and removed", async () => {
  const page = await stage.open("editor", "topics");
  await click(page, "New topic");
  await page.getByRole("dialog").getByLabel("Name", { exact: true }).fill("Offers");
  await inDialog(page, "Create");
  await said(page, "The topic is created.");
  expect(await list("topics")).toMatchObject([{ name: "Offers", default: "subscribed", exempt_from_limits: false }]);
  await page.getByRole("main").getByText("Offers").click();
  await page.getByRole("dialog").getByLabel("does not get it").check();
  await page.getByRole("dialog").getByLabel("Description").fill("Once a week");
  await assertSound(page);
  await inDialog(page, "Save");
  await said(page, "The topic is saved.");
  expect(await list("topics")).toMatchObject([{ description: "Once a week", default: "unsubscribed" }]);
  await page.getByRole("main").getByText("Offers").click();
  await inDialog(page, "Remove …");
  await inDialog(page, "Remove");
  await said(page, "The topic is removed.");
  expect(await list("topics")).toEqual([]);
});

test("an address is put on the suppression list, found by its beginning, and taken off", async () => {
  const page = await stage.open("editor", "suppressions");
  await click(page, "Add");
  await page.getByRole("dialog").getByText("SMS", { exact: true }).click();
  await page.getByLabel("Number with its country code").fill("no number");
  await inDialog(page, "Add");
  await page.getByRole("dialog").locator("[aria-invalid=true]").waitFor();
  await page.getByLabel("Number with its country code").fill("+41 79 123 45 67");
  await inDialog(page, "Add");
  await said(page, "The address is on the list.");
  expect(await list("suppressions")).toMatchObject([{ channel: "sms", address: "+41791234567", reason: "manual" }]);
  await page.getByLabel("Address, or its beginning").fill("+4179");
  await page.getByRole("main").getByText("+41791234567").waitFor();
  await page.getByRole("button", { name: /^Remove/ }).click();
  await inDialog(page, "Remove");
  await said(page, "The address is off the list.");
  expect(await list("suppressions")).toEqual([]);
});

test("a key is replaced and revoked, a signing secret is made and revoked, and proof of identity is required", async () => {
  const old = await stage.send("POST", "/api/v1/api-keys", { kind: "secret", name: "billing" });
  const page = await stage.open("owner", "keys");
  const works = async (key: string) => (await stage.it.call("GET", "/api/v1/workspace", { key })).status === 200;
  await click(page, "billing …");
  await page.getByRole("menuitem", { name: "Replace …" }).click();
  await page.getByLabel("The old key works").selectOption("no longer");
  await inDialog(page, "Replace");
  const key = (await page.getByText(/^tid_sec_/).textContent()) ?? "";
  await click(page, "Done");
  expect([await works(old.key), await works(key)]).toEqual([false, true]);
  // Until the list is read again, the menu is that of the old key, which then has none.
  await page.getByRole("listitem").filter({ hasText: "billing" }).nth(1).waitFor();
  await click(page, "billing …");
  await page.getByRole("menuitem", { name: "Revoke …" }).click();
  await inDialog(page, "Revoke");
  await said(page, "The key is revoked.");
  expect(await works(key)).toBe(false);

  await stage.visit(page, "identity");
  await click(page, "New secret");
  await said(page, "Copy the secret now");
  await click(page, "Done");
  const [{ kid }] = await list("signing-secrets");
  await page.getByLabel("Required").check();
  await click(page, "Save");
  await inDialog(page, "Require it");
  await said(page, "Saved. It counts within 5 seconds.");
  expect((await stage.send("GET", "/api/v1/workspace")).identity_verification).toBe("required");
  await page.getByRole("button", { name: /^Revoke/ }).click();
  await inDialog(page, "Revoke");
  await said(page, "The secret is revoked.");
  expect(await list("signing-secrets")).toMatchObject([{ kid, revoked_at: expect.any(String) }]);
});

test("somebody is invited, gets another role, and is removed", async () => {
  const page = await stage.open("owner", "members");
  await click(page, "Invite");
  await page.getByRole("dialog").getByLabel("Email").fill("grace@northwind.example");
  await inDialog(page, "Invite");
  await said(page, "Send this link to grace@northwind.example");
  await click(page, "Done");
  const grace = async () =>
    (await list("members")).find(({ email }: { email: string }) => email === "grace@northwind.example");
  await page.getByLabel("Role: grace@northwind.example").selectOption("Editor");
  await said(page, "The role is changed.");
  expect(await grace()).toMatchObject({ role: "editor", status: "invited" });
  await click(page, "Remove: grace@northwind.example");
  await inDialog(page, "Remove");
  await said(page, "Removed.");
  expect(await grace()).toBeUndefined();
});

test("a broadcast is scheduled, copied, canceled and removed; a transactional is removed", async () => {
  const { id } = await stage.send("POST", "/api/v1/broadcasts", {
    name: "Spring",
    channel: "email",
    audience: { all: [] },
    content: { from: "shop@example.com", subject: "Spring", body: "<p>Spring</p>" },
  });
  await stage.send("POST", "/data-gateway/v1/identify", { person_id: "ada", attributes: { email: "ada@example.com" } });
  const statusOf = async (of: string) => (await stage.send("GET", `/api/v1/broadcasts/${of}`)).status;
  const page = await stage.open("editor", `broadcasts/${id}?step=review`);
  await click(page, "Schedule …");
  await page.getByLabel("Day and time").fill("2001-01-01T10:00");
  await said(page, "This time is over.");
  await page.getByLabel("Day and time").fill(new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 16));
  await inDialog(page, "Schedule");
  await said(page, "It is scheduled.");
  expect(await statusOf(id)).toBe("scheduled");
  await click(page, "Copy as a draft");
  await said(page, "This is the copy, a draft.");
  await page.getByRole("heading", { level: 1, name: "Copy of Spring" }).waitFor();
  await stage.visit(page, `${new URL(page.url()).pathname.split("/").slice(3).join("/")}?step=settings`);
  await page.getByLabel("Name", { exact: true }).fill("Copy for later");
  await click(page, "Copy as a draft");
  await click(page, "Stay");
  await page.getByRole("button", { name: "Copy as a draft" }).and(page.locator(":not([data-loading])")).waitFor();
  await click(page, "Remove …");
  await inDialog(page, "Remove");
  await said(page, "The broadcast is removed.");
  await stage.visit(page, `broadcasts/${id}`);
  await click(page, "Cancel …");
  await inDialog(page, "Cancel the broadcast");
  await said(page, "Canceled.");
  expect((await list("broadcasts")).map((one: { name: string; status: string }) => [one.name, one.status])).toEqual([
    ["Copy of Copy of Spring", "draft"],
    ["Spring", "canceled"],
  ]);

  const receipt = await stage.send("POST", "/api/v1/transactionals", {
    name: "Receipt",
    channel: "sms",
    subscription_preference: "all",
    content: { body: "Thank you" },
  });
  await stage.visit(page, `transactionals/${receipt.id}`);
  // What is not saved goes with it: nobody is asked to stay on a page of nothing.
  await page.getByLabel("Name", { exact: true }).fill("Invoice");
  await click(page, "Remove …");
  await inDialog(page, "Remove");
  await said(page, "The transactional is removed.");
  expect(await list("transactionals")).toEqual([]);
});

test("a session is ended elsewhere, a password is changed, and one that is forgotten is set by a link", async () => {
  const { window } = await stage.signedInAlone("editor");
  const { member: other } = await stage.signedInAlone("editor");
  const page = await window.newPage();
  await stage.visit(page, "account");
  const alive = async () => (await other.get("/session")).status === 200;
  expect(await alive()).toBe(true);
  // Those of earlier tests are listed, too.
  const others = page.getByRole("button", { name: "End", exact: true });
  await others.first().waitFor();
  for (let count = await others.count(); count > 0; count--) {
    await others.first().click();
    await others.nth(count - 1).waitFor({ state: "detached" });
  }
  expect(await alive()).toBe(false);
  await page.getByLabel("Current password").fill("a wrong password");
  await page.getByLabel("New password").fill("a sentence that is good");
  await click(page, "Change password");
  await said(page, "is not your current password");
  await page.getByLabel("Current password").and(page.locator(":focus")).waitFor();
  await page.getByLabel("Current password").fill(PASSWORD);
  await click(page, "Change password");
  await said(page, "The password is changed. Your other sessions have ended.");

  const { id } = (await list("members")).find(({ role }: { role: string }) => role === "editor");
  const link = await stage.it.service.ground.db.transaction((tx) =>
    resetLink(tx, stage.address, { memberId: decodeId("mem", id) ?? "", now: new Date() }),
  );
  await page.goto(link);
  await page.getByLabel("New password").fill("another sentence");
  await click(page, "Set the password");
  await said(page, "The password is set. Sign in with it.");
  await page.getByLabel("Email").fill("editor@northwind.example");
  await page.getByLabel("Password", { exact: true }).fill("another sentence");
  await click(page, "Sign in");
  await page.waitForURL(/\/w\//);
  await settled(page);
});
