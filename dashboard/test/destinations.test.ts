import { expect } from "vitest";
import { clickhouseEmulator } from "../../server/test/support/network/clickhouse.ts";
import { s3Emulator } from "../../server/test/support/providers/s3.ts";
import { until } from "../../server/test/support/wait.ts";
import { assertSound } from "./support/dashboard.ts";
import { dashboardStage, test } from "./support/stage.ts";

// Where a workspace's data is streamed out to.

const stage = await dashboardStage();
const s3 = await s3Emulator("AKIDNORTHWIND", "a secret", "warehouse");
const house = await clickhouseEmulator("a password", [
  "northwind.deliveries",
  "northwind.activity",
  "northwind.events",
]);
const PATH = "/api/v1/export-destinations";

test("a bucket is added, tested, filled, changed, paused and removed", async () => {
  const page = await stage.open("owner", "export-destinations");
  await page.getByText("No destination yet").waitFor();
  await page.getByRole("button", { name: "Add destination" }).click();
  const dialog = page.getByRole("dialog");
  const add = dialog.getByRole("button", { name: "Add destination" });
  await dialog.getByLabel("Bucket", { exact: true }).fill("Warehouse!");
  await dialog.getByLabel("Region").fill("eu-central-1");
  await dialog.getByLabel("Address of the store (optional)").fill(s3.url);
  await dialog.getByLabel("Access key ID").fill("AKIDNORTHWIND");
  await dialog.getByRole("textbox", { name: "Secret access key" }).fill("another secret");
  await dialog.getByRole("radio", { name: "Also everything that is still kept" }).check();
  await dialog.getByLabel("Seconds between batches (optional)").fill("soon");
  await add.click();
  await dialog.getByText("must be a whole number").waitFor();
  await dialog.getByLabel("Seconds between batches (optional)").fill("1");
  await add.click();
  // What the service refuses is said at its field, and what was typed stays.
  await dialog.getByText("must be the name of a bucket").waitFor();
  expect(await dialog.getByLabel("Region").inputValue()).toBe("eu-central-1");
  await assertSound(page);
  await dialog.getByLabel("Bucket", { exact: true }).fill("warehouse");
  await add.click();
  await page.getByRole("heading", { level: 1, name: "Bucket (S3)" }).waitFor();

  await page.getByRole("button", { name: "Test", exact: true }).click();
  await dialog.getByText(/It does not work/).waitFor();
  await dialog.getByText(/SignatureDoesNotMatch/).waitFor();
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Change" }).click();
  await dialog.getByLabel("Name").fill("Warehouse");
  await dialog.getByRole("radio", { name: "Replace them" }).check();
  await dialog.getByLabel("Access key ID").fill("AKIDNORTHWIND");
  await dialog.getByRole("textbox", { name: "Secret access key" }).fill("a secret");
  await assertSound(page);
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { level: 1, name: "Warehouse" }).waitFor();
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await dialog.getByText(/The far end answered/).waitFor();
  await dialog.getByRole("button", { name: "Close" }).last().click();

  const stream = page.getByRole("region", { name: "Log" });
  await stream.getByText("Rows sent").waitFor();
  await assertSound(page);
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Pause …" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Pause" }).click();
  await page.getByText("Nothing is sent.").waitFor();
  const [made] = (await stage.send("GET", PATH)).data;
  expect(made).toMatchObject({ name: "Warehouse", enabled: false, interval_seconds: 1, tables: { length: 3 } });
  await page.getByRole("button", { name: "Resume" }).click();
  await page.getByText("Nothing is sent.").waitFor({ state: "hidden" });

  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Remove …" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await page.getByText("No destination yet").waitFor();
  expect((await stage.send("GET", PATH)).data).toEqual([]);
});

test("a ClickHouse that refuses rows says why, and a viewer changes nothing", async () => {
  const { id } = await stage.send("POST", PATH, {
    name: "House",
    kind: "clickhouse",
    settings: { url: house.url, database: "northwind", user: "tidings" },
    credentials: { password: "a password" },
    tables: ["events"],
  });
  const { db } = stage.it.service.ground;
  await db.execute({
    text: "update export_cursors set failing_since = now(), last_error = 'Table northwind.events does not exist', due_at = now() + interval '1 hour'",
    values: [],
  });
  const page = await stage.open("viewer", "export-destinations");
  await page.getByRole("listitem").filter({ hasText: "House" }).getByText("Failing").waitFor();
  await page.getByRole("link", { name: "House" }).click();
  await page.getByText("Table northwind.events does not exist").waitFor();
  await assertSound(page);
  for (const name of ["Test", "More"])
    expect(await page.getByRole("button", { name, exact: true }).isDisabled(), name).toBe(true);
  await db.execute({ text: "update export_cursors set failing_since = null, last_error = null", values: [] });
  await until(async () => (await page.getByText("does not exist").count()) === 0, "the news that it works");
  await page.getByText("Working").waitFor();
  expect(page.url()).toContain(id);
});
