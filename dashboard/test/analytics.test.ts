import { readFile } from "node:fs/promises";
import fc from "fast-check";
import type { Page } from "playwright-core";
import { beforeAll, expect, test as always } from "vitest";
import { sql } from "../../server/src/platform/db/index.ts";
import { decodeId } from "../../server/src/platform/ids.ts";
import { personKey } from "../../server/src/workspaces/index.ts";
import { until } from "../../server/test/support/wait.ts";
import { periodOf } from "../src/analytics/time/period.ts";
import { comparedByWords } from "../src/workspaces/audit/words.ts";
import { assertSound } from "./support/dashboard.ts";
import { dashboardStage, settled, test } from "./support/stage.ts";

// The rooms that tell what was: analytics, rejected data, and the log of changes.

const stage = await dashboardStage();
const { workspaceId } = stage.it;
const { db } = stage.it.service.ground;
let welcome: string;

interface Sent {
  count: number;
  daysAgo: number;
  channel?: string;
  source?: string;
  sourceId?: string | null;
  clicked?: boolean;
}
/** Inserts messages that were sent in the past. */
async function sent({ count, daysAgo, channel = "email", source = "transactional", ...rest }: Sent) {
  const at = new Date(Date.now() - daysAgo * 86_400_000);
  const inApp = channel === "in_app";
  await db.execute(sql`
    insert into deliveries (person_key, id, workspace_id, channel, source, source_id, status, queued_at, sent_at, delivered_at, shown_at, clicked_at)
    select ${personKey(workspaceId, "ada")}, gen_random_uuid(), ${workspaceId}, ${channel}, ${source}, ${rest.sourceId ?? null},
      ${inApp ? "shown" : "delivered"}, ${at}, ${inApp ? null : at}, ${inApp ? null : at}, ${inApp ? at : null},
      ${rest.clicked ? at : null}
    from generate_series(1, ${count}::integer)`);
}
beforeAll(async () => {
  const content = { subject: "Welcome", body: "<p>Hello</p>" };
  const definition = { trigger_name: "welcome", channel: "email", subscription_preference: "all", content };
  welcome = (await stage.send("POST", "/api/v1/transactionals", { name: "Welcome", ...definition })).id;
  const sourceId = decodeId("tx", welcome) as string;
  await sent({ count: 5, daysAgo: 3, sourceId });
  await sent({ count: 2, daysAgo: 4, sourceId, clicked: true });
  await sent({ count: 4, daysAgo: 5, channel: "in_app", source: "test" });
  await sent({ count: 3, daysAgo: 40, sourceId });
});

const tile = (page: Page, name: string) =>
  page.getByRole("listitem").filter({ has: page.getByRole("button", { name, exact: true }) });
const figureOf = async (page: Page, name: string) => Number(await tile(page, name).getByRole("link").textContent());
/** The cells of each row of a table. */
const cellsOf = async (page: Page, name: string) =>
  page
    .getByRole("region", { name, exact: true })
    .locator("tbody tr")
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));
const addressHas = (page: Page, text: string) => until(async () => page.url().includes(text), `${text} in the address`);

test("the figures are those of the API, are compared with the period before, and open as many deliveries", async () => {
  const page = await stage.open("viewer", "analytics");
  const { totals } = await stage.send("GET", "/api/v1/analytics");
  expect([totals.sent, totals.delivered, totals.clicked]).toEqual([11, 11, 2]);
  for (const [name, metric] of [
    ["Sent", "sent"],
    ["Delivered", "delivered"],
    ["Clicked", "clicked"],
  ] as const)
    expect(await figureOf(page, name), name).toBe(totals[metric]);
  // 11 now and 3 before.
  await tile(page, "Sent").getByText("267%").waitFor();
  await tile(page, "Sent").getByText("before: 3").waitFor();

  await page.getByRole("switch", { name: "Compare with the period before" }).click();
  await addressHas(page, "compare=false");
  expect(await tile(page, "Sent").getByText("before: 3").count()).toBe(0);

  await tile(page, "Clicked").getByRole("link").click();
  await page.getByRole("heading", { name: "Deliveries", level: 1 }).waitFor();
  await settled(page);
  const list = page.getByRole("list", { name: "Deliveries" });
  await list.getByRole("listitem").first().waitFor();
  expect(await list.getByRole("listitem").first().getAttribute("aria-setsize")).toBe("2");
});

