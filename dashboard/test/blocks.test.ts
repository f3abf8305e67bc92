import type { Page } from "playwright-core";
import { expect } from "vitest";
import { testSmtp } from "../../server/test/support/mail/smtp.ts";
import { until } from "../../server/test/support/wait.ts";
import { assertFits, assertSound } from "./support/dashboard.ts";
import { assertKeyboard } from "./support/keyboard.ts";
import { dashboardStage, settled, test } from "./support/stage.ts";

// An email is made of blocks, without a line of code, and what no block can show stays as it is.

const stage = await dashboardStage();
const TEMPLATES = "/api/v1/email-templates";
const block = (page: Page, name: string | RegExp) => page.getByRole("treeitem", { name });
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};
const save = async (page: Page) => {
  await page.getByRole("button", { name: "Save", exact: true }).press("Enter");
  await page
    .getByText(/^Saved/)
    .first()
    .waitFor();
};
/** The switch hides its radio buttons behind their labels: a key moves from one to the next. */
const openBlocks = async (page: Page) => {
  await page.getByRole("radio", { name: "Code", exact: true }).focus();
  await page.keyboard.press("ArrowRight");
  await page.getByRole("treeitem").first().waitFor();
};

test("an email is made from the gallery by keys alone, and arrives with both of its parts", async () => {
  const smtp = await testSmtp();
  const settings = { host: "127.0.0.1", port: smtp.port };
  await stage.send("POST", "/api/v1/providers", { name: "Mail", channel: "email", kind: "smtp", settings });
  const ada = { person_id: "ada", attributes: { email: "ada@example.com", first_name: "Ada" } };
  await stage.send("POST", "/data-gateway/v1/identify", ada);
  const page = await stage.open("editor", "email-templates");
  await page.getByRole("button", { name: "New template" }).first().press("Enter");
  await page.getByRole("radio", { name: /^Welcome/ }).press("Space");
  await page.getByRole("button", { name: "Create" }).press("Enter");
  await openBlocks(page);

  await block(page, /^Text: Your company/).focus();
  await press(page, "End", "Home", "ArrowRight", "ArrowRight");
  await expect.poll(() => focused(page)).toBe("Text: Your company");
  await press(page, "ArrowDown", "ArrowDown", "ArrowDown");
  await expect.poll(() => focused(page)).toBe("Heading: Good to have you here");
  await press(page, "Enter");
  await until(() => page.evaluate(() => document.activeElement?.matches("[contenteditable=true]")), "the field");
  await press(page, "Control+a");
  await page.keyboard.type("Hello & good morning");
  await press(page, "Escape", "ArrowDown", "Alt+ArrowUp");
  await until(async () => (await focused(page))?.startsWith("Text: Hi "), "the text that was moved");
  await press(page, "ArrowDown");
  await expect.poll(() => focused(page)).toBe("Heading: Hello & good morning");

  await block(page, "Button: Begin").focus();
  await press(page, "Enter", "Control+a");
  await page.keyboard.type("Begin now");
  await page.getByRole("button", { name: "Add a block" }).press("Enter");
  await page.getByRole("menuitem", { name: "Image" }).press("Enter");
  await page.getByRole("textbox", { name: "Image", exact: true }).fill("https://images.example/hello.png");
  await page.getByRole("textbox", { name: "What the image shows" }).fill('A "sun" & a cloud');
  await settled(page);
  await assertSound(page);
  await assertKeyboard(page);
  await page.getByRole("textbox", { name: "Preview for" }).fill("ada");
  await page.keyboard.press("Enter");
  await page.frameLocator("iframe").getByText("Hi Ada").waitFor();
  await save(page);

  const id = page.url().split("/").at(-1)?.split("?")[0];
  const { body } = await stage.send("GET", `${TEMPLATES}/${id}`);
  expect(body).toContain('alt="A &quot;sun&quot; &amp; a cloud"');
  expect(body.indexOf("Hi {{ person.first_name")).toBeLessThan(body.indexOf("Hello &amp; good morning"));
  const content = { template_id: id };
  const made = { name: "Hello", channel: "email", subscription_preference: "all", content };
  const { id: transactional } = await stage.send("POST", "/api/v1/transactionals", made);
  await stage.send("POST", "/data-gateway/transactionals/email", {
    transactional_message_id: transactional,
    from: "shop@northwind.example",
    identifiers: { id: "ada" },
    message_data: { url: "https://app.example/begin" },
  });
  await until(() => smtp.received.length === 1, "the mail");
  const { html = "", text = "" } = smtp.received[0]?.email ?? {};
  expect(text).toMatch(/HELLO & GOOD MORNING/i);
  expect(text).toContain("Begin now");
  expect(text).toContain("Hi Ada");
  expect(html).toContain("Hello &amp; good morning");
  expect(html).toMatch(/<img[^>]*alt="A &quot;sun&quot; &amp; a cloud"/);
  expect(html).toMatch(/^\s*<!doctype html>[\s\S]*<\/html>\s*$/i);
});

const BEFORE = `{% assign hue = "#333432" %}
<mjml>
 <mj-body   width="640px">
    <!-- keep   this -->
  {% for item in trigger.items %}
  <mj-section><mj-column>
      <mj-social  mode='horizontal'><mj-social-element name="web" href="#">web</mj-social-element></mj-social>
      <mj-text color="{{ hue }}">`;
const AFTER = `</mj-text>
      <mj-table><tr><td>{{ item.name }}</td></tr></mj-table>
      {% if item.price > 3 %}<mj-text><div>no rich text</div></mj-text>{% endif %}
  </mj-column></mj-section>
  {% endfor %}
 </mj-body>
</mjml>`;

test("code that blocks can't show keeps its bytes while another block is edited, and opening changes nothing", async () => {
  const of = { name: "Coded", subject: "Coded", body: `${BEFORE}Old words${AFTER}` };
  const { id } = await stage.send("POST", TEMPLATES, of);
  const page = await stage.open("editor", `email-templates/${id}`, { phone: true });
  await openBlocks(page);
  await block(page, /^Code: <mj-table>/).click();
  await page.getByRole("textbox", { name: "Code of this block" }).waitFor();
  expect(await page.getByRole("button", { name: "Save", exact: true }).count()).toBe(0);
  await block(page, "Text: Old words").click();
  const words = page.getByRole("textbox", { name: "Text", exact: true });
  await words.fill("New words");
  await assertFits(page);
  await save(page);
  expect((await stage.send("GET", `${TEMPLATES}/${id}`)).body).toBe(`${BEFORE}New words${AFTER}`);

  // Steps back and forth, and what is not whole is not written.
  await page.getByRole("button", { name: "Undo" }).click();
  await block(page, "Text: Old words").waitFor();
  await page.getByRole("button", { name: "Redo" }).click();
  await block(page, /^Code: <mj-table>/).click();
  await page.getByRole("textbox", { name: "Code of this block" }).fill("<mj-table><tr>");
  await page.getByText("This is not complete yet").waitFor();
  expect(await page.getByRole("button", { name: "Save", exact: true }).count()).toBe(0);
});
