import type { DeliveryDetail } from "@tidings/contract/facts/activity";
import type { Page } from "playwright-core";
import type { Static } from "typebox";
import { beforeAll, expect, test as always } from "vitest";
import { failureOf } from "../src/activity/failure/failure.ts";
import { lookAlikes } from "../src/inapp/look-alikes.ts";
import { instantIn, localIn } from "../src/inapp/zoned.ts";
import { assertSound } from "./support/dashboard.ts";
import { idOf, makeSample, type Sample } from "./support/sample.ts";
import { dashboardStage, settled, test } from "./support/stage.ts";

const stage = await dashboardStage();
let sample: Sample;
/** Gets the in-app message of the sample, which shows on "Home" and below "Checkout". */
const MEANT = idOf(2);
beforeAll(async () => {
  sample = await makeSample(stage.send);
});

const whyNotShown = (page: Page) => page.getByRole("link", { name: "Why not shown?" }).click();
async function isAnswered(page: Page): Promise<void> {
  await page.getByText("Priya Raman: 0 of 1 live message shows on a screen without a name").waitFor();
  await page.getByText("It shows when the person opens one of its screens.").waitFor();
}

test("why a message was not shown is answered in three clicks: from the person, the delivery and the palette", async () => {
  const page = await stage.open("viewer", "people");
  await page.getByRole("link", { name: "Priya Raman" }).click();
  await whyNotShown(page);
  await isAnswered(page);

  await stage.visit(page, "deliveries");
  await page.getByRole("group", { name: "Channel" }).getByRole("button", { name: "In-app" }).click();
  await page.getByRole("list", { name: "Deliveries" }).getByRole("link", { name: MEANT }).click();
  await whyNotShown(page);
  await isAnswered(page);
  expect(new URL(page.url()).searchParams.get("delivery")).toMatch(/^dlv_/);

  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search or go to" }).fill(MEANT);
  await page.getByRole("option", { name: /not shown/ }).click();
  await isAnswered(page);
});

test("the whole question is in the address: a screen, its look-alikes, and a time of the person's zone", async () => {
  const page = await stage.open("viewer", `explain?person=${MEANT}&screen=home&at=2030-01-01T12:00:00Z`);
  await page
    .getByText("Priya Raman: 0 of 1 live message shows on home at 1 Jan 2030, 17:30 (Asia/Calcutta)")
    .or(page.getByText("Priya Raman: 0 of 1 live message shows on home at 1 Jan 2030, 17:30 (Asia/Kolkata)"))
    .waitFor();
  await page.getByRole("button", { name: "Now" }).click();
  await page.getByRole("button", { name: "Home", exact: true }).click();
  await page.getByText("Priya Raman: 1 of 1 live message shows on Home").waitFor();
  await assertSound(page);
  await page.goto(page.url());
  await page.getByText("Priya Raman: 1 of 1 live message shows on Home").waitFor();
});

test("a message that was never queued, and an id that nobody has, are explained too", async () => {
  const page = await stage.open("viewer", `explain?person=${idOf(1)}&message=${sample.message}`);
  await page.getByText("It was never queued for this person,").waitFor();
  await page.getByText("and this person was not among its people").waitFor();
  await page.getByText("The person is not in its audience:").waitFor();
  await stage.visit(page, "explain?person=cus_");
  await page.getByRole("heading", { name: "Nobody is “cus_”" }).waitFor();
});

test("a failed email is found, and said in plain words what it means and what to do", async () => {
  const page = await stage.open("viewer", "deliveries");
  await page.getByRole("group", { name: "Status" }).getByRole("button", { name: "Failed" }).click();
  await page.getByRole("list", { name: "Deliveries" }).getByRole("link").first().click();
  const drawer = page.getByRole("dialog", { name: "Delivery" });
  await drawer.getByText("The person had no address for this channel.").waitFor();
  await drawer.getByText("Let your application identify the person with an email").waitFor();
  const again = drawer.getByRole("button", { name: "Send again" });
  expect(await again.isDisabled()).toBe(true);
  await drawer.getByRole("link", { name: "Open the person" }).click();
  await page.getByRole("heading", { name: "Elif Demir" }).waitFor();
});

test("a person is erased after the consequences were said and the id was typed; a viewer may not", async () => {
  const person = idOf(0);
  const viewer = await stage.open("viewer", `people/${person}?tab=runs`);
  expect(await viewer.getByRole("switch", { name: "Receives messages" }).isDisabled()).toBe(true);
  await viewer.getByRole("button", { name: "More" }).click();
  await viewer.getByText("Only editors and owners can change this.").first().waitFor();
  expect(await viewer.getByRole("menuitem", { name: "Erase" }).getAttribute("data-disabled")).toBe("true");

  const page = await stage.open("editor", `people/${person}`);
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Erase" }).click();
  const dialog = page.getByRole("dialog", { name: `Erase ${person}` });
  await dialog.getByText("Messages that were sent stay in the counts").waitFor();
  const erase = dialog.getByRole("button", { name: "Erase this person" });
  expect(await erase.isDisabled()).toBe(true);
  await dialog.getByRole("textbox").fill(person);
  await erase.click();
  await page.getByText("The person is erased.").waitFor();
  await settled(page);
  expect((await stage.it.call("GET", `/api/v1/people/${person}`)).status).toBe(404);
});

const failed = (reason: string | null, own: Partial<Static<typeof DeliveryDetail>> = {}) =>
  failureOf({ status: "failed", channel: "email", reason, events: [], ...own } as Static<typeof DeliveryDetail>)?.means;

always.each([
  ["550 5.1.1 <a@b.test>: Recipient address rejected: User unknown", "means_unknown_address"],
  ["452 4.2.2 The recipient's inbox is over quota", "means_full"],
  ["550 5.7.26 This mail is unauthenticated, DMARC policy", "means_policy"],
  ["The acme.test domain is not verified", "means_sender"],
  ["535 5.7.8 Authentication failed", "means_credentials"],
  ["552 5.3.4 Message size exceeds fixed limit", "means_too_large"],
  ["no provider took it within 17 hours: main rests", "means_gave_up"],
  ["no provider", "means_no_provider"],
  ["undetermined: the connection broke", "means_undetermined"],
  ["something new", "means_refused"],
])("a failure with %j is %s", (reason, means) => {
  expect(failed(reason)).toBe(means);
});

always("what a provider reported later explains a bounce that has no reason of its own", () => {
  const events = [{ type: "email.bounced", at: "", data: { reason: "5.2.2 mailbox full" } }];
  expect(failed(null, { status: "bounced", events })).toBe("means_full");
  expect(failed(null, { status: "delivered", events })).toBeUndefined();
});

always("a local time is an instant of its zone, also around a change of the clocks", () => {
  for (const local of ["2026-03-29T01:30", "2026-03-29T03:30", "2026-10-25T04:00", "2026-07-01T00:00"])
    expect(localIn("Europe/Berlin", instantIn("Europe/Berlin", local))).toBe(local);
  expect(instantIn("Asia/Kolkata", "2026-01-01T05:30")).toBe("2026-01-01T00:00:00.000Z");
});

always("screens that are written almost alike are told, others are not", () => {
  const screens = ["Home", "/home", "checkout/cart", "Account"];
  expect(lookAlikes("home", screens)).toEqual(["Home", "/home"]);
  expect(lookAlikes("checkout/card", screens)).toEqual(["checkout/cart"]);
  expect(lookAlikes("me", screens)).toEqual([]);
});