test("the In-app filter shows what in-app messages have: sent, shown, clicked, dismissed and failed", async () => {
  const page = await stage.open("viewer", "analytics");
  await page.getByRole("combobox", { name: "Channel" }).selectOption("In-app");
  await addressHas(page, "channel=in_app");
  await until(async () => (await figureOf(page, "Sent")) === 4, "the figures of in-app");
  const names = await page.locator("main li button[aria-pressed]").allTextContents();
  expect(names).toEqual(["Sent", "Shown", "Clicked", "Dismissed", "Failed"]);
  await page.getByRole("combobox", { name: "Channel" }).selectOption("Push");
  await page.getByText("Nothing happened in this period").waitFor();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await until(async () => (await figureOf(page, "Sent")) === 11, "all figures again");
});

test("sources are sorted by any number, and one leads to its own figures", async () => {
  const page = await stage.open("viewer", "analytics");
  const part = "What it is made of";
  await page.getByRole("region", { name: part, exact: true }).waitFor();
  const names = async () => (await cellsOf(page, part)).map(([name]) => name);
  expect(await names()).toEqual([expect.stringContaining("Welcome"), expect.stringContaining("Test sends")]);
  await page.getByRole("columnheader", { name: "Sent" }).getByRole("button").click();
  await until(async () => (await names())[0]?.startsWith("Test sends") === true, "the smallest first");
  await addressHas(page, "sort=sent");
  await page.getByRole("button", { name: "Welcome", exact: true }).click();
  await addressHas(page, `source_id=${welcome}`);
  await until(async () => (await figureOf(page, "Sent")) === 7, "the figures of one source");
  await page.getByRole("button", { name: "Welcome: show all sources" }).click();
  await until(async () => (await figureOf(page, "Sent")) === 11, "all figures again");
});

test("the chart is read by keys, its table has the same numbers, and the file too", async () => {
  const page = await stage.open("viewer", "analytics?period=7d");
  const cursor = page.getByRole("slider");
  await cursor.focus();
  await page.keyboard.press("Home");
  const points: string[] = [];
  for (let i = 0; i < 7; i++) {
    points.push((await cursor.getAttribute("aria-valuetext")) as string);
    await page.keyboard.press("ArrowRight");
  }
  const { data } = await stage.send(
    "GET",
    `/api/v1/analytics?from=${new Date(Date.now() - 6 * 86_400_000).toISOString()}`,
  );
  const numbers = data.map((bucket: { sent: number }) => bucket.sent);
  expect(numbers.reduce((a: number, b: number) => a + b)).toBe(11);
  expect(points.map((text) => Number(/This period (\d+)/.exec(text)?.[1]))).toEqual(numbers);

  await page.getByText("Table", { exact: true }).click();
  await addressHas(page, "view=table");
  await assertSound(page);
  expect((await cellsOf(page, "Sent by day")).map(([, number]) => Number(number))).toEqual(numbers);

  await page.getByRole("button", { name: "CSV" }).click();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: "These numbers by day" }).click(),
  ]);
  const lines = (await readFile(await file.path(), "utf8")).trim().split("\r\n");
  expect(lines[0]).toMatch(/^start,end,sent,/);
  expect(lines.slice(1).map((line) => Number(line.split(",")[2]))).toEqual(numbers);
});

test("what was refused is counted by what is wrong, and opens to what to do and to the data as it arrived", async () => {
  const track = { person_id: "ada", eventName: "order_placed", ts: "2026-02-30T00:00:00Z", properties: { total: 7 } };
  expect((await stage.it.call("POST", "/data-gateway/v1/track", { body: track })).status).toBe(400);
  const screen = { person_id: "ada", eventName: "screen_view", properties: { screen: "com.acme.Main$1@af34b2" } };
  await stage.it.call("POST", "/data-gateway/v1/track", { body: screen });
  await until(async () => (await stage.send("GET", "/api/v1/ingestion/rejected")).data.length === 2, "both items");

  const page = await stage.open("viewer", "rejected");
  const counts = await cellsOf(page, "How much, and where");
  expect(counts.map((cells) => cells.slice(0, 3)).toSorted()).toEqual([
    ["Name of a screen", "POST /data-gateway/v1/track", "1"],
    ["Wrong shape", "POST /data-gateway/v1/track", "1"],
  ]);
  await page
    .getByRole("region", { name: "How much, and where" })
    .last()
    .getByRole("button", { name: "Wrong shape" })
    .click();
  await addressHas(page, "code=invalid_request");
  const items = page.getByRole("list", { name: "Items" });
  await until(async () => (await items.locator("> li").count()) === 1, "only its items");
  await items.getByRole("button", { name: /Wrong shape/ }).click();
  await addressHas(page, "open=rej_");
  await items.getByText("send it again").waitFor();
  await items.getByText('"eventName": "order_placed"').waitFor();
  await assertSound(page);
  await page.reload();
  await items.getByText('"eventName": "order_placed"').waitFor();
  // The address shows the item also where the list does not have it.
  await stage.visit(page, `rejected?code=screen_name&open=${new URL(page.url()).searchParams.get("open")}`);
  const linked = page.getByRole("list", { name: "The item of this address" });
  await linked.getByText('"eventName": "order_placed"').waitFor();
});

