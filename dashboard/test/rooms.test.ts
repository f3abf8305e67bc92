import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test as always } from "vitest";
import { rooms } from "../src/app/rooms.ts";
import { texts } from "../src/app/texts.ts";
import { assertFits, assertSound, sizeOf } from "./support/dashboard.ts";
import { assertKeyboard } from "./support/keyboard.ts";
import { settled, test } from "./support/stage.ts";
import { details, listed, tour } from "./support/tour.ts";

// Every page of a workspace, with something in it: a new room is tested as soon as the navigation lists it.

const on = await tour();
const { stage, visitAll } = on;

always("each page of a workspace is in the navigation, or named here with an address", () => {
  const src = fileURLToPath(new URL("../src/", import.meta.url));
  const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((name) => /\.tsx?$/.test(name));
  const routes = files
    .flatMap((file) => readFileSync(join(src, file), "utf8").split("createRoute({").slice(1))
    .filter((route) => route.includes("getParentRoute: () => workspace,"))
    .map((route) => /path: "([^"]+)"/.exec(route)?.[1]?.replace(/^\/$/, ""));
  expect(routes.length).toBeGreaterThan(7);
  expect(routes.filter((path) => !listed.includes(path as never) && !((path as string) in details))).toEqual([]);
});

always("docs/dashboard.md names rooms that are there, by their names and keys", () => {
  const page = readFileSync(fileURLToPath(new URL("../../docs/dashboard.md", import.meta.url)), "utf8");
  const named = [...page.matchAll(/^\| ([A-Z][\w -]+) \| `(\w)` `(\w)` \|/gm)].map(
    ([, name, first, key]) => `${name}: ${first} ${key}`,
  );
  expect(named.length).toBeGreaterThan(10);
  const there = rooms.map(({ text, keys }) => `${texts[text][0]}: ${keys}`);
  expect(named.filter((room) => !there.includes(room))).toEqual([]);
});

test("what a page does not know of an address is left out of it, and reaches no service", async () => {
  const page = await stage.open("owner", "");
  const refused: string[] = [];
  page.on("response", (answer) => answer.status() >= 400 && refused.push(`${answer.status()} ${answer.url()}`));
  for (const path of ["broadcasts", "people", "audit", "deliveries", "analytics"]) {
    await stage.visit(page, `${path}?utm_source=letter&period=nothing&sort=[]&q={}&status=null`);
    expect(new URL(page.url()).search, path).toBe("");
  }
  expect(refused).toEqual([]);
});

test("a long word without a space widens no page on a phone, in whatever field it is", async () => {
  const page = await (await stage.signedIn("owner", { phone: true })).newPage();
  const { audience, template, message, draft } = on.sample;
  const pages = ["explain", `audiences/${audience}`, `email-templates/${template}`, `in-app-messages/${message}`];
  for (const path of [...pages, `broadcasts/${draft}?step=content`]) {
    await stage.follow(page, path);
    const fields = page.locator("#content :is(input:is([type=text], :not([type])), textarea, [contenteditable=true])");
    for (const field of await fields.all()) {
      if (!(await field.isEditable().catch(() => false))) continue;
      await field.focus();
      await page.keyboard.press("Escape");
      await page.keyboard.insertText("W".repeat(250));
    }
    await settled(page);
    await assertFits(page);
  }
});

test(
  "each room is sound in light on a desktop and fits at 400 %, and can be used by keys alone in both",
  () =>
    visitAll("owner", {}, async (page) => {
      await assertSound(page);
      await assertKeyboard(page);
      // Loading each page once more would take longer than looking at it. Nothing of the first look stays open.
      await page.keyboard.press("Escape");
      await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
      await page.setViewportSize(sizeOf({ zoomed: true }));
      await assertFits(page);
      await assertKeyboard(page);
      await page.setViewportSize(sizeOf({}));
    }),
  300_000,
);
