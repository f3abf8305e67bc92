import type { Page } from "playwright-core";
import { beforeAll, expect } from "vitest";
import { until } from "../../server/test/support/wait.ts";
import { dashboardStage, test } from "./support/stage.ts";

// Campaigns are drawn on the canvas and edited in the outline: by the mouse, and by keys alone.

const stage = await dashboardStage();
let audience = "";
beforeAll(async () => {
  ({ id: audience } = await stage.send("POST", "/api/v1/audiences", { name: "Regulars", kind: "list" }));
});

const make = async (steps: object[]): Promise<string> =>
  (
    await stage.send("POST", "/api/v1/campaigns", {
      name: "Welcome",
      trigger: { type: "event", name: "signed_up" },
      steps,
    })
  ).id;
const stepsOf = async (id: string) => (await stage.send("GET", `/api/v1/campaigns/${id}`)).steps;
const save = async (page: Page) => {
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("The campaign is saved.").waitFor();
};
const kind = (page: Page, name: string) =>
  page.getByRole("dialog", { name: "Add a step" }).getByRole("button", { name }).click();

test("an editor makes a campaign and draws its journey with the mouse", async () => {
  const page = await stage.open("editor", "campaigns");
  await page.getByRole("button", { name: "New campaign" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name", { exact: true }).fill("Second visit");
  await dialog.getByLabel("Event", { exact: true }).first().fill("visited");
  await dialog.getByRole("button", { name: "Create" }).click();
  await page.getByRole("heading", { name: "Second visit" }).waitFor();
  const id = page.url().split("/campaigns/")[1]?.split("?")[0] as string;
  const canvas = page.locator(".react-flow");
  const add = (where: string) => canvas.getByRole("button", { name: `Add a step ${where}`, exact: true }).click();
  await page.getByText("1 thing is still missing").waitFor();
  await add("at the beginning");
  await kind(page, "Wait for an event");
  await canvas.getByText("1 problem").waitFor();
  const form = page.getByRole("region", { name: "What is chosen" });
  await form.getByRole("heading", { name: "Wait for an event" }).waitFor();
  await form.getByLabel("Event", { exact: true }).first().fill("order_placed");
  await canvas.getByRole("button", { name: /Wait for an event.*order_placed/ }).waitFor();
  await add("on the way “If it comes” of Wait for an event (until)");
  await kind(page, "Change a list");
  await page.getByRole("combobox", { name: "List" }).click();
  await page.getByRole("option", { name: "Regulars" }).click();
  await save(page);
  expect(await stepsOf(id)).toEqual([
    {
      id: "until",
      type: "wait_until",
      event: "order_placed",
      timeout: { amount: 1, unit: "days" },
      // biome-ignore lint/suspicious/noThenProperty: the name on the wire
      then: [{ id: "list", type: "list", add: audience }],
      else: [],
    },
  ]);
  expect(await page.getByText(/still missing/).count()).toBe(0);
});

test("by keys alone a journey is made in the outline, undone and done again", async () => {
  const id = await make([]);
  const page = await stage.open("editor", `campaigns/${id}`);
  await page.getByText("List", { exact: true }).click();
  const row = (name: RegExp) => page.getByRole("treeitem", { name });
  const press = (key: string) => page.keyboard.press(key);
  const add = async (part: string) => {
    await press("a");
    await page.getByRole("dialog", { name: "Add a step" }).waitFor();
    await page.keyboard.type(part);
    await press("Enter");
  };
  await row(/signed_up/).focus();
  await add("branch");
  await until(() => row(/^Branch/).evaluate((one) => one === document.activeElement), "the new step to have the focus");
  await press("ArrowDown");
  await add("exit");
  await press("ArrowUp");
  await press("ArrowDown");
  await press("ArrowDown");
  await add("at random");
  await press("Control+d");
  await row(/^Split at random/)
    .nth(1)
    .waitFor();
  expect(await page.getByRole("treeitem").count()).toBe(11);
  await press("Delete");
  await until(async () => (await page.getByRole("treeitem").count()) === 8, "the copy to be gone");
  await press("Control+z");
  await until(async () => (await page.getByRole("treeitem").count()) === 11, "the copy to be back");
  await press("Control+Shift+z");
  await until(async () => (await page.getByRole("treeitem").count()) === 8, "the copy to be gone again");
  await save(page);
  expect(await stepsOf(id)).toMatchObject([
    {
      id: "branch",
      // biome-ignore lint/suspicious/noThenProperty: the name on the wire
      then: [{ id: "exit" }],
    },
  ]);
});

test("what is missing stands beside its step, and the list of it leads there", async () => {
  const id = await make([
    { id: "pause", type: "wait", for: { amount: 1, unit: "days" } },
    { id: "call", type: "webhook" },
    { id: "coffee", type: "list", add: "aud_gone" },
  ]);
  const page = await stage.open("editor", `campaigns/${id}`);
  await page.getByRole("button", { name: /Call a system \(call\): Address is missing/ }).click();
  await page.getByRole("textbox", { name: "Address" }).fill("https://shop.example.com/{{ peron.id }}");
  await until(async () => (await page.getByText("Address is missing").count()) === 0, "the problem to be gone");
  await page.getByRole("button", { name: "person?" }).click();
  // So does each value of what is sent.
  await page.getByRole("button", { name: "Add a value" }).click();
  await page.getByRole("textbox", { name: "Name 1" }).fill("shirt");
  await page.getByRole("textbox", { name: "Value 1" }).fill("{{ batch.count }}");
  await page.getByText("no step gathers a batch here").waitFor();
  await save(page);
  expect((await stepsOf(id))[1]).toMatchObject({
    url: "https://shop.example.com/{{ person.id }}",
    body: { shirt: "{{ batch.count }}" },
  });
  // What only the service knows.
  await page.getByRole("button", { name: /Change a list \(coffee\): List is not there any more/ }).waitFor();
});

test("a box that comes into view late does not take the focus from who types", async () => {
  const pause = { type: "wait", for: { amount: 1, unit: "days" } };
  const pauses = Array.from({ length: 12 }, (_, i) => ({ ...pause, id: `pause${i}` }));
  const id = await make([...pauses, { id: "call", type: "webhook" }]);
  const opened = async () => {
    const page = await stage.open("editor", `campaigns/${id}`);
    await page.locator("[data-box=start]").waitFor();
    return {
      page,
      box: page.locator("[data-box=step]").filter({ hasText: "(call)" }),
      problem: page.getByRole("button", { name: /Call a system \(call\): Address is missing/ }),
    };
  };
  const { page, box, problem } = await opened();
  await problem.waitFor();
  expect(await box.count()).toBe(0);
  await problem.evaluate((button) => {
    const field = document.body.appendChild(document.createElement("input"));
    (button as HTMLElement).click();
    field.focus();
  });
  await box.waitFor();
  await page.getByRole("textbox", { name: "Address" }).waitFor();
  expect(await page.evaluate(() => document.activeElement?.parentElement === document.body)).toBe(true);
  // Where nobody types, it has the focus.
  const other = await opened();
  await other.problem.click();
  await until(() => other.box.evaluate((one) => one === document.activeElement), "the box to have the focus");
});

test("on a phone the result of a simulation comes into view, because the form is longer than the screen", async () => {
  const id = await make([{ id: "pause", type: "wait", for: { amount: 1, unit: "days" } }]);
  const page = await stage.open("editor", `campaigns/${id}?tab=simulate`, { phone: true });
  const button = page.getByRole("button", { name: "Simulate", exact: true });
  await button.evaluate((one) => one.scrollIntoView({ block: "end" }));
  await button.click();
  const first = page.getByText("The person does “signed_up”").first();
  await first.waitFor();
  await until(
    () => first.evaluate((one) => one.getBoundingClientRect().bottom < window.innerHeight),
    "the result to be on the screen",
  );
});

test("of two who change the same journey the second one learns it, and a viewer only looks", async () => {
  const id = await make([{ id: "pause", type: "wait", for: { amount: 1, unit: "days" } }]);
  const page = await stage.open("editor", `campaigns/${id}`);
  await page.locator(".react-flow").getByRole("button", { name: /^Wait/ }).click();
  await page.getByRole("textbox", { name: "How long", exact: true }).fill("3");
  await stage.send("PATCH", `/api/v1/campaigns/${id}`, { steps: [] });
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText(/changed this/).waitFor();
  await page.getByRole("button", { name: "Save mine over it" }).click();
  await page.getByText("The campaign is saved.").waitFor();
  expect(await stepsOf(id)).toMatchObject([{ id: "pause", for: { amount: 3 } }]);
  const viewer = await stage.open("viewer", `campaigns/${id}`);
  await viewer.locator(".react-flow").getByRole("button", { name: /^Wait/ }).click();
  expect(await viewer.getByRole("textbox", { name: "How long", exact: true }).isDisabled()).toBe(true);
  expect(await viewer.getByRole("button", { name: /^Add a step ./ }).count()).toBe(0);
});

test("the call of a long journey, which is laid out in parts, is one text where it is selected by hand", async () => {
  const steps = [...Array(60).keys()].map((n) => ({ id: `wait_${n}`, type: "wait", for: { amount: 1, unit: "days" } }));
  const page = await stage.open("viewer", `campaigns/${await make(steps)}`);
  const call = page.locator("pre").first();
  const selected = await call.evaluate((pre) => {
    getSelection()?.selectAllChildren(pre);
    return String(getSelection());
  });
  const body = selected.slice(selected.indexOf("'{") + 1, selected.lastIndexOf("'"));
  expect(JSON.parse(body).steps).toEqual(steps);
  expect(selected.split("\n").length).toBeGreaterThan(60 * 7);
  expect(selected).not.toMatch(/\n\s*\n/);
  expect(await call.textContent()).toBe(selected);
});
