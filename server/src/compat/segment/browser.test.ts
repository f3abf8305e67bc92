import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { executablePath, useChromium } from "../../../../sdk/web/test/support/chromium.ts";
import { testService } from "../../../test/support/service.ts";
import { until } from "../../../test/support/wait.ts";

// @segment/analytics-next as it is published, in Chromium, on a page of another origin.

const it = await testService();
const address = await it.service.listen();
const used = useChromium();

const dist = new URL("../umd/", import.meta.resolve("@segment/analytics-next"));
const scripts = createServer((request, response) => {
  const name = /^\/([\w.-]+\.js)$/.exec(request.url ?? "")?.[1];
  if (name === undefined)
    return response.setHeader("content-type", "text/html").end("<!doctype html><title>Shop</title>");
  try {
    response.setHeader("content-type", "text/javascript").end(readFileSync(fileURLToPath(new URL(name, dist))));
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise<void>((resolve) => scripts.listen(0, "127.0.0.1", resolve));
afterAll(() => {
  scripts.closeAllConnections();
  scripts.close();
});
const page = `http://127.0.0.1:${(scripts.address() as AddressInfo).port}`;

/** Opens the page, does what a shop does, and returns the errors of the browser. */
async function shop(person: string, deliveryStrategy?: Record<string, unknown>): Promise<string[]> {
  const complaints: string[] = [];
  const tab = await used.browser.newPage();
  tab.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  tab.on("pageerror", (error) => complaints.push(String(error)));
  await tab.goto(page);
  await tab.addScriptTag({ url: `${page}/index.js` });
  await tab.evaluate(
    async ({ address, key, person, deliveryStrategy }) => {
      const { AnalyticsBrowser } = (globalThis as unknown as { AnalyticsNext: { AnalyticsBrowser: Loader } })
        .AnalyticsNext;
      const apiHost = `${new URL(address).host}/compat/segment/v1`;
      const [analytics] = await AnalyticsBrowser.load(
        { writeKey: key, cdnURL: `${address}/compat/segment` },
        { integrations: { "Segment.io": { apiHost, protocol: "http", deliveryStrategy } } },
      );
      await analytics.identify(person, { email: `${person}@example.test` });
      await analytics.page("Docs", "Pricing");
      await analytics.track("Order Completed", { total: 3 });
    },
    { address, key: it.publicKey, person, deliveryStrategy },
  );
  await until(async () => (await names(person)).length === 2, `the events of ${person}`);
  await tab.close();
  return complaints;
}

interface Loader {
  load(
    settings: object,
    options: object,
  ): Promise<[Record<"identify" | "page" | "track", (...args: unknown[]) => unknown>]>;
}

async function names(personId: string): Promise<string[]> {
  const rows = await it.service.ground.db.query<{ name: string }>({
    text: "select e.name from events e join people p using (person_key) where p.person_id = $1 order by e.name",
    values: [personId],
  });
  return rows.map((row) => row.name);
}

describe.skipIf(!executablePath)("analytics-next", () => {
  test("loads its settings from here and sends each call to its own route", async () => {
    expect(await shop("single")).toEqual([]);
    expect(await names("single")).toEqual(["Order Completed", "page_viewed"]);
    // Three calls on three connections: this one may arrive last.
    const email = async () => (await it.call("GET", "/api/v1/people/single")).body.claimed_email;
    await until(async () => (await email()) === "single@example.test", "the person's address");
  });

  test("sends batches to the address in its settings", async () => {
    expect(await shop("batched", { strategy: "batching", config: { size: 3, timeout: 500 } })).toEqual([]);
    expect(await names("batched")).toEqual(["Order Completed", "page_viewed"]);
  });
});

test("the settings name this service, for a public key only", async () => {
  const settings = (key: string) => it.service.app.inject(`/compat/segment/v1/projects/${key}/settings`);
  const answer = await settings(it.publicKey);
  expect(answer.headers["access-control-allow-origin"]).toBe("*");
  expect(answer.json().integrations["Segment.io"]).toMatchObject({
    apiKey: it.publicKey,
    apiHost: expect.stringMatching(/\/compat\/segment\/v1$/),
    protocol: "http",
  });
  expect((await settings(it.secretKey)).statusCode).toBe(400);
});
