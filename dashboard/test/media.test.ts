import { expect } from "vitest";
import { pngOf } from "../../server/test/support/images.ts";
import { assertSound } from "./support/dashboard.ts";
import { dashboardStage, test } from "./support/stage.ts";

const stage = await dashboardStage();
const file = (name: string, buffer: Buffer) => ({ name, mimeType: "image/png", buffer });

test("images are uploaded with what became of each, named, found and removed", async () => {
  const page = await stage.open("editor", "media");
  await page.getByText("No images yet").waitFor();
  const chosen = [file("logo.png", pngOf(40, 30, 1)), file("letter.png", Buffer.from("Dear Ada"))];
  await page.locator("input[type=file]").setInputFiles(chosen);
  await page.getByText("The image is of an unknown kind").waitFor();
  const tile = page.getByRole("list", { name: "Images" }).getByRole("link", { name: "logo.png" });
  await tile.waitFor();
  await page.waitForFunction(() => [...document.images].every(({ naturalWidth }) => naturalWidth > 0));
  await assertSound(page);
  await page.getByRole("button", { name: "Clear the list" }).click();

  const [logo] = (await stage.send("GET", "/api/v1/media")).data;
  await stage.send("POST", "/api/v1/snippets", { name: "head", body: `<img src="${logo.url}" alt="">` });
  await tile.click();
  const used = page.getByRole("region", { name: "Used by" }).getByRole("link", { name: "head" });
  expect(await used.getAttribute("href")).toMatch(/\/snippets\/snp_/);
  const words = page.getByLabel("Description", { exact: true });
  await words.fill("The logo of Northwind");
  await page.getByRole("button", { name: "Close" }).click();
  await page.getByText("Leave without saving?").waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  await assertSound(page);
  const { data } = await stage.send("GET", "/api/v1/media?q=northwind");
  expect(data).toMatchObject([{ name: "logo.png", alt: "The logo of Northwind" }]);

  await page.getByRole("button", { name: "Remove …" }).click();
  await page.getByText("Its address stops working at once").waitFor();
  await page.getByRole("button", { name: "Remove the image" }).click();
  await page.getByText("No images yet").waitFor();
  expect((await fetch(`${stage.address}/media/${data[0].file}`)).status).toBe(404);
});

test("a viewer sees the images and can change none", async () => {
  const form = new FormData();
  form.append("file", new Blob([new Uint8Array(pngOf(20, 20, 5))]), "shown.png");
  const headers = { authorization: `Bearer ${stage.it.secretKey}` };
  await fetch(`${stage.address}/api/v1/media`, { method: "POST", headers, body: form });
  const page = await stage.open("viewer", "media");
  expect(await page.getByRole("button", { name: "Upload images" }).isDisabled()).toBe(true);
  await page.getByRole("link", { name: "shown.png" }).click();
  await page.getByText("Only owners and editors can change images.").last().waitFor();
  expect(await page.getByRole("button", { name: "Remove …" }).count()).toBe(0);
});
