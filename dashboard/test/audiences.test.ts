import type { Locator, Page } from "playwright-core";
import { beforeAll, expect } from "vitest";
import { until } from "../../server/test/support/wait.ts";
import { assertFits, assertSound } from "./support/dashboard.ts";
import { idOf } from "./support/sample.ts";
import { dashboardStage, test } from "./support/stage.ts";

const stage = await dashboardStage();
const plans = ["one bag", "two bags", "office"];
const zones = ["Europe/Berlin", "Asia/Tokyo", "Europe/Oslo", "America/New_York"];
let offices: string;
beforeAll(async () => {
  const items = Array.from({ length: 12 }, (_, i) => i).flatMap((i) => {
    const attributes = { plan: plans[i % 3], timezone: zones[i % 4], customer_since: `2025-0${1 + (i % 9)}-15` };
    const properties = { total: 18 + (i % 5) * 7.5 };
    return [
      { type: "identify", person_id: idOf(i), attributes },
      { type: "track", person_id: idOf(i), eventName: "order_placed", properties },
    ];
  });
  await stage.send("POST", "/data-gateway/v1/batch", { items });
  const filter = { attribute: "plan", op: "eq", value: "office" };
  offices = (await stage.send("POST", "/api/v1/audiences", { name: "Offices", filter })).id;
});

const counted = async (filter: unknown): Promise<number> =>
  (await stage.send("POST", "/api/v1/audiences/preview", { filter })).count;
const saysCount = (within: Locator | Page, count: number) =>
  within
    .getByRole("status")
    .filter({ hasText: new RegExp(`^${count} (?:person|people)$`) })
    .waitFor();

