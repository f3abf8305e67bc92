import { randomBytes } from "node:crypto";
import type { Locator, Page } from "playwright-core";
import { beforeAll, expect } from "vitest";
import { testClock, testService } from "../../server/test/support/service.ts";
import { until } from "../../server/test/support/wait.ts";
import { assertSound } from "./support/dashboard.ts";
import { dashboardStage, test } from "./support/stage.ts";

// What changes under an open page, without a reload.

const encryptionKey = randomBytes(32);
const clock = testClock();
const stage = await dashboardStage({ encryptionKey, clock });
const { databaseUrl } = stage.it;
const identify = (person_id: string, attributes = {}) =>
  stage.send("POST", "/data-gateway/v1/identify", { person_id, attributes });
const rowOf = (page: Page, text: string): Locator => page.getByRole("listitem").filter({ hasText: text });
const live = (page: Page) => page.getByRole("status").filter({ hasText: /^Live$/ });
let audience: string;
beforeAll(async () => {
  await identify("mara", { first_name: "Mara", email: "mara@example.com", plan: "pro" });
  for (let i = 0; i < 8; i++) await identify(`reader-${i}`, { email: `reader-${i}@example.com`, plan: "pro" });
  const filter = { attribute: "plan", op: "eq", value: "pro" };
  audience = (await stage.send("POST", "/api/v1/audiences", { name: "Readers", filter })).id;
});
const draft = async (name: string, rest = {}) =>
  (
    await stage.send("POST", "/api/v1/broadcasts", {
      name,
      channel: "email",
      audience_id: audience,
      content: { from: "a@example.com", subject: "News", body: "<p>News</p>" },
      ...rest,
    })
  ).id as string;

test("an entry appears in the activity without a reload, and waits while the page is paused", async () => {
  const page = await stage.open("viewer", "activity");
  await live(page).waitFor();
  await identify("first-entry");
  await rowOf(page, "first-entry").waitFor();
  await page.getByRole("button", { name: "Pause" }).click();
  await identify("second-entry");
  await page.getByRole("button", { name: "1 new" }).waitFor();
  expect(await rowOf(page, "second-entry").count()).toBe(0);
  await page.getByRole("button", { name: "1 new" }).click();
  await rowOf(page, "second-entry").waitFor();
  await live(page).waitFor();

  // What the filter leaves out does not come by the stream either.
  await page.getByLabel("Kind").selectOption({ label: "All of email" });
  await page.waitForURL(/type=email/);
  await identify("third-entry");
  await stage.send("POST", "/data-gateway/transactionals/email", {
    identifiers: { id: "mara" },
    from: "a@example.com",
    subject: "s",
    body: "b",
  });
  await rowOf(page, "mara@example.com").first().waitFor();
  expect(await rowOf(page, "third-entry").count()).toBe(0);
});

test("the lists of other rooms follow, too", async () => {
  const page = await stage.open("editor", "people");
  await identify("just-arrived");
  await rowOf(page, "just-arrived").waitFor();
  await stage.visit(page, "keys");
  const key = await stage.send("POST", "/api/v1/api-keys", { kind: "public", name: "Made elsewhere" });
  await rowOf(page, "Made elsewhere").waitFor();
  await stage.send("DELETE", `/api/v1/api-keys/${key.id}`);
  await rowOf(page, "Made elsewhere").filter({ hasText: "revoked" }).waitFor();
});

test("the progress of a broadcast shows, is found again after a reload, and ends", async () => {
  const page = await stage.open("editor", "");
  const id = await draft("Slow news", { rate_per_second: 1 });
  await stage.send("POST", `/api/v1/broadcasts/${id}/send`, {});
  const tray = page.getByRole("button", { name: /1 task is running/ });
  await tray.waitFor();
  await page.reload();
  await tray.click();
  const bar = page.getByRole("progressbar", { name: "Progress of Slow news" });
  // One person a second by the service's clock, which moves only here: however slow the browser is, the end is not before.
  const share = async () => Number(await bar.getAttribute("aria-valuenow"));
  await bar.waitFor();
  expect(await share()).toBeLessThan(50);
  for (let before = await share(); before < 100; before = await share()) {
    clock.forward(1_000);
    // The stream follows the log up to the oldest open transaction of the whole PostgreSQL, and other tests hold some open for long.
    await until(async () => (await share()) > before, `more progress than ${before} %`);
  }
  await page.getByText("Sent · 9 of 9").waitFor({ timeout: 60_000 });
  await page.getByRole("button", { name: "Remove from the list: Slow news" }).click();
  await bar.waitFor({ state: "hidden" });
});

