import type { Page } from "playwright-core";
import { expect } from "vitest";
import { until } from "../../server/test/support/wait.ts";
import { click, said } from "./support/presses.ts";
import { dashboardStage, test } from "./support/stage.ts";

// Email templates as code: written beside their preview, with advice, versions, layouts and snippets.

const stage = await dashboardStage();
const { open, send } = stage;
const mara = { type: "identify", person_id: "mara", attributes: { first_name: "Mara" } };
await send("POST", "/data-gateway/v1/batch", { items: [mara] });

const bodyOf = (page: Page) => page.locator(".cm-editor").getByRole("textbox", { name: "Body" });
const framed = (page: Page, text: string) => page.frameLocator("iframe").getByText(text).waitFor();

/** Writes a whole text in place of that of the body, as one pastes it. */
async function write(page: Page, text: string): Promise<void> {
  await bodyOf(page).focus();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
}
const mjml = (text: string) =>
  `<mjml>\n<mj-body><mj-section><mj-column>\n${text}\n</mj-column></mj-section></mj-body>\n</mjml>`;

test("a template in MJML is written with its errors at their line, shown for a person, saved, compared and restored", async () => {
  const page = await open("editor", "email-templates?new=yes");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Name" }).fill("Welcome");
  await dialog.getByRole("textbox", { name: "Subject" }).fill("Welcome to Northwind");
  await dialog.getByRole("radio", { name: "Empty, in MJML" }).check();
  await click(page, "Create");
  await page.getByRole("heading", { name: "Welcome", level: 1 }).waitFor();

  await write(page, mjml("<mj-text>Hello {{ person.first_name }}</mj-txt>"));
  await said(page, "Line 3:");
  expect(await page.locator(".cm-lintRange-error").count()).toBeGreaterThan(0);
  await write(page, mjml("<mj-text>Hello {{ person.first_name }}</mj-text>"));
  // A busy service is asked again when it says, and the page says so meanwhile.
  let refusals = 0;
  await page.route("**/email-templates/preview-texts", (route) => {
    if (++refusals > 1) return route.continue();
    const headers = { "retry-after": "1", "content-type": "application/problem+json" };
    return route.fulfill({
      status: 429,
      headers,
      body: JSON.stringify({ code: "rate_limited", detail: "Too many calls." }),
    });
  });
  await page.getByRole("textbox", { name: "Preview for" }).fill("mara");
  await page.keyboard.press("Enter");
  await said(page, "The service is busy. It is asked again in 1 s.");
  await framed(page, "Hello Mara");
  await click(page, "Save");
  await said(page, "Saved. It is sent from now on.");
  await page.getByRole("textbox", { name: "To", exact: true }).fill("author@acme.test");
  await click(page, "Send the test");
  await page.getByRole("link", { name: "Open the delivery" }).waitFor();
  const tests = await send("GET", "/api/v1/deliveries?source=test");
  expect(tests.data).toMatchObject([{ person_id: "mara", recipient: "author@acme.test" }]);

  await page.getByRole("link", { name: "Versions" }).click();
  const difference = page.getByRole("region", { name: "Body" });
  await difference.waitFor();
  const rows = (await difference.textContent()) ?? "";
  expect(rows).toMatch(/added: <mj-text>Hello \{\{ person\.first_name \}\}<\/mj-text>/);
  await page.getByText("edited by Grace Hopper").waitFor();
  await click(page, "Restore version 1");
  await page.getByRole("dialog").getByRole("button", { name: "Restore", exact: true }).click();
  await said(page, "Version 1 is sent again.");
  const { data } = await send("GET", "/api/v1/email-templates?q=Welcome");
  const [first, last] = await Promise.all(
    [1, 3].map((version) => send("GET", `/api/v1/email-templates/${data[0].id}/versions/${version}`)),
  );
  expect(first.body).not.toBe(mjml("<mj-text>Hello {{ person.first_name }}</mj-text>"));
  expect(last).toMatchObject({ body: first.body, cause: "restored" });
});

test("advice leads to its line, and Tab leaves the editor", async () => {
  const body = '<p>Hello</p>\n<p>Look:</p>\n<a href="">Here</a>\n<a href="{{ unsubscribe_url }}">Unsubscribe</a>';
  const { id } = await send("POST", "/api/v1/email-templates", { name: "Advice", subject: "Advice", body });
  const page = await open("editor", `email-templates/${id}`);
  await bodyOf(page).waitFor();
  await said(page, "This link leads nowhere.");
  await click(page, "Body, line 3");
  await until(
    async () => (await page.evaluate(() => getSelection()?.toString())) === '<a href="">Here</a>',
    "the line",
  );
  await page.keyboard.insertText('<a href="https://northwind.example">Here</a>');
  await until(async () => (await page.getByText("This link leads nowhere.").count()) === 0, "the advice to go");
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.closest(".cm-editor"))).toBeNull();
});

test("a layout says which templates a change reaches, and which one it would break", async () => {
  const around = (content: string) => `<mjml><mj-body>${content}</mj-body></mjml>`;
  const layout = await send("POST", "/api/v1/email-layouts", { name: "Frame", body: around("{{ content }}") });
  const section = "<mj-section><mj-column><mj-text>Inside</mj-text></mj-column></mj-section>";
  const template = { name: "Framed", subject: "Framed", body: section, layout_id: layout.id };
  const { id } = await send("POST", "/api/v1/email-templates", template);
  const page = await open("editor", `email-layouts/${layout.id}`);
  await said(page, "Saving changes 1 template.");
  await framed(page, "Inside");
  await write(page, around("<mj-section><mj-column><mj-text>{{ content }}</mj-text></mj-column></mj-section>"));
  await click(page, "Save");
  await page.getByText("This template would break:").getByRole("link", { name: "Framed" }).waitFor();
  expect((await send("GET", `/api/v1/email-templates/${id}`)).version).toBe(1);
  await write(page, around(`${section.replace("Inside", "Above")}{{ content }}`));
  await framed(page, "Above");
  await click(page, "Save");
  await said(page, "Saved, with a new version of 1 template.");
  expect((await send("GET", `/api/v1/email-templates/${id}`)).version).toBe(2);
});

test("a viewer reads a template and its preview, and changes nothing", async () => {
  const body = "<p>Only to read</p>";
  const { id } = await send("POST", "/api/v1/email-templates", { name: "Read", subject: "Read", body });
  const page = await open("viewer", `email-templates/${id}`);
  await framed(page, "Only to read");
  await bodyOf(page).focus();
  await page.keyboard.insertText("changed");
  expect(await bodyOf(page).textContent()).toContain("<p>Only to read</p>");
  expect(await page.getByRole("button", { name: /^(?:Save|More)$/ }).count()).toBe(0);
});
