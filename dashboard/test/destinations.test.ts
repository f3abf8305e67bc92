import { randomUUID } from "node:crypto";
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
  await dialog.getByRole("radio", { name: "Replace all of them" }).check();
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

test("a ClickHouse that refuses rows says why, gets them when its password is right, and a viewer changes nothing", async () => {
  // A repeat of this test finds the destination of the first try.
  const name = `House ${randomUUID().slice(0, 8)}`;
  const { id } = await stage.send("POST", PATH, {
    name,
    kind: "clickhouse",
    settings: { url: house.url, database: "northwind", user: "tidings" },
    credentials: { password: "another password" },
    tables: ["events"],
    interval_seconds: 1,
  });
  const event = { person_id: "mara", eventName: "bag_ordered", properties: { name } };
  await stage.send("POST", "/data-gateway/v1/track", event);
  const page = await stage.open("viewer", "export-destinations");
  // A stream follows the log up to the oldest open transaction of the whole PostgreSQL, and other tests hold some open for long.
  const long = { timeout: 60_000 };
  await page.getByRole("listitem").filter({ hasText: name }).getByText("Failing").waitFor(long);
  await page.getByRole("link", { name }).click();
  await page.getByText(/Authentication failed/).waitFor();
  await assertSound(page);
  for (const action of ["Test", "More"])
    expect(await page.getByRole("button", { name: action, exact: true }).isDisabled(), action).toBe(true);
  await stage.send("PATCH", `${PATH}/${id}`, { credentials: { password: "a password" } });
  await page.getByText("Working").waitFor(long);
  await page.getByText(/Authentication failed/).waitFor({ state: "hidden" });
  await until(
    () => house.tables["northwind.events"]?.some((row) => String(row.properties).includes(name)),
    "the event in the house",
  );
});
