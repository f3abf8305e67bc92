import type { Page } from "playwright-core";
import { beforeAll, expect } from "vitest";
import { until } from "../../server/test/support/wait.ts";
import { assertSound } from "./support/dashboard.ts";
import { assertKeyboard } from "./support/keyboard.ts";
import { said } from "./support/presses.ts";
import { dashboardStage, test } from "./support/stage.ts";

// A broadcast from a draft to its result.

const stage = await dashboardStage();
const { send, open } = stage;
const identify = (person_id: string, attributes: object) =>
  send("POST", "/data-gateway/v1/identify", { person_id, attributes });
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });
const step = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Steps" }).getByRole("link", { name }).click();
const dialog = (page: Page) => page.getByRole("dialog");

let readers: string;
beforeAll(async () => {
  for (const name of ["mara", "jonas", "priya"])
    await identify(name, { first_name: name, email: `${name}@example.com`, plan: "pro" });
  await identify("twin", { email: "mara@example.com", plan: "pro" });
  await identify("nowhere", { plan: "pro" });
  await identify("left", { email: "left@example.com", plan: "pro", subscribed: false });
  const filter = { attribute: "plan", op: "eq", value: "pro" };
  readers = (await send("POST", "/api/v1/audiences", { name: "Readers", filter })).id;
  const modal = { name: "Harvest modal", render_type: "modal", title: "Harvest", body: "It is here." };
  await send("POST", "/api/v1/in-app-messages", modal);
});

const letter = (subject: string) => ({ from: "a@example.com", subject, body: "<p>News</p>" });
const draft = async (name: string, rest = {}): Promise<string> =>
  (
    await send("POST", "/api/v1/broadcasts", {
      name,
      channel: "email",
      audience_id: readers,
      content: letter("News"),
      ...rest,
    })
  ).id;

