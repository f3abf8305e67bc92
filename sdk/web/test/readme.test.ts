import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test as always } from "vitest";
import { makerOf } from "../../../server/test/support/docs/placeholders.ts";
import { testService } from "../../../server/test/support/service.ts";
import { snippets } from "../../../server/test/support/docs/snippets.ts";
import { until } from "../../../server/test/support/wait.ts";
import { bundle } from "./support/build.ts";
import { executablePath, useChromium } from "./support/chromium.ts";
import { context } from "./support/page.ts";

const test = always.skipIf(!executablePath);
const chromium = useChromium();
const pages = snippets().filter(({ language }) => language === "html");

test.each(pages)("the page of $at shows a message that is sent to it, and closes it", async ({ code }) => {
  const it = await testService();
  const html = code.replace("http://localhost:4000", await it.service.listen()).replace("tid_pub_...", it.publicKey);
  const files: Record<string, string> = { "/": html, "/tidings.global.js": await bundle("iife") };
  const site = createServer((request, response) => {
    const file = files[request.url ?? ""];
    const type = request.url === "/" ? "text/html" : "text/javascript";
    response.writeHead(file === undefined ? 404 : 200, { "content-type": type }).end(file);
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void site.close());
  await until(() => site.listening, "the site");
  const page = await (await context(chromium.browser)).newPage();
  await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}`);
  const path = await makerOf(it, it).filled("/api/v1/in-app-messages/msg_.../test-sends");
  await it.call("POST", "/data-gateway/v1/identify", { body: { person_id: "ada" } });
  const sent = await it.call("POST", path, { body: { person_id: "ada" } });
  expect(sent.status).toBe(202);
  await page.getByText("b (close)").click();
  await until(async () => (await page.getByRole("button").count()) === 0, "the dismissal");
  const delivery = async () => (await it.call("GET", `/api/v1/deliveries/${sent.body.delivery_id}`)).body;
  await until(async () => (await delivery()).status === "dismissed", "the report");
  expect(await delivery()).toMatchObject({ impressions: 1 });
});