test("Ctrl K finds a person and a broadcast by keys alone, and shows what was opened before all else", async () => {
  const page = await stage.open("viewer", "");
  const id = await draft("Harvest letter");
  // What is typed before it has the focus is lost.
  const field = page.getByRole("combobox", { name: "Search or go to …" }).and(page.locator(":focus"));
  const chosen = page.locator("[role=option][aria-selected=true]");
  const seek = async (text: string, finds: string) => {
    await page.keyboard.press("Control+k");
    await field.waitFor();
    await page.keyboard.type(text);
    const option = page.getByRole("option").filter({ hasText: finds });
    await option.waitFor();
    while (!((await chosen.textContent()) ?? "").includes(finds)) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
  };
  await seek("mara@ex", "mara@example.com");
  await page.waitForURL(/\/people\/mara$/);
  await page.getByRole("heading", { level: 1, name: "Mara" }).waitFor();
  await seek("vest let", "Harvest letter");
  await page.waitForURL(new RegExp(`/broadcasts/${id}$`));
  await page.getByRole("heading", { level: 1, name: "Harvest letter" }).waitFor();
  await assertSound(page);
  await page.keyboard.press("Control+k");
  await field.waitFor();
  expect((await page.getByRole("option").allTextContents()).slice(0, 2).map((text) => text.trim())).toEqual([
    "Harvest letter",
    "Mara",
  ]);
  await page.keyboard.press("ArrowDown");
  await chosen.getByText("Mara", { exact: true }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  await chosen.getByText("Mara", { exact: true }).waitFor();
  await page.keyboard.type("zzzz nothing");
  await page.getByRole("option", { name: "Why is something not shown" }).waitFor();
  expect(await page.getByRole("option").count()).toBe(1);
});

test("each command of the palette shows its keys, which the sheet lists, and which do it", async () => {
  const page = await stage.open("viewer", "people");
  await page.keyboard.press("Control+k");
  const commands = page.getByRole("group", { name: "Commands" }).getByRole("option");
  const read = async (option: Locator) => {
    const keys = await option.locator("kbd").allTextContents();
    expect(keys.length, String(await option.textContent())).toBeGreaterThan(0);
    return keys.join(" ");
  };
  await commands.first().waitFor();
  const shown = await Promise.all((await commands.all()).map(read));
  expect(new Set(shown).size).toBe(shown.length);
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await sheet.locator("dt").first().waitFor();
  const listed = await Promise.all(
    (await sheet.locator("dt").all()).map(async (term) => (await term.locator("kbd").allTextContents()).join(" ")),
  );
  expect(listed).toEqual(expect.arrayContaining(shown));
  await page.keyboard.press("Escape");
  await sheet.waitFor({ state: "hidden" });
  await page.keyboard.press("g");
  await page.keyboard.press("v");
  await page.waitForURL(/\/activity$/);
});

test("the service restarts under the open page: the activity goes on, and has what happened meanwhile once", async () => {
  const page = await stage.open("owner", "activity");
  await live(page).waitFor();
  await identify("before-restart");
  await rowOf(page, "before-restart").waitFor();
  await page.evaluate(() => document.body.setAttribute("data-same-page", "yes"));
  const other = await testService({ databaseUrl, encryptionKey });
  await stage.it.service.stop();
  await page.getByRole("status").filter({ hasText: "Connecting" }).waitFor();
  const key = stage.it.secretKey;
  const meanwhile = (person_id: string) =>
    other.call("POST", "/data-gateway/v1/identify", { key, body: { person_id, attributes: {} } });
  for (let i = 0; i < 20; i++) expect((await meanwhile(`meanwhile-${i}.`)).status).toBeLessThan(300);

  const env = { PORT: new URL(stage.address).port, ALLOW_PRIVATE_NETWORK: "true" };
  const again = await testService({ roles: "api,worker", databaseUrl, encryptionKey, env });
  await again.service.listen();
  await live(page).waitFor();
  await meanwhile("after-restart");
  await rowOf(page, "after-restart").waitFor();
  const shown = await page.getByRole("listitem").allTextContents();
  for (const name of ["before-restart", ...Array.from({ length: 20 }, (_, i) => `meanwhile-${i}.`), "after-restart"])
    expect(shown.filter((text) => text.includes(name)).length, name).toBe(1);
  expect(await page.evaluate(() => document.body.getAttribute("data-same-page"))).toBe("yes");
});
