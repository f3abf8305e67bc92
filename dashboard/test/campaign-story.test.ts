import type { Page } from "playwright-core";
import { beforeAll, expect } from "vitest";
import { until } from "../../server/test/support/wait.ts";
import { assertKeyboard } from "./support/keyboard.ts";
import { said } from "./support/presses.ts";
import { dashboardStage, settled, test } from "./support/stage.ts";

// A campaign from an empty page to people inside whose journey changes: once by the mouse on the canvas, once by keys alone in the outline.

const stage = await dashboardStage();
const PEOPLE = ["mara", "jonas", "priya"];
beforeAll(async () => {
  await stage.send("PATCH", "/api/v1/workspace", { sender_defaults: { email_from: "Shop <hello@acme.example>" } });
  for (const person_id of [...PEOPLE, "new"]) {
    const attributes = { email: `${person_id}@acme.example`, first_name: person_id };
    await stage.send("POST", "/data-gateway/v1/identify", { person_id, attributes });
  }
});

const of = (page: Page, rest = "") => stage.send("GET", `/api/v1/campaigns/${idOf(page)}${rest}`);
const idOf = (page: Page) => new URL(page.url()).pathname.split("/").at(-1);
const runsAt = async (page: Page, step: string) => (await of(page, `/runs?step=${step}`)).data.length;
/** Everybody does the event, and comes to the step. */
async function letIn(page: Page, eventName: string, step: string): Promise<void> {
  const items = PEOPLE.map((person_id) => ({ type: "track", person_id, eventName, properties: {} }));
  await stage.send("POST", "/data-gateway/v1/batch", { items });
  await until(async () => (await runsAt(page, step)) === PEOPLE.length, `everybody at ${step}`);
}
const form = (page: Page) => page.getByRole("region", { name: "What is chosen" });
const heading = (page: Page, name: string) => page.getByRole("heading", { name }).waitFor();
const STAY = /^They stay in the journey/;

test("a campaign is drawn, tried out, activated, and drawn anew with people inside who stay on their journey", async () => {
  const page = await stage.open("editor", "campaigns");
  const press = (name: string | RegExp) => page.getByRole("button", { name, exact: true }).click();
  const dialog = page.getByRole("dialog");
  const canvas = page.locator(".react-flow");
  const box = (name: RegExp) => canvas.getByRole("button", { name });
  const add = async (where: RegExp, kind: string) => {
    await canvas.getByRole("button", { name: where }).click();
    // Behind its name stands what it is for.
    await dialog.getByRole("button", { name: new RegExp(`^${kind} [A-Z]`) }).click();
    await form(page).getByRole("heading", { name: kind }).waitFor();
  };
  await press("New campaign");
  await dialog.getByLabel("Name", { exact: true }).fill("Drawn");
  await dialog.getByLabel("Event", { exact: true }).fill("roast_tasted");
  await press("Create");
  await heading(page, "Drawn");
  await add(/^Add a step at the beginning$/, "Email");
  await form(page).getByRole("textbox", { name: "Subject" }).fill("How was it, {{person.first_name}}?");
  await form(page).getByRole("textbox", { name: "HTML" }).fill("<p>Tell us.</p>");
  await add(/^Add a step after Email/, "Wait");
  // The mouse picks a step up and puts it elsewhere, and back.
  await press("Move somewhere else (X)");
  await canvas.getByRole("button", { name: "Move it to the beginning" }).click();
  const top = async (name: RegExp) => (await box(name).boundingBox())?.y ?? 0;
  await until(async () => (await top(/^Wait/)) < (await top(/^Email/)), "the wait above the email");
  await press("Undo (Ctrl+Z)");
  await until(async () => (await top(/^Wait/)) > (await top(/^Email/)), "the wait below the email");
  await press("Save");
  await said(page, "The campaign is saved.");
  expect(await of(page)).toMatchObject({
    steps: [
      { id: "email", type: "message" },
      { id: "wait", type: "wait" },
    ],
  });

  await page.getByRole("tab", { name: "Try it out" }).click();
  await settled(page);
  let refused = false;
  await page.route("**/simulate", (route) => {
    if (refused) return route.continue();
    refused = true;
    const headers = { "retry-after": "1", "content-type": "application/problem+json" };
    return route.fulfill({ status: 503, headers, body: JSON.stringify({ code: "busy", detail: "Busy." }) });
  });
  await press("Simulate");
  await said(page, "The service is busy. It is asked again in 1 s.");
  await page.getByRole("slider", { name: "Time line" }).waitFor();
  while (!(await page.getByRole("heading", { name: "Waits" }).isVisible())) await press("Later");

  await page.getByRole("tab", { name: "Journey" }).click();
  await press("Activate");
  await dialog.getByText("When they do “roast_tasted”").waitFor();
  await dialog.getByRole("button", { name: "Activate" }).click();
  await said(page, "The campaign is active.");
  await letIn(page, "roast_tasted", "wait");
  await box(/^Wait 1 day Entered 3 Here now 3 \(wait\)$/).click();

  // The step at which they are goes, and a message comes in its place.
  await press("Remove (Del)");
  await add(/^Add a step after Email/, "Split at random");
  await press("Save");
  await said(page, "The campaign is saved.");
  await press("Publish the changes");
  await dialog.getByRole("button", { name: "Publish the changes" }).click();
  await dialog.getByText("The journey changed, and 3 people are inside").waitFor();
  await dialog.getByRole("radio", { name: STAY }).check();
  await dialog.getByRole("button", { name: "Publish the changes" }).click();
  await said(page, "The changes are published.");
  expect(await runsAt(page, "wait")).toBe(3);
  await stage.send("POST", "/data-gateway/v1/track", { person_id: "new", eventName: "roast_tasted", properties: {} });
  await box(/^Split at random .*Entered 1/).waitFor();
});

