import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test as always } from "vitest";
import { rooms } from "../src/app/rooms.ts";
import { texts } from "../src/app/texts.ts";
import { assertFits, assertSound, sizeOf } from "./support/dashboard.ts";
import { assertKeyboard } from "./support/keyboard.ts";
import { test } from "./support/stage.ts";
import { details, listed, tour } from "./support/tour.ts";

// Every page of a workspace, with something in it: a new room is tested as soon as the navigation lists it.

const { visitAll } = await tour();

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
