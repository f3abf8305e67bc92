import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { beforeAll, expect, onTestFinished } from "vitest";
import { until } from "../../../../server/test/support/wait.ts";
import { type Stage, type StageService, stage } from "../../../../sdk/web/test/support/stage.ts";
import type { Person, RenderType } from "../../server/messages.ts";
import type { SigningSecret } from "../../server/person-token.ts";
import { type Shop, startShop } from "../../server/shop.ts";
import { buildSite } from "../../server/site.ts";

declare global {
  var refused: string[];
}

/** The CSS class of each render type. */
export const DRAWN: Record<RenderType, string> = {
  modal: ".tidings-modal",
  banner: ".tidings-banner",
  inline: ".tidings-inline",
  inbox_card: ".tidings-card",
};

export interface TestShop extends Stage {
  shop: Shop;
  /** Sends one of the shop's messages to the person; returns the delivery. */
  give(renderType: RenderType): Promise<string>;
  /** Sends a message of the test itself to the person. */
  sendTo(messageId: string): Promise<string>;
  /** Opens a window in which the person is logged in and sees this page. */
  visit(at: BrowserContext, path: string): Promise<Page>;
}

/** Builds the web pages, or those of another folder, once for the test file. */
export function useSite(root?: string): { folder: string } {
  const site = { folder: "" };
  beforeAll(async () => {
    site.folder = await mkdtemp(join(tmpdir(), "tidings-shop-"));
    await buildSite(site.folder, root);
    return () => rm(site.folder, { recursive: true, force: true });
  }, 120_000);
  return site;
}

/** Starts the shop with a workspace that requires person tokens, and with one person without messages. */
export async function testShop(service: StageService, site: string): Promise<TestShop> {
  const it = await stage(service);
  await it.call("PATCH", "/api/v1/workspace", { identity_verification: "required" });
  const person: Person = { person_id: "buyer", name: "Ada" };
  const attributes = { first_name: person.name };
  await it.call("POST", "/data-gateway/v1/identify", { person_id: person.person_id, attributes });
  const { body } = await it.call("POST", "/api/v1/signing-secrets", {});
  const signing: SigningSecret = body;
  const keys = { secret: it.secretKey, public: it.publicKey };
  const shop = await startShop({ tidings: it.address, keys, signing, site, port: 0, people: [person] });
  onTestFinished(() => shop.stop());
  return {
    ...it,
    shop,
    give: (renderType) => it.send(shop.messages[renderType], person.person_id),
    sendTo: (messageId) => it.send(messageId, person.person_id),
    async visit(at, path) {
      const page = await at.newPage();
      const errors: string[] = [];
      page.on("pageerror", (error) => errors.push(String(error)));
      await page.addInitScript(() => {
        globalThis.refused = [];
        document.addEventListener("securitypolicyviolation", (event) => refused.push(event.violatedDirective));
      });
      await page.goto(shop.address + path);
      const login = page.getByRole("button", { name: person.name, exact: true });
      const inside = page.getByRole("navigation");
      await login.or(inside).first().waitFor();
      if (await login.isVisible()) await login.click();
      await inside.waitFor();
      onTestFinished(async () => {
        expect(errors).toEqual([]);
        if (!page.isClosed()) expect(await page.evaluate(() => refused)).toEqual([]);
      });
      return page;
    },
  };
}

/** Less than the 48 s after which the client syncs by its timer: a change within this time came over the stream, or from the page. */
const timeout = 40_000;
/** Waits until it is drawn and the person sees it. */
export const sees = (page: Page, deliveryId: string) =>
  page.locator(`[data-tidings-delivery="${deliveryId}"]`).waitFor({ timeout });
/** Waits until it has disappeared completely. */
export const seesNoMore = (page: Page, deliveryId: string) =>
  page.locator(`[data-tidings-delivery="${deliveryId}"]`).waitFor({ state: "detached", timeout });

/** Returns every drawn delivery. */
export const drawn = (page: Page): Promise<(string | undefined)[]> =>
  page
    .locator("[data-tidings-delivery]")
    .evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset.tidingsDelivery));

/** Waits until these are drawn, in any order, and no others. */
export const drawnAre = (page: Page, ...deliveryIds: string[]) =>
  until(async () => (await drawn(page)).toSorted().join() === deliveryIds.toSorted().join(), "what is to be drawn");

/** Navigates within the application, as a link does. */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, "", to);
    window.dispatchEvent(new Event("shop:changed"));
  }, path);
}

/** Waits for the next answer to a sync for this screen: from then on, the drawn messages are the service's. */
export const synced = (page: Page, screen: string) =>
  page.waitForResponse((response) => {
    const url = new URL(response.url());
    return url.pathname.endsWith("/sync") && url.searchParams.get("screen") === screen;
  });

export const isNow = (it: Stage, deliveryId: string, status: string) =>
  until(async () => (await it.delivery(deliveryId)).status === status, `the delivery is ${status}`);
