import type { Page } from "playwright-core";
import { expect } from "vitest";
import { testSmtp } from "../../server/test/support/mail/smtp.ts";
import { dnsServer } from "../../server/test/support/network/dns.ts";
import { receiver, verifies } from "../../server/test/support/network/receiver.ts";
import { until } from "../../server/test/support/wait.ts";
import { assertSound } from "./support/dashboard.ts";
import { click, said } from "./support/presses.ts";
import { dashboardStage, settled, test } from "./support/stage.ts";

// Providers and webhooks are set up, found wrong, and put right.

const stage = await dashboardStage();
const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });

test("a mail server with a wrong password: the test shows the conversation and the field, and then sends", async () => {
  const server = await testSmtp({ user: "ada", pass: "right password" });
  await stage.send("PATCH", "/api/v1/workspace", { sender_defaults: { email_from: "Shop <hello@acme.example>" } });
  const page = await stage.open("owner", "channels");
  await click(page, "Add provider: Email");
  await field(page, "Host").fill("127.0.0.1");
  await field(page, "Port (optional)").fill(String(server.port));
  await field(page, "User (optional)").fill("ada");
  await page.getByLabel("Password (optional)").fill("wrong password");
  await page.getByText("More settings").click();
  await page.getByLabel("Send without TLS").selectOption("Yes");
  await click(page, "Add and test");

  await said(page, "The login or key is refused");
  const steps = page.getByRole("list", { name: "What was said" });
  expect(await steps.textContent()).toMatch(/EHLO.*AUTH PLAIN \*\*\*.*535/s);
  expect(await page.content()).not.toContain("wrong password");
  await assertSound(page);
  await click(page, "Correct it");
  const password = page.getByLabel("Password (optional)");
  await until(() => password.evaluate((one) => one === document.activeElement), "the focus on the password");
  await password.fill("right password");
  await click(page, "Save");
  await said(page, "SMTP server is saved.");

  await field(page, "Send a message to").fill("me@acme.example");
  await click(page, "Send the test");
  await said(page, "The provider took the test message.");
  expect(server.received.map(({ to }) => to)).toEqual([["me@acme.example"]]);
  expect(await steps.textContent()).toMatch(/MAIL FROM:<hello@acme\.example>.*RCPT TO:<me@acme\.example>/s);

  await click(page, "Edit");
  await field(page, "Host").fill("localhost");
  await click(page, "Save");
  await said(page, "must be given again, because settings.host decides where they go");
});

test("the order of providers is changed by keys, and switching in-app off says what it stops", async () => {
  for (const name of ["First", "Second"])
    await stage.send("POST", "/api/v1/providers", { name, channel: "sms", kind: "local", priority: 5 });
  const page = await stage.open("owner", "channels");
  const names = () => page.getByRole("list", { name: "Order of the providers: SMS" }).getByRole("link").allInnerTexts();
  expect(await names()).toEqual(["First", "Second"]);
  await page.getByRole("button", { name: "Move Second up" }).press("Enter");
  await said(page, "The order is saved.");
  expect(await names()).toEqual(["Second", "First"]);

  const allowed = async () => (await stage.send("GET", "/api/v1/workspace")).allow_in_app;
  await page.getByLabel("Allow in-app messages").click();
  await said(page, /Active campaigns go on/);
  expect(await allowed()).toBe(true);
  await click(page, "Switch off");
  await said(page, "In-app is switched off.");
  expect(await allowed()).toBe(false);
  await page.getByLabel("Allow in-app messages").click();
  await said(page, "In-app is switched on.");
});

test("the records of the sender's domain are looked up and explained, with what to publish", async () => {
  const dns = await dnsServer();
  dns.zones.set("acme.example", { txt: ["v=spf1 mx ?all"], mx: ["10 mx.acme.example"] });
  dns.zones.set("s9._domainkey.acme.example", { txt: ["v=DKIM1; p="] });
  const page = await stage.open("owner", "channels");
  await click(page, "Check: acme.example");
  await said(page, "It ends in ?all, which says nothing about other servers: use ~all or -all.");
  await said(page, "acme.example has no DMARC policy. Gmail and Yahoo ask one of everybody who sends to many.");
  await said(page, "v=DMARC1; p=none; rua=mailto:dmarc@acme.example");
  await assertSound(page);
  await field(page, "DKIM selector").fill("s9");
  await click(page, "Look it up");
  await said(page, "The key s9 is empty, which means that it is revoked: what it signs fails.");
});

