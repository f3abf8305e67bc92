import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { until } from "../../server/test/support/wait.ts";
import { click, inDialog, said } from "./support/presses.ts";
import { dashboardStage, test } from "./support/stage.ts";

// Contents are copied and removed, runs are begun and ended by hand, and a person is taken out as a file and merged.

const stage = await dashboardStage();
const choose = async (page: Page, menu: string, name: string) => {
  await click(page, menu);
  await page.getByRole("menuitem", { name, exact: true }).click();
};
const list = async (path: string) => (await stage.send("GET", `/api/v1/${path}`)).data;
const namesOf = async (path: string) => (await list(path)).map(({ name }: { name: string }) => name).sort();

test("a template is duplicated and deleted", async () => {
  const { id } = await stage.send("POST", "/api/v1/email-templates", {
    name: "Receipt",
    subject: "Yours",
    body: "<p>Hi</p>",
  });
  const page = await stage.open("editor", `email-templates/${id}`);
  await choose(page, "More", "Duplicate");
  await said(page, "This is the copy.");
  await page.getByRole("heading", { level: 1, name: "Receipt (copy)" }).waitFor();
  expect(await list("email-templates")).toHaveLength(2);
  await choose(page, "More", "Delete");
  await inDialog(page, "Delete");
  await said(page, "Receipt (copy) is deleted.");
  expect(await namesOf("email-templates")).toEqual(["Receipt"]);
});

test("an in-app message that a broadcast uses can't be deleted, and its copy can", async () => {
  const { id } = await stage.send("POST", "/api/v1/in-app-messages", {
    name: "Sale",
    render_type: "banner",
    body: "Now",
  });
  await stage.send("POST", "/api/v1/broadcasts", {
    name: "Spring",
    channel: "in_app",
    audience: { all: [] },
    message_id: id,
  });
  const page = await stage.open("editor", `in-app-messages/${id}`);
  await choose(page, "More", "Delete …");
  await page
    .getByRole("dialog")
    .getByRole("link", { name: /Spring/ })
    .waitFor();
  await inDialog(page, "Close");
  await choose(page, "More", "Duplicate");
  await page.getByLabel("Name", { exact: true }).fill("Sale again");
  await click(page, "Create the message");
  await page.getByRole("heading", { level: 1, name: "Sale again" }).waitFor();
  expect(await namesOf("in-app-messages")).toEqual(["Sale", "Sale again"]);
  await choose(page, "More", "Delete …");
  await inDialog(page, "Delete the message");
  await said(page, "The message is deleted.");
  expect(await namesOf("in-app-messages")).toEqual(["Sale"]);
});

test("a run is begun by hand with its data, and ended by its key", async () => {
  await stage.send("POST", "/data-gateway/v1/identify", { person_id: "ada", attributes: {} });
  const { id } = await stage.send("POST", "/api/v1/campaigns", {
    name: "Order",
    trigger: { type: "api" },
    reentry: "always",
    steps: [{ id: "pause", type: "wait", for: { amount: 1, unit: "days" } }],
  });
  await stage.send("POST", `/api/v1/campaigns/${id}/activate`, {});
  const page = await stage.open("editor", `campaigns/${id}?tab=runs`);
  await click(page, "Start a run …");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Person").fill("ada");
  await dialog.getByLabel("Data (JSON)").fill("no JSON");
  await dialog.getByLabel("Cancellation key").fill("order-1");
  await inDialog(page, "Start");
  await said(page, "This is no JSON object.");
  await dialog.getByLabel("Data (JSON)").fill('{"order": 1}');
  await inDialog(page, "Start");
  await said(page, "The run is started.");
  const [run] = await list(`campaigns/${id}/runs`);
  expect(run).toMatchObject({ person_id: "ada", status: "active" });
  await said(page, /Entered .* · at “pause”, goes on/);
  await click(page, "End by a key …");
  await dialog.getByLabel("Cancellation key").fill("order-1");
  await inDialog(page, "End the runs");
  await said(page, "1 run is ended.");
  expect(await list(`campaigns/${id}/runs`)).toMatchObject([
    { id: run.id, status: "canceled", reason: "cancellation_key" },
  ]);
});

test("a person is taken out as a file, and merged into another one", async () => {
  for (const [person, first] of [
    ["guest-1", "Grace"],
    ["grace", "Grace"],
  ])
    await stage.send("POST", "/data-gateway/v1/identify", { person_id: person, attributes: { first_name: first } });
  const page = await stage.open("editor", "people/guest-1");
  const [file] = await Promise.all([page.waitForEvent("download"), choose(page, "More", "Export")]);
  expect(file.suggestedFilename()).toBe("guest-1.json");
  expect(JSON.parse(await readFile(await file.path(), "utf8"))).toMatchObject({ person: { person_id: "guest-1" } });
  await choose(page, "More", "Merge into another …");
  await page.getByRole("dialog").getByLabel("Who stays").fill("grace");
  await page.keyboard.press("Enter");
  await inDialog(page, "Merge");
  await page.waitForURL(/\/people\/grace$/);
  await until(async () => (await stage.it.call("GET", "/api/v1/people/guest-1")).status === 404, "the merge");
});