test("an in-app broadcast goes from a draft to its funnel by keys alone, and is taken back", async () => {
  const page = await open("editor", "broadcasts");
  const press = async (role: "link" | "button" | "radio", name: string | RegExp, key = "Enter") => {
    const target = page.getByRole(role, { name, exact: true });
    await target.focus();
    await page.keyboard.press(key);
  };
  const pick = async (label: string, text: string) => {
    await page.getByRole("combobox", { name: label }).focus();
    await page.keyboard.type(text);
    await page.getByRole("option", { name: text }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
  };
  await press("link", "New broadcast");
  await press("radio", "In-app", "Space");
  await page.getByRole("textbox", { name: "Name", exact: true }).focus();
  await page.keyboard.type("Spring harvest");
  await pick("Who gets it", "Readers");
  await press("button", "Next: Content");
  // A key that is pressed while the step appears can be lost.
  await page.getByRole("combobox", { name: "In-app message" }).waitFor();
  await press("button", "Save as a draft");
  // What is missing is said at its field, which has the focus.
  await said(page, "is required for in-app");
  await pick("In-app message", "Harvest modal");
  await press("button", "Save as a draft");
  await page.waitForURL(/\/broadcasts\/bc_\w+/);
  // What is pressed before the saved broadcast is there is lost.
  await page.getByRole("heading", { level: 1, name: "Spring harvest" }).waitFor();
  await press("button", "Next: Settings");
  await press("button", "Next: Review");
  await said(page, "5 people get it");
  await said(page, "Unsubscribed from everything");
  await assertKeyboard(page);
  await press("button", "Send now …");
  await dialog(page).getByText("5 people get it, by in-app message.").waitFor();
  await press("button", "Send to 5 people");
  await page.getByRole("heading", { name: "What became of it" }).waitFor();

  const seen = await until(
    async () => (await send("GET", "/data-gateway/v1/in-app/messages/sync?person_id=mara&screen=Home"))[0],
    "her message",
  );
  const path = `/data-gateway/v1/in-app/messages/${seen.delivery_id}`;
  await send("POST", `${path}/impression`, { person_id: "mara", screen: "Home" });
  await send("POST", `${path}/click`, { person_id: "mara", screen: "Home", action_id: "primary" });
  // Without a reload.
  await page.getByRole("link", { name: "Clicked: 1" }).waitFor();
  await page.getByRole("link", { name: "Sent: 5" }).waitFor();
  await assertSound(page);
  await press("button", "Take back …");
  await press("button", "Take back");
  await said(page, /Taken back from \d people/);
  await said(page, /It was taken back .* from everybody who had not closed it/);
  await page.getByRole("link", { name: "Clicked: 1" }).click();
  await page.waitForURL(/deliveries\?.*metric=clicked/);
  await page.getByRole("list").getByText("mara").first().waitFor();
});

test("an email is split into two variants, counted before it is sent with every reason, and compared after it", async () => {
  const id = await draft("Two subjects", { tracking: { opens: true, clicks: true } });
  const page = await open("editor", `broadcasts/${id}?step=content`);
  await button(page, "Compare variants (A/B)").click();
  await page.getByRole("tab", { name: "Variant B 50%", selected: true }).waitFor();
  await page.getByRole("textbox", { name: "Weight" }).fill("3");
  await page.getByRole("tab", { name: "Variant B 75%" }).waitFor();
  await page.getByRole("textbox", { name: "Name of the variant" }).fill("");
  await button(page, "Save").click();
  // The refusal is of a part of one variant.
  await page.getByRole("tab", { name: /has an error/ }).waitFor();
  await page.getByRole("textbox", { name: "Name of the variant" }).fill("Bold");
  await button(page, "Save").click();
  await said(page, "Saved.");
  expect((await send("GET", `/api/v1/broadcasts/${id}`)).variants).toEqual([
    { name: "A", weight: 1, content: letter("News") },
    { name: "Bold", weight: 3, content: letter("News") },
  ]);

  await step(page, "Review");
  await said(page, "3 people get it");
  for (const reason of ["no address", "Share an address", "Unsubscribed from everything"])
    await page.getByRole("listitem").filter({ hasText: reason }).getByText("1", { exact: true }).waitFor();
  await page.getByRole("listitem").filter({ hasText: "Variant Bold" }).waitFor();
  await button(page, "Send now …").click();
  await button(page, "Send to 3 people").click();
  await page.getByRole("table").getByRole("row").filter({ hasText: "Bold" }).getByText("not enough yet").waitFor();
  await page.getByRole("link", { name: "Sent: 3" }).waitFor();
  // Nothing says that a captured mail arrived: the people of a variant are those to whom it was sent.
  const people = async () => {
    const rows = await page.getByRole("table").getByRole("row").getByRole("cell").allTextContents();
    return [rows[0], rows[4]].map(Number).reduce((sum, count) => sum + count, 0);
  };
  await until(async () => (await people()) === 3, "everybody in the comparison");
  await page.getByRole("link", { name: "The person wants no messages at all. 1" }).waitFor();
  await assertSound(page);
  await page.getByRole("link", { name: "The person had no address for this channel. 1" }).click();
  await page.getByText("Reason: no_address").waitFor();
  await page.getByRole("list").getByText("nowhere").first().waitFor();
  await page.goBack();
  await button(page, "Copy as a draft").click();
  await page.getByRole("heading", { level: 1, name: "Copy of Two subjects" }).waitFor();
});

test("before it is sent one learns that nobody is in the audience, and a schedule is confirmed for an empty one", async () => {
  const nobody = { attribute: "plan", op: "eq", value: "none" };
  const body = { audience: nobody, audience_id: undefined };
  const path = `/api/v1/broadcasts/${await draft("To nobody", body)}`;
  const page = await open("editor", `${path.slice("/api/v1/".length)}?step=review`);
  await said(page, "Nobody is in the audience.");
  expect(await button(page, "Send now …").isDisabled()).toBe(true);
  await button(page, "Schedule …").click();
  expect(await dialog(page).getByRole("button", { name: "Schedule" }).isDisabled()).toBe(true);
  await page.getByRole("checkbox", { name: /nobody is in the audience now/ }).check();
  await page.getByRole("switch", { name: "At this time of each person's own clock" }).check();
  await dialog(page).getByText("Whose clock is past it gets it at once.").waitFor();
  // Everybody's clock is before it: the first people get it half a day earlier than the workspace's clock says.
  const inDays = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 16);
  await dialog(page).getByLabel("Day and time").fill(inDays);
  await dialog(page).getByText("Whose clock is past it gets it at once.").waitFor({ state: "detached" });
  await dialog(page)
    .getByText(/^From .* to .*, your time\./)
    .waitFor();
  await dialog(page).getByRole("button", { name: "Schedule" }).click();
  await said(page, /Will be sent/);
  expect((await send("GET", path)).local_time).toBe(true);
  await button(page, "Cancel …").click();
  await dialog(page).getByRole("button", { name: "Cancel the broadcast" }).click();
  await said(page, "It was canceled before anybody got it.");
});