test("the log of changes says who changed what, text by text in words, and a key leads to its own", async () => {
  const filter = { attribute: "plan", op: "eq", value: "pro" };
  const { id } = await stage.send("POST", "/api/v1/audiences", { name: "Customers with a large plan", filter });
  await stage.members.owner.inWorkspace(stage.workspace, "PATCH", `/audiences/${id}` as "/audiences", {
    name: "Customers with a small plan",
  });
  const page = await stage.open("owner", `audit?resource=${id}`);
  const entries = page.getByRole("list", { name: "Audit log" });
  expect(await entries.locator("> li").count()).toBe(2);
  const latest = entries.getByRole("button", { name: /Customers with a small plan changed/ });
  await expect.poll(() => latest.textContent()).toContain("Ada Lovelace (member)");
  await latest.click();
  await addressHas(page, "open=chg_");
  await assertSound(page);
  expect(await entries.locator("del").allTextContents()).toEqual(["large"]);
  expect(await entries.locator("ins").allTextContents()).toEqual(["small"]);
  await page.getByRole("combobox", { name: "Who" }).selectOption({ label: "API keys" });
  await until(async () => (await entries.locator("> li").count()) === 1, "what a key did");

  const { key_id } = await keyOf(page);
  await addressHas(page, `resource=${key_id}`);
  await entries.getByText("API key").first().waitFor();
  // A person is a resource, too: only one of both is asked for.
  await page.getByLabel("Person").fill("nobody");
  await page.getByLabel("Person").press("Enter");
  await addressHas(page, "person_id=nobody");
  await page.getByText("No change matches").waitFor();

  const viewer = await stage.open("viewer", "audit");
  await viewer.getByText("Your role does not allow this").waitFor();
  const rooms = (of: Page) => of.getByRole("navigation", { name: "Navigation" }).getByRole("link");
  expect(await rooms(viewer).filter({ hasText: "Audit log" }).count()).toBe(0);
  expect(await rooms(page).filter({ hasText: "Audit log" }).count()).toBe(1);
});

/** Makes a key, and goes from the list of keys to its history. */
async function keyOf(page: Page): Promise<{ key_id: string }> {
  const made = await stage.send("POST", "/api/v1/api-keys", { name: "Shop", kind: "secret" });
  await stage.visit(page, "keys");
  await page.getByRole("link", { name: "History: Shop" }).click();
  await page.getByRole("heading", { name: "Audit log" }).waitFor();
  return { key_id: made.id };
}

always("two texts, compared by words, are both still there", () => {
  const text = fc.array(fc.constantFrom("one", "two", " ", "\n", "three", "  ")).map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const pieces = comparedByWords(before, after);
      const of = (other: "before" | "after") =>
        pieces
          .filter((piece) => piece.in !== other)
          .map((piece) => piece.text)
          .join("");
      expect([of("after"), of("before")]).toEqual([before, after]);
    }),
  );
  expect(comparedByWords("a large plan", "a small plan").map((piece) => piece.in)).toEqual([
    "both",
    "before",
    "after",
    "both",
  ]);
});

always.each([
  // Clocks are set back on 25 October 2026 in Berlin, and forward on 29 March.
  ["Europe/Berlin", "2026-10-26T23:30:00Z", { first: "2026-10-21", firstBefore: "2026-10-14" }],
  ["Europe/Berlin", "2026-03-29T22:30:00Z", { first: "2026-03-24", firstBefore: "2026-03-17" }],
  ["America/Santiago", "2026-09-06T12:00:00Z", { first: "2026-08-31", firstBefore: "2026-08-24" }],
  ["Pacific/Kiritimati", "2026-01-01T09:00:00Z", { first: "2025-12-26", firstBefore: "2025-12-19" }],
])("seven days in %s at %s are days of its calendar", (zone, now, days) => {
  const period = periodOf({ period: "7d" }, zone, Date.parse(now));
  expect(period.days).toMatchObject(days);
  // In the middle of the first day, wherever clocks are.
  const hour = new Intl.DateTimeFormat("en-GB", { timeZone: zone, hour: "2-digit" }).format(new Date(period.now.from));
  expect(hour).toBe("12");
});