test("a webhook is made, fails, its log is read, and what failed is sent again", async () => {
  const far = await receiver();
  const page = await stage.open("owner", "webhooks");
  await click(page, "Add endpoint");
  const dialog = page.getByRole("dialog");
  await field(page, "Address").fill("ftp://wrong");
  await dialog.getByRole("button", { name: "Add endpoint" }).click();
  await said(page, "must be an http or https address");
  await field(page, "Address").fill(far.url);
  await page.getByLabel("Only these").click();
  await page.getByLabel("person.identified").click();
  await dialog.getByRole("button", { name: "Add endpoint" }).click();
  await said(page, /^whsec_/);
  await click(page, "Done");
  await page.getByRole("link", { name: far.url }).click();

  far.answer = (response) => void response.writeHead(410).end("gone fishing");
  await click(page, "Send a test");
  await said(page, /The endpoint answered 410/);
  await said(page, "gone fishing");
  await click(page, "Close");
  far.answer = (response) => void response.writeHead(500).end("out of order");
  await stage.send("POST", "/data-gateway/v1/identify", { person_id: "hugo", attributes: {} });
  await page.getByRole("link", { name: "person.identified" }).click();
  await said(page, "HTTP 500");
  await said(page, "out of order");
  await said(page, /"person_id": "hugo"/);
  await settled(page);
  await assertSound(page);
  // The address of the entry holds where the filters leave it out, as where it is further back.
  const address = new URL(page.url());
  await stage.visit(page, `${address.pathname.split("/").slice(3).join("/")}${address.search}&status=delivered`);
  await said(page, /"person_id": "hugo"/);
  await click(page, "Close");

  const failed = {
    text: "update webhook_deliveries set status = 'failed', due_at = null where lease_id is null and status = 'pending'",
    values: [],
  };
  await until(
    async () => (await stage.it.service.ground.db.execute(failed)) > 0,
    "the delivery to be between two tries",
  );
  far.answer = (response) => void response.writeHead(204).end();
  await page.getByLabel("State", { exact: true }).selectOption("Failed");
  await page.waitForURL(/status=failed/);
  await said(page, "person.identified");
  // The service may have tried again by itself before its row was set to failed.
  const before = far.of("person.identified").length;
  await click(page, "Send again …");
  await page.getByRole("dialog").getByRole("button", { name: "Send again" }).click();
  await said(page, "1 event is sent again.");
  await until(() => far.of("person.identified").length === before + 1, "the repeat");
  await page.getByLabel("State", { exact: true }).selectOption("Delivered");
  await said(page, "person.identified");
});

test("a webhook gets a new secret, which is shown once, is paused, enabled, changed, caught up and removed", async () => {
  const far = await receiver();
  const { id, secret } = await stage.send("POST", "/api/v1/webhooks", { url: far.url, types: ["person.identified"] });
  const page = await stage.open("owner", `webhooks/${id}`);
  const dialog = page.getByRole("dialog");
  const choose = async (action: string, yes: string) => {
    await click(page, "More actions");
    await page.getByRole("menuitem", { name: `${action} …` }).click();
    await dialog.getByRole("button", { name: yes, exact: true }).click();
  };
  const signed = async () => {
    await click(page, "Send a test");
    await said(page, /The endpoint took it: 204/);
    await click(page, "Close");
    const call = far.calls.at(-1);
    return (one: string) => call !== undefined && verifies(one, call);
  };
  await choose("New secret", "New secret");
  const second = (await page.getByText(/^whsec_/).textContent()) ?? "";
  await click(page, "Done");
  expect([secret, second].map(await signed())).toEqual([true, true]);
  await click(page, "More actions");
  await page.getByRole("menuitem", { name: "New secret …" }).click();
  await dialog.getByLabel("The previous secret counts for").selectOption("not at all: it has leaked");
  await dialog.getByRole("button", { name: "New secret", exact: true }).click();
  const third = (await page.getByText(/^whsec_/).textContent()) ?? "";
  await click(page, "Done");
  expect([second, third].map(await signed())).toEqual([false, true]);

  await choose("Pause", "Pause");
  await said(page, "The endpoint is paused.");
  expect((await stage.send("GET", `/api/v1/webhooks/${id}`)).enabled).toBe(false);
  await click(page, "Enable");
  await said(page, "The endpoint is enabled.");
  await click(page, "More actions");
  await page.getByRole("menuitem", { name: "Edit" }).click();
  await field(page, "Address").fill(`${far.url}?of=shop`);
  await dialog.getByRole("button", { name: "Save" }).click();
  await said(page, "The endpoint is saved.");
  expect((await stage.send("GET", `/api/v1/webhooks/${id}`)).url).toBe(`${far.url}?of=shop`);
  await stage.send("POST", "/data-gateway/v1/identify", { person_id: "ivy", attributes: {} });
  const heard = () => far.of("person.identified").filter(({ event }) => event.data.person_id === "ivy").length;
  await until(() => heard() === 1, "the event");
  await click(page, "Send again …");
  await page.getByLabel("Everything since a time").check();
  await dialog.getByRole("button", { name: "Send again" }).click();
  await said(page, /^Everything since .* is sent again\.$/);
  await until(() => heard() === 2, "the event once more");
  await choose("Remove", "Remove");
  await page.waitForURL(/\/webhooks$/);
  expect((await stage.send("GET", "/api/v1/webhooks")).data.map((one: { id: string }) => one.id)).not.toContain(id);
});

test("who is no owner sees the providers and the log, and can change neither", async () => {
  const [provider] = (await stage.send("GET", "/api/v1/providers?channel=email")).data;
  const page = await stage.open("viewer", `channels?provider=${provider.id}`);
  for (const name of ["Edit", "Remove …", "Test the connection"])
    expect(await page.getByRole("button", { name, exact: true }).isDisabled(), name).toBe(true);
  await click(page, "Close");
  expect(await page.getByLabel("Allow in-app messages").isDisabled()).toBe(true);
  expect(await page.getByRole("button", { name: /^(Move|Add provider)/ }).evaluateAll(pressable)).toEqual([]);
  const [webhook] = (await stage.send("GET", "/api/v1/webhooks")).data;
  await stage.visit(page, `webhooks/${webhook.id}`);
  await said(page, "person.identified");
  for (const name of ["Send a test", "Send again …", "More actions"])
    expect(await page.getByRole("button", { name, exact: true }).isDisabled(), name).toBe(true);
});

/** Returns the names of those that can be pressed. */
const pressable = (all: (Element & { disabled?: boolean })[]) =>
  all.filter((one) => !one.disabled).map((one) => one.getAttribute("aria-label"));