test("whoever sends to a thousand people types the number first", async () => {
  const crowd = Array.from({ length: 1_000 }, (_, i) => ({
    type: "identify",
    person_id: `crowd-${i}`,
    attributes: { plan: "crowd" },
  }));
  for (let i = 0; i < crowd.length; i += 100)
    await send("POST", "/data-gateway/v1/batch", { items: crowd.slice(i, i + 100) });
  const { data } = await send("GET", "/api/v1/in-app-messages");
  const audience = { attribute: "plan", op: "eq", value: "crowd" };
  const made = { name: "Everybody", channel: "in_app", audience, message_id: data[0].id };
  const { id } = await send("POST", "/api/v1/broadcasts", made);
  const page = await open("editor", `broadcasts/${id}?step=review`);
  await button(page, "Send now …").click();
  const yes = dialog(page).getByRole("button", { name: "Send to 1,000 people" });
  const typed = dialog(page).getByRole("textbox", { name: "To be sure, type the number: 1,000" });
  for (const wrong of ["", "100"]) {
    await typed.fill(wrong);
    expect(await yes.isDisabled(), wrong).toBe(true);
  }
  await typed.fill("1,000");
  await yes.click();
  await page.getByRole("link", { name: "Sent: 1,000" }).waitFor();
});

test("two people edit the same draft: the later one learns what the other changed, and takes it", async () => {
  const id = await draft("Shared");
  const [one, two] = [await open("owner", `broadcasts/${id}`), await open("editor", `broadcasts/${id}`)];
  const name = (page: Page) => page.getByRole("textbox", { name: "Name", exact: true });
  await name(two).fill("Mine");
  await name(one).fill("Theirs");
  await button(one, "Save").click();
  await said(one, "Saved.");
  await button(two, "Save").click();
  await said(two, "Ada Lovelace changed this");
  await button(two, "Take theirs").click();
  expect(await name(two).inputValue()).toBe("Theirs");
  expect((await send("GET", `/api/v1/broadcasts/${id}`)).name).toBe("Theirs");
});

test("what is being sent is paused, goes on, and is canceled, each with its consequences said before", async () => {
  const id = await draft("Slow", { rate_per_second: 0.2 });
  const page = await open("editor", `broadcasts/${id}`);
  await send("POST", `/api/v1/broadcasts/${id}/send`, {});
  await button(page, "Pause …").click();
  await dialog(page).getByText("Nothing more is queued until you resume it.").waitFor();
  await dialog(page).getByRole("button", { name: "Pause" }).click();
  await said(page, "Paused: nothing more is queued until it is resumed.");
  await button(page, "Resume …").click();
  await dialog(page).getByRole("button", { name: "Resume" }).click();
  await button(page, "Pause …").waitFor();
  await button(page, "Cancel …").click();
  await dialog(page).getByText("Nobody else gets it, and it can't be resumed.").waitFor();
  await dialog(page).getByRole("button", { name: "Cancel the broadcast" }).click();
  await said(page, /It was canceled/);
  expect((await send("GET", `/api/v1/broadcasts/${id}`)).status).toBe("canceled");
});

test("a viewer sees a draft and its review, and can change nothing", async () => {
  const page = await open("viewer", `broadcasts/${await draft("Look only")}?step=review`);
  await said(page, "3 people get it");
  for (const name of ["Remove …", "Copy as a draft", "Send now …", "Schedule …", "Send the test"])
    expect(await button(page, name).isDisabled(), name).toBe(true);
  for (const one of ["Audience", "Content", "Settings"]) {
    await step(page, one);
    await page.getByRole("button", { name: /^Next: / }).waitFor();
    expect(
      await page.locator("form").getByRole("textbox").and(page.locator(":enabled:not([readonly])")).count(),
      one,
    ).toBe(0);
  }
});

test("in-app can't be chosen where it is off, and the page says why", async () => {
  await send("PATCH", "/api/v1/workspace", { allow_in_app: false });
  const page = await open("editor", "broadcasts/new");
  await said(page, "In-app messages are switched off in this workspace");
  expect(await page.getByRole("radio", { name: "In-app" }).isDisabled()).toBe(true);
  await send("PATCH", "/api/v1/workspace", { allow_in_app: true });
});
