import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Role } from "@tidings/contract/members";
import { expect, onTestFinished } from "vitest";
import { assertSound, type Look } from "./support/dashboard.ts";
import { type Offer, offersOf } from "./support/offers.ts";
import { test } from "./support/stage.ts";
import { tour } from "./support/tour.ts";

// What the pages of a workspace offer to whom.

const on = await tour();
const { stage, visitAll } = on;

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
    { paths },
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
  const mail = { identifiers: { id: on.sample.person }, from: "a@northwind.example", subject: "Hostile", body };
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