/** Presses Tab until something has the focus. */
async function reach(page: Page, what: Locator): Promise<void> {
  for (let i = 0; i < 80; i++) {
    if (await what.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not lead to ${what}`);
}
const hasFocus = (what: Locator) =>
  until(() => what.evaluate((element) => element === document.activeElement), `the focus on ${what}`);
/** Opens the menu that has the focus, and chooses the item. */
async function choose(page: Page, item: string): Promise<void> {
  await page.keyboard.press("Enter");
  const chosen = page.getByRole("menuitem", { name: item, exact: true });
  await chosen.waitFor();
  for (let i = 0; i < 12 && !(await chosen.evaluate((one) => one === document.activeElement)); i++)
    await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
}

test("a nested filter is built by keys alone, and the number of its people is that of the API at each step", async () => {
  const page = await stage.open("editor", "audiences");
  await reach(page, page.getByRole("button", { name: "New audience" }));
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "New audience" });
  await hasFocus(dialog.getByLabel("Name", { exact: true }));
  await page.keyboard.type("Offices that order");

  await reach(page, dialog.getByRole("button", { name: "Add condition" }));
  await choose(page, "Attribute");
  const plan = dialog.getByRole("group", { name: "Attribute, 1 of 1" });
  await hasFocus(plan.getByLabel("Name of the attribute"));
  await page.keyboard.type("plan");
  await page.keyboard.press("Escape");
  await reach(page, plan.getByLabel("Value", { exact: true }));
  await page.keyboard.type("office");
  await page.keyboard.press("Escape");
  const isOffice = { attribute: "plan", op: "eq", value: "office" };
  await saysCount(dialog, await counted(isOffice));

  const outer = dialog.getByRole("group", { name: "Group", exact: true });
  await reach(page, outer.getByRole("button", { name: "Add condition" }).last());
  await choose(page, "Group of conditions");
  const inner = dialog.getByRole("group", { name: "Group, 2 of 2" });
  await hasFocus(inner.getByLabel("Name of the attribute"));
  await page.keyboard.type("timezone");
  await page.keyboard.press("Escape");
  await reach(page, inner.getByLabel("Comparison"));
  await page.keyboard.type("begins");
  await reach(page, inner.getByLabel("Value", { exact: true }));
  await page.keyboard.type("Europe/");
  await page.keyboard.press("Escape");
  const inEurope = { attribute: "timezone", op: "starts_with", value: "Europe/" };
  await saysCount(dialog, await counted({ all: [isOffice, { any: [inEurope] }] }));

  await reach(page, inner.getByRole("button", { name: "Add condition" }));
  await choose(page, "Event");
  const order = inner.getByRole("group", { name: "Event, 2 of 2" });
  await hasFocus(order.getByLabel("Name of the event"));
  await page.keyboard.type("order_placed");
  await page.keyboard.press("Escape");
  await reach(page, order.getByRole("button", { name: "Property" }));
  await page.keyboard.press("Enter");
  await reach(page, order.getByLabel("Name of the property"));
  await page.keyboard.type("total");
  await page.keyboard.press("Escape");
  await reach(page, order.getByLabel("Comparison"));
  await page.keyboard.type("is more");
  await reach(page, order.getByLabel("Value", { exact: true }));
  await page.keyboard.type("30");
  await page.keyboard.press("Escape");
  const ordered = { event: "order_placed", op: "performed", where: [{ property: "total", op: "gt", value: 30 }] };
  const whole = { all: [isOffice, { any: [inEurope, ordered] }] };
  await saysCount(dialog, await counted(whole));

  await reach(page, order.getByRole("button", { name: "Move or change: Event, 2 of 2" }));
  await choose(page, "Out of this group");
  await hasFocus(dialog.getByRole("button", { name: "Move or change: Event, 3 of 3" }));
  await choose(page, "Turn around (not)");
  const turned = { all: [isOffice, { any: [inEurope] }, { not: ordered }] };
  await saysCount(dialog, await counted(turned));
  await assertSound(page);

  await reach(page, dialog.getByRole("button", { name: "Create" }));
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Offices that order" }).waitFor();
  const { data } = await stage.send("GET", "/api/v1/audiences?q=Offices%20that");
  expect((await stage.send("GET", `/api/v1/audiences/${data[0].id}`)).filter).toEqual(turned);
  await page.getByText("not (order_placed (total is more than 30) happened)").waitFor();
});

test("names and values are suggested, JSON goes both ways, and a refusal stands at its condition", async () => {
  const page = await stage.open("editor", `audiences/${offices}`);
  const group = page.getByRole("group", { name: "Attribute", exact: true });
  await group.getByLabel("Name of the attribute").click();
  await page.getByRole("option", { name: "timezone text" }).waitFor();
  await page.keyboard.press("Escape");

  await page.getByText("JSON", { exact: true }).first().click();
  const json = page.getByLabel("Filter as JSON");
  await json.fill('{"attribute": "plan", "op": "like"');
  await page.getByText("This is not valid JSON yet").waitFor();
  const filter = {
    any: [
      { attribute: "customer_since", op: "before", value: "2026-01-31" },
      { event: "order_placed", op: "performed", count: { gte: 1 }, within: { amount: 100_001, unit: "days" } },
      { odd: true },
    ],
  };
  await json.fill(JSON.stringify(filter));
  await page.getByText("Conditions", { exact: true }).last().click();
  await page.getByText("These fields can’t show this condition").waitFor();
  await page.getByRole("button", { name: /^Move or change: .*3 of 3$/ }).click();
  await page.getByRole("menuitem", { name: "Remove", exact: true }).click();
  const event = page.getByRole("group", { name: "Event, 2 of 2" });
  await event.getByText("must be a whole number from 1 to 100000").waitFor();
  await assertSound(page);
  await event.getByLabel("Amount").fill("30");
  await page.getByText("must be a whole number").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Discard" }).click();
  await page.getByText("Everybody for whom this holds: plan is “office”.").waitFor();
});

test("it says why somebody is in it, and what another filter or its removal would change elsewhere", async () => {
  const made = await stage.send("POST", "/api/v1/audiences", {
    name: "Outside of offices",
    filter: { not: { audience: offices } },
  });
  const page = await stage.open("editor", `audiences/${offices}`);
  await page.getByRole("link", { name: "Outside of offices" }).waitFor();
  const why = page.getByRole("region", { name: "Why somebody is in it, or is not" });
  // The id of a person counts as soon as it is typed.
  await why.getByLabel("Person").fill(idOf(1));
  await why.getByText("Not in", { exact: true }).waitFor();
  const { verdict } = await stage.send("GET", `/api/v1/audiences/${offices}/people/${idOf(1)}`);
  const said = `plan is “office” (has ${JSON.stringify(verdict.facts.value)})`;
  await why.getByText(`Not in, because this does not hold: ${said}.`).waitFor();

  await page.getByRole("combobox", { name: "Value" }).fill("two bags");
  await page.getByText("1 place uses this audience").waitFor();
  await saysCount(page, await counted({ attribute: "plan", op: "eq", value: "two bags" }));
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Save" }).click();
  const dialog = page.getByRole("dialog", { name: "Change what is in use?" });
  await dialog.getByText("Outside of offices").waitFor();
  await assertSound(page);
  await dialog.getByRole("button", { name: "Change it for all of them" }).click();
  await page.getByText("Saved.").waitFor();
  const { filter } = await stage.send("GET", `/api/v1/audiences/${offices}`);
  expect(filter).toEqual({ attribute: "plan", op: "eq", value: "two bags" });

  await page.getByRole("button", { name: "Remove …" }).click();
  const removal = page.getByRole("dialog", { name: "Remove Offices?" });
  await removal.getByText("It can’t be removed while these use it").waitFor();
  expect(await removal.getByRole("button", { name: "Remove" }).isDisabled()).toBe(true);
  await removal.getByRole("button", { name: "Cancel" }).click();
  await stage.visit(page, `audiences/${made.id}`);
  await page.getByRole("button", { name: "Remove …" }).click();
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await page.getByText("The audience is removed.").waitFor();
  await page.waitForURL(/\/audiences$/);
});

test("people are imported into a list with the report of bad lines, which is there again after the page was left", async () => {
  const { id } = await stage.send("POST", "/api/v1/audiences", { name: "Testers", kind: "list" });
  const page = await stage.open("editor", `audiences/${id}`);
  await page.getByLabel("Put a person on the list").fill(idOf(2));
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByRole("link", { name: idOf(2), exact: true }).waitFor();

  await page.getByRole("button", { name: "Import CSV …" }).click();
  const lines = [idOf(0), "nobody-at-all", idOf(2), idOf(3)];
  const buffer = Buffer.from(["person_id", ...lines].join("\n"));
  await page.locator("input[type=file]").setInputFiles({ name: "testers.csv", mimeType: "text/csv", buffer });
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await page.getByText("4 lines: 2 new, 1 known, 1 refused.").waitFor();
  await stage.visit(page, "broadcasts");
  await stage.visit(page, `audiences/${id}`);
  await page.getByText("The file is imported.").waitFor();
  await page.getByText("Refused lines").click();
  await page.getByText(/^Line 3: /).waitFor();
  await page.getByRole("link", { name: idOf(3), exact: true }).waitFor();
  await assertSound(page);
  await page.getByRole("button", { name: `Take ${idOf(3)} off the list` }).click();
  await page.getByRole("link", { name: idOf(3), exact: true }).waitFor({ state: "detached" });
  expect((await stage.send("GET", `/api/v1/audiences/${id}/members`)).data).toHaveLength(2);
});

test("a viewer reads the conditions in words and changes none; a deep filter fits a phone", async () => {
  const deep = {
    any: [
      { attribute: "plan", op: "in", value: ["office", "one bag"] },
      { event: "order_placed", op: "performed" },
    ],
  };
  let filter: unknown = deep;
  for (let i = 0; i < 6; i++) filter = i % 2 ? { not: { any: [filter, deep] } } : { all: [filter, deep] };
  const { id } = await stage.send("POST", "/api/v1/audiences", { name: "Deep", filter });
  const viewer = await stage.open("viewer", `audiences/${id}`);
  await viewer.getByText("plan is one of “office”, “one bag”").first().waitFor();
  expect(await viewer.getByRole("button", { name: "Add condition" }).count()).toBe(0);
  expect(await viewer.getByRole("button", { name: "Remove …" }).isDisabled()).toBe(true);
  await assertSound(viewer);
  const phone = await stage.open("editor", `audiences/${id}`, { zoomed: true });
  await phone.getByRole("group").nth(6).waitFor();
  await assertFits(phone);
});
