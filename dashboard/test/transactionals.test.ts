import type { Page } from "playwright-core";
import { beforeAll, expect } from "vitest";
import { until } from "../../server/test/support/wait.ts";
import { assertSound } from "./support/dashboard.ts";
import { said } from "./support/presses.ts";
import { dashboardStage, PASSWORD, settled, test } from "./support/stage.ts";

// Transactionals are written and read.

const stage = await dashboardStage();
beforeAll(async () => {
  await stage.send("PATCH", "/api/v1/workspace", { sender_defaults: { email_from: "Shop <hello@acme.example>" } });
  const attributes = { email: "ada@acme.example", first_name: "Ada" };
  await stage.send("POST", "/data-gateway/v1/identify", { person_id: "ada", attributes });
  const known = async () => (await stage.send("GET", "/api/v1/catalog/attributes")).data.length > 1;
  await until(known, "the attributes in the catalog");
});
let made = 0;
const make = async (name: string) =>
  stage.send("POST", "/api/v1/transactionals", {
    name,
    trigger_name: `made_${++made}`,
    channel: "sms",
    subscription_preference: "all",
    content: { body: "Your code is {{trigger.code}}." },
  });
const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });

test("a transactional is written by keys alone, tried on a person, and says why another one did not get it", async () => {
  const gone = { person_id: "gone", attributes: { email: "gone@acme.example", subscribed: false } };
  await stage.send("POST", "/data-gateway/v1/identify", gone);
  const page = await stage.open("editor", "transactionals");
  await page.evaluate(() => {
    document.addEventListener("pointerdown", () => document.body.setAttribute("data-pointed", ""), true);
  });
  const press = async (role: "button" | "link" | "radio" | "tab", name: string, key = "Enter") => {
    await page.getByRole(role, { name, exact: true }).focus();
    await page.keyboard.press(key);
  };
  const write = async (name: string, text: string) => {
    await field(page, name).focus();
    await page.keyboard.insertText(text);
  };
  // Each list says how a program reads the same.
  await page.getByText(`${stage.address}/api/v1/transactionals'`).waitFor();
  await press("link", "New transactional");
  await write("Name", "Sign-in code");
  await write("Trigger name", "sign_in_code");
  await press("radio", "SMS", "Space");
  await press("radio", "Email", "Space");
  await write("Subject", "Your code, {{ person.first_name }}");
  await write("HTML", "<p>It is {{ trigger.code }}.</p>");
  await write("As", "ada");
  await page.keyboard.press("Enter");
  await said(page, "Your code, Ada");
  // How it will be called is known before it is made.
  await press("tab", "Call it");
  await page.getByRole("row", { name: "code any yes" }).waitFor();
  await said(page, /"transactional_message_id": "sign_in_code"/);
  await press("tab", "Message");
  await press("button", "Create");
  await page.getByRole("heading", { level: 1, name: "Sign-in code" }).waitFor();
  await press("tab", "Call it");
  // The fields of its contract, and the samples in its call.
  await page.getByRole("row", { name: "code any yes" }).waitFor();
  await said(page, '"transactional_message_id": "sign_in_code"');
  const sample = async () => (await field(page, "Data of the call (JSON)").inputValue()).includes('"code": "code"');
  await until(sample, "the sample of the contract");
  const tried = async (person: string) => {
    await field(page, "Person").focus();
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText(person);
    await page.keyboard.press("Enter");
    await press("button", "Send");
    await page
      .getByRole("paragraph")
      .filter({ hasText: `${person}@acme.example` })
      .waitFor();
  };
  await tried("ada");
  const { data } = await stage.send("GET", "/api/v1/deliveries?person_id=ada");
  const { content } = await stage.send("GET", `/api/v1/deliveries/${data[0].id}`);
  expect(content).toMatchObject({ subject: "Your code, Ada", body: expect.stringContaining("It is code.") });
  await tried("gone");
  await press("tab", "Results");
  await page.getByRole("link", { name: "Sent: 1" }).waitFor();
  await press("link", "The person wants no messages at all. 1");
  await page.getByRole("list").getByText("gone").first().waitFor();
  expect(await page.locator("body[data-pointed]").count()).toBe(0);
});

test("a viewer reads it all, and can change nothing", async () => {
  const { id } = await make("Read only");
  const page = await stage.open("viewer", `transactionals/${id}`);
  await page.locator(".cm-content").first().waitFor();
  await field(page, "Text").press("x");
  expect(await field(page, "Text").textContent()).toBe("Your code is {{trigger.code}}.");
  expect(await field(page, "Name").isDisabled()).toBe(true);
  expect(await page.getByRole("button", { name: "Remove …" }).isDisabled()).toBe(true);
  await assertSound(page);
  await stage.visit(page, `transactionals/${id}?tab=call`);
  expect(await page.getByRole("button", { name: "Send", exact: true }).count()).toBe(0);
  await stage.visit(page, "transactionals");
  expect(await page.getByRole("button", { name: "New transactional" }).isDisabled()).toBe(true);
});

test("a session that ends in the middle of writing loses no letter, and neither does a change by somebody else", async () => {
  const { id } = await make("Reminder");
  const { window, member } = await stage.signedInAlone("editor");
  const page = await window.newPage();
  await stage.visit(page, `transactionals/${id}`);
  await page.locator(".cm-content").first().waitFor();
  await field(page, "Text").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(" Keep it secret.");
  await member.call("DELETE", "/api/v1/session");
  // Not by the mouse: where the preview was the first to learn of the end, the dialog covers the button.
  await page.getByRole("button", { name: "Save" }).evaluate((save: HTMLElement) => save.click());
  const dialog = page.getByRole("dialog", { name: "Your session has ended" });
  await dialog.waitFor();
  await stage.send("PATCH", `/api/v1/transactionals/${id}`, { name: "Reminder of a code" });
  await dialog.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Save mine over it" }).click();
  await said(page, "The transactional is saved.");
  const now = await stage.send("GET", `/api/v1/transactionals/${id}`);
  expect(now.name).toBe("Reminder of a code");
  expect(now.content).toEqual({ body: "Your code is {{trigger.code}}. Keep it secret." });
  await page.reload();
  await settled(page);
});