test("the same by keys alone: a step is moved, undone and put elsewhere, and those inside move to the new journey", async () => {
  const page = await stage.open("editor", "campaigns");
  const dialog = page.getByRole("dialog");
  await page.evaluate(() => {
    document.addEventListener("pointerdown", () => document.body.setAttribute("data-pointed", ""), true);
  });
  const press = async (role: "button" | "tab" | "radio", name: string | RegExp, key = "Enter") => {
    // What is behind a dialog is hidden from the keys.
    const within = (await dialog.isVisible()) ? dialog : page;
    await within.getByRole(role, { name, exact: true }).focus();
    await page.keyboard.press(key);
  };
  const write = async (label: string, text: string) => {
    await page.getByRole("textbox", { name: label, exact: true }).focus();
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText(text);
  };
  const row = (name: RegExp) => page.getByRole("treeitem", { name });
  const chosen = (name: RegExp) =>
    until(() => row(name).evaluate((one) => one === document.activeElement), `the focus at ${name}`);
  const add = async (sought: string) => {
    await page.keyboard.press("a");
    // At once: whoever knows the kind types on, and no letter is lost.
    await page.keyboard.insertText(sought);
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "hidden" });
  };
  await press("button", "New campaign");
  await write("Name", "Typed");
  await write("Event", "beans_reordered");
  await page.keyboard.press("Enter");
  await heading(page, "Typed");
  await press("radio", "Drawing", "ArrowRight");
  await row(/beans_reordered/).focus();
  await add("email");
  await chosen(/^Email/);
  await form(page).getByRole("heading", { name: "Email" }).waitFor();
  await write("Subject", "Thank you, {{person.first_name}}");
  await write("HTML", "<p>Again.</p>");
  await row(/^Email/).focus();
  await add("for a time");
  await chosen(/^Wait/);
  // X picks a step up, and A puts it after another one.
  await page.keyboard.press("x");
  await said(page, "Choose where it goes.");
  // A screen reader moves the focus as a script does, without a key.
  await row(/beans_reordered/).focus();
  await page.keyboard.press("a");
  await chosen(/^Wait/);
  const order = () => page.getByRole("treeitem").allTextContents();
  expect((await order())[1]).toMatch(/^Wait/);
  await page.keyboard.press("Alt+ArrowDown");
  await until(async () => (await order())[1]?.startsWith("Email"), "the wait behind the email");
  await press("button", "Save");
  await said(page, "The campaign is saved.");
  const content = { subject: "Thank you, {{person.first_name}}", body: "<p>Again.</p>" };
  expect((await of(page)).steps).toMatchObject([{ id: "email", content }, { id: "wait" }]);

  await press("tab", "Try it out");
  await settled(page);
  await press("button", "Simulate");
  await page.getByRole("slider", { name: "Time line" }).focus();
  await page.keyboard.press("End");
  await heading(page, "The run is completed");
  await press("tab", "Journey");
  await press("button", "Activate");
  await dialog.getByText("When they do “beans_reordered”").waitFor();
  await press("button", "Activate");
  await said(page, "The campaign is active.");
  await letIn(page, "beans_reordered", "wait");

  await row(/beans_reordered/).focus();
  await page.keyboard.press("End");
  await chosen(/^Wait 1 day Entered 3 Here now 3 \(wait\)$/);
  await add("ends the journey");
  await chosen(/^Exit|^End/);
  await press("button", "Save");
  await said(page, "The campaign is saved.");
  await press("button", "Publish the changes");
  await dialog.waitFor();
  await press("button", "Publish the changes");
  await dialog.getByText("The journey changed, and 3 people are inside").waitFor();
  await press("radio", /^They move to the new journey/, "Space");
  await press("button", "Publish the changes");
  await said(page, "The changes are published.");
  await row(/^Wait 1 day Entered 3 Here now 3 \(wait\)$/).waitFor();
  await assertKeyboard(page);
  const [run] = (await of(page, "/runs?step=wait")).data;
  await stage.send("POST", `/api/v1/campaigns/${idOf(page)}/runs/${run.id}/skip`);
  await until(async () => (await of(page, `/runs/${run.id}`)).status === "exited", "the exit of the new journey");
  expect(await page.locator("body[data-pointed]").count()).toBe(0);
});
