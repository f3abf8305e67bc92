import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Role } from "@tidings/contract/members";
import type { Page } from "playwright-core";
import { beforeAll, expect, onTestFinished, test as always } from "vitest";
import { rooms } from "../src/app/rooms.ts";
import { texts } from "../src/app/texts.ts";
import { assertFits, assertSound, type Look, sizeOf } from "./support/dashboard.ts";
import { assertKeyboard } from "./support/keyboard.ts";
import { type Offer, offersOf } from "./support/offers.ts";
import { makeSample, type Sample } from "./support/sample.ts";
import { dashboardStage, test } from "./support/stage.ts";

// Every page of a workspace, with something in it: a new room is tested as soon as the navigation lists it.

const stage = await dashboardStage();
let sample: Sample;
beforeAll(async () => {
  sample = await makeSample(stage.send);
});

/** The pages that the navigation does not list, by their path in the router. "" is a state of a room that its address names. */
const details: Record<string, (of: Sample) => string[]> = {
  "/deliveries": ({ delivery, failed }) => [`deliveries?open=${delivery}`, `deliveries?open=${failed}`],
  "/channels": ({ provider }) => [`channels?provider=${provider}`, "channels?add=email"],
  "/explain": ({ person }) => [`explain?person=${person}&screen=Home`],
  "/webhooks/$webhook": ({ webhook }) => [`webhooks/${webhook}`],
  "/topics": ({ topic }) => [`topics?open=${topic}`],
  "/people/$person": ({ person }) => [`people/${person}`],
  "/transactionals/new": () => ["transactionals/new"],
  "/transactionals/$id": ({ transactional }) => [
    `transactionals/${transactional}`,
    `transactionals/${transactional}?tab=call`,
    `transactionals/${transactional}?tab=results`,
  ],
  "/email-layouts": () => ["email-layouts"],
  "/snippets": () => ["snippets"],
  // Each kind has a page of its own, which is above.
  "/$kind/$id": () => [],
  "/audiences/$id": ({ audience }) => [`audiences/${audience}`],
  "/broadcasts/new": () => ["broadcasts/new", "broadcasts/new?channel=in_app&step=content"],
  "/broadcasts/$id": ({ broadcast, draft }) => [
    `broadcasts/${broadcast}`,
    ...["audience", "content", "settings", "review"].map((step) => `broadcasts/${draft}?step=${step}`),
  ],
  "/email-templates/$id": ({ template }) => [
    `email-templates/${template}`,
    `email-templates/${template}?view=versions`,
  ],
  "/email-layouts/$id": ({ layout }) => [`email-layouts/${layout}`],
  "/snippets/$id": ({ snippet }) => [`snippets/${snippet}`],
  "/in-app-messages/$id": ({ message }) => [`in-app-messages/${message}`, "in-app-messages/new"],
  "/campaigns/$id": ({ campaign }) => [`campaigns/${campaign}`, `campaigns/${campaign}?tab=settings`],
};
const below = "/w/$workspace";
const listed = rooms.map(({ to }) => to.slice(below.length));
const pages = (): string[] => [
  ...listed.map((path) => path.slice(1)),
  ...Object.values(details).flatMap((of) => of(sample)),
];

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

/** Visits each page in one window, and looks at it. As an owner nothing that a page asks for is refused. */
async function visitAll(
  role: Role,
  look: Look,
  check: (page: Page) => Promise<unknown>,
  { paths = pages(), to = stage.follow } = {},
): Promise<void> {
  const page = await (await stage.signedIn(role, look)).newPage();
  const refused: string[] = [];
  const faults: string[] = [];
  page.on("response", (answer) => {
    // Others' pages may ask, and say then that the right is missing.
    const ok = answer.status() < 400 || (role !== "owner" && answer.status() === 403);
    // The sample has no identity provider, which is how the page of the members learns it.
    const none = answer.status() === 404 && answer.url().endsWith("/api/v1/oidc");
    if (!ok && !none) refused.push(`${answer.status()} ${answer.url()}`);
  });
  for (const path of paths) {
    await to(page, path);
    // All faults of all pages are worth more than the first one.
    await check(page).catch((error: Error & { actual?: unknown }) =>
      faults.push(`${error.message} ${JSON.stringify(error.actual, null, 2)}`),
    );
  }
  expect(faults.join("\n\n")).toBe("");
  expect(refused).toEqual([]);
}

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

/** What everybody may change: their own account. */
const OWN = /^\/api\/v1\/(?:member|password|sessions?|second-factor|passkeys)(?:\/|$)/;

const offersTo = async (role: Role, paths?: string[]) => {
  const found = new Map<string, Offer>();
  const look: Look = { dark: true, german: true, phone: true };
  await visitAll(
    role,
    look,
    async (page) => {
      await assertSound(page);
      for (const offer of await offersOf(page)) found.set(`${offer.method} ${offer.path}`, offer);
    },
    // What was pressed and written is gone when the next page is loaded.
    { paths, to: stage.visit },
  );
  return [...found.values()].filter(({ path }) => !OWN.test(path));
};

/** What the service says to these calls, if a viewer makes them. */
const answersToViewer = (offers: Offer[]): Promise<string[]> =>
  Promise.all(
    offers.map(async ({ method, path, body }) => {
      const url = path.replace(/^\/api\/v1/, "");
      const sent = body === undefined ? undefined : JSON.parse(body);
      const { status } = await stage.members.viewer.inWorkspace(stage.workspace, method as "POST", url, sent);
      return `${status} ${method} ${path}`;
    }),
  );

test("in dark and in German on a phone each room is sound, and offers a viewer nothing that the service refuses", async () => {
  const answers = await answersToViewer(await offersTo("viewer"));
  expect(answers.filter((answer) => answer.startsWith("403"))).toEqual([]);
}, 300_000);

test("what these rooms offer an owner, the service refuses a viewer", async () => {
  // Each route is tried with each role by server/src/members: these few show that a press is a call.
  const answers = await answersToViewer(
    await offersTo("owner", ["topics", "suppressions", "settings", "webhooks", "keys"]),
  );
  expect(answers.length).toBeGreaterThan(5);
  expect(answers.filter((answer) => !answer.startsWith("403"))).toEqual([]);
});

test("the HTML of a mail runs nothing and asks for nothing", async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const elsewhere = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const body = `<p>Hello</p><script>top.ran = 1; fetch("${elsewhere}/script")</script>
    <img src="x" onerror="top.ran = 1"><img src="${elsewhere}/pixel.gif"><link rel="stylesheet" href="${elsewhere}/style.css">
    <iframe src="${elsewhere}/frame"></iframe><object data="${elsewhere}/object"></object>
    <meta http-equiv="refresh" content="0;url=${elsewhere}/refresh"><form action="${elsewhere}/form"><button autofocus>Go</button></form>`;
  const mail = { identifiers: { id: sample.person }, from: "a@northwind.example", subject: "Hostile", body };
  await stage.send("POST", "/data-gateway/transactionals/email", mail);
  const page = await stage.open("viewer", "outbox");
  await page.getByRole("link", { name: "Hostile" }).first().click();
  await page.getByRole("heading", { name: "Hostile" }).waitFor();
  const frame = page.frameLocator("iframe");
  await frame.getByText("Hello").waitFor();
  await frame.getByRole("button", { name: "Go" }).click();
  // What the mail asked for was asked before this.
  await fetch(`${elsewhere}/last`);
  expect(asked).toEqual(["/last"]);
  expect(await page.evaluate(() => "ran" in window)).toBe(false);
  expect(page.url()).toContain("/outbox");
});
