import { randomBytes } from "node:crypto";
import { expect } from "vitest";
import { testService } from "../../server/test/support/service.ts";
import { dashboardStage, PASSWORD, settled, test } from "./support/stage.ts";

// What happens under an open page.

const encryptionKey = randomBytes(32);
const stage = await dashboardStage({ encryptionKey });
const nameNow = async () => (await stage.send("GET", "/api/v1/workspace")).name;

test("a session that ends in the middle of typing is opened again above the page, and what was typed is saved", async () => {
  const { window, member } = await stage.signedInAlone("owner");
  const page = await window.newPage();
  await stage.visit(page, "settings");
  const name = page.getByLabel("Name", { exact: true });
  await name.fill("Northwind Coffee");
  // The session ends while the press is on its way: before it, the page may learn the end by itself, and cover the button.
  await page.route("**/api/v1/workspace", async (route) => {
    if (route.request().method() === "GET") return route.continue();
    await member.call("DELETE", "/api/v1/session");
    await route.continue();
  });
  await page.getByRole("button", { name: "Save" }).click();

  const dialog = page.getByRole("dialog", { name: "Your session has ended" });
  await dialog.waitFor();
  await page.unroute("**/api/v1/workspace");
  await dialog.getByLabel("Password", { exact: true }).fill("not the password at all");
  await page.keyboard.press("Enter");
  await dialog.getByRole("alert").waitFor();
  expect(await nameNow()).not.toBe("Northwind Coffee");
  await dialog.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.getByText("The settings are saved.").first().waitFor();
  await dialog.waitFor({ state: "hidden" });
  expect([await name.inputValue(), await nameNow()]).toEqual(["Northwind Coffee", "Northwind Coffee"]);
});

test("what a press could not do is said in the reader's language, before the service's own words", async () => {
  const { id } = await stage.send("POST", "/api/v1/webhooks", {
    url: "http://127.0.0.1:9/hook",
    types: ["email.sent"],
  });
  const page = await stage.open("owner", `webhooks/${id}`, { german: true });
  const press = async () => page.getByRole("button", { name: "Test senden" }).click();
  const toast = page.getByRole("status");
  await page.route("**/test", (route) => route.abort());
  await press();
  await toast.getByText("Keine Antwort vom Dienst").waitFor();
  await page.unroute("**/test");
  await page.route("**/test", (route) => {
    const problem = { status: 429, code: "busy", detail: "Too many tests at once. Repeat it after a second." };
    return route.fulfill({ status: 429, contentType: "application/problem+json", body: JSON.stringify(problem) });
  });
  await press();
  await toast.getByText("Der Dienst ist gerade ausgelastet.").waitFor();
  await toast.locator("q[lang=en]", { hasText: "Too many tests at once" }).waitFor();
});

test("while the service restarts, the page says that it is gone, keeps what was typed, and goes on by itself", async () => {
  const page = await stage.open("owner", "settings");
  const name = page.getByLabel("Name", { exact: true });
  await name.fill("Northwind Roasters");
  const lost = page.getByText("No connection to the service");
  await stage.it.service.stop();
  await page.getByRole("button", { name: "Save" }).click();
  await lost.first().waitFor();
  expect(await name.inputValue()).toBe("Northwind Roasters");

  const { databaseUrl } = stage.it;
  const env = { PORT: new URL(stage.address).port };
  const again = await testService({ roles: "api,worker", databaseUrl, encryptionKey, env });
  await again.service.listen();
  await lost.first().waitFor({ state: "hidden" });
  expect(await name.inputValue()).toBe("Northwind Roasters");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("The settings are saved.").first().waitFor();
  await page.reload();
  await settled(page);
  expect(await name.inputValue()).toBe("Northwind Roasters");
});
