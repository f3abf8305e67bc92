import { createHmac } from "node:crypto";
import { expect, test as always } from "vitest";
import { testDatabase } from "../../../server/test/support/database.ts";
import { freePort, serve } from "../../../server/test/support/tidings.ts";
import { until } from "../../../server/test/support/wait.ts";
import { bundle } from "./support/build.ts";
import { executablePath, useChromium } from "./support/chromium.ts";
import { context, create, open, see, shown } from "./support/page.ts";
import { site, stage, stageAt, stageService } from "./support/stage.ts";

// Tests network faults in real Chromium, on a page of another origin with a strict policy, against a real service.

const test = always.skipIf(!executablePath);
const chromium = useChromium();
const service = await stageService();
const code = await bundle();

test("what was done offline is sent in order after a reload, and counts once however often it arrives", async () => {
  const it = await stage(service);
  const address = await site(code, it.address);
  const persistence = { mode: "persistent_until_dismissed" };
  const cta = { label: "Go", action: "deep_link", value: "app://go" };
  const sent = await it.send(await it.define({ persistence, cta }), "offline");
  const at = await context(chromium.browser);
  const page = await open(at, address, it, { personId: "offline", screen: "home" });
  await see(page, sent);

  const bodies: { items: { event_id: string; type: string }[] }[] = [];
  let lose = true;
  await at.route(`${it.address}/**/interactions`, async (route) => {
    bodies.push(route.request().postDataJSON());
    // The report arrives, and its answer is lost: the worst that a network can do.
    const response = await route.fetch();
    if (lose) return route.abort();
    await route.fulfill({ response });
  });
  await page.evaluate((id) => {
    tidings.impression(id);
    tidings.impression(id);
    tidings.click(id);
    tidings.dismiss(id, "closed");
  }, sent);
  expect(await shown(page)).toEqual([]);
  await until(() => bodies.length > 0, "the first attempt");
  await at.setOffline(true);
  await page.evaluate(() => tidings.sync());
  await at.setOffline(false);

  await page.reload();
  await create(page, it, "offline", "home");
  await until(() => bodies.length > 2, "another attempt");
  expect(await shown(page)).toEqual([]);
  lose = false;
  const waiting = () => page.evaluate(() => Object.keys(localStorage).length);
  await until(async () => (await waiting()) === 0, "an empty queue");

  const [first] = bodies;
  expect(first?.items.map(({ type }) => type)).toEqual(["impression", "click", "dismiss"]);
  for (const body of bodies) expect(body).toEqual(first);
  const delivery = await it.delivery(sent);
  expect(delivery).toMatchObject({ status: "dismissed", impressions: 1 });
  const types = delivery.events.map(({ type }) => type);
  for (const type of ["in_app.impression", "in_app.click", "in_app.dismiss"])
    expect(types.filter((one) => one === type)).toHaveLength(1);
});

test("an expired token is renewed and the call repeated, once for all calls, the stream's too", async () => {
  const it = await stage(service);
  const address = await site(code, it.address);
  const message = await it.define();
  const { body: secret } = await it.call("POST", "/api/v1/signing-secrets", {});
  await it.call("PATCH", "/api/v1/workspace", { identity_verification: "required" });
  const { kid, secret: key } = secret as { kid: string; secret: string };
  const sign = (expires: number) => {
    const part = (json: object) => Buffer.from(JSON.stringify(json)).toString("base64url");
    const text = `${part({ alg: "HS256", kid })}.${part({ sub: "signed", exp: Math.floor(expires / 1000) })}`;
    return `${text}.${createHmac("sha256", key).update(text).digest("base64url")}`;
  };
  const at = await context(chromium.browser);
  let fetched = 0;
  const page = await at.newPage();
  await page.exposeFunction("personToken", () => sign(Date.now() + (++fetched === 1 ? -3_600_000 : 3_600_000)));
  await page.goto(address);
  await page.waitForFunction(() => globalThis.createTidings);
  await page.evaluate(
    ([baseUrl, apiKey]) => {
      globalThis.errors = [];
      globalThis.tidings = createTidings({
        baseUrl,
        apiKey,
        personId: "signed",
        getPersonToken: () => (globalThis as unknown as { personToken(): Promise<string> }).personToken(),
        onError: (error) => errors.push(String(error)),
      });
      tidings.track("opened");
      tidings.identify({ plan: "pro" });
    },
    [it.address, it.publicKey] as const,
  );
  await until(async () => (await it.openStreams()) === 1, "the stream with the new token");
  const sent = await it.send(message, "signed");
  await see(page, sent);
  expect(fetched).toBe(2);
  const waiting = () => page.evaluate(() => Object.keys(localStorage).length);
  await until(async () => (await waiting()) === 0, "an empty queue");
  expect((await it.call("GET", "/api/v1/people/signed")).body).toMatchObject({ attributes: { plan: "pro" } });
  expect(await page.evaluate(() => errors)).toEqual([]);
});

test("after a restart of the service the stream is back by itself, and what was sent meanwhile is there", async () => {
  const keys = { secretKey: "tid_sec_web-sdk-test", publicKey: "tid_pub_web-sdk-test" };
  const env = {
    PORT: String(await freePort()),
    // Keys of the environment are made in an empty database only.
    DATABASE_URL: await testDatabase(),
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
    BOOTSTRAP_SECRET_KEY: keys.secretKey,
    BOOTSTRAP_PUBLIC_KEY: keys.publicKey,
  };
  const first = await serve(env);
  const before = stageAt(first.address, keys);
  const address = await site(code, before.address);
  const message = await before.define();
  const page = await open(await context(chromium.browser), address, before, { personId: "restart" });
  await until(async () => (await before.openStreams()) === 1, "the stream");
  first.kill("SIGTERM");
  expect(await first.exit).toBe(0);

  const it = stageAt((await serve(env)).address, keys);
  const meanwhile = await it.send(message, "restart");
  // After many failures the client may wait for half a minute.
  await see(page, meanwhile, 80_000);
  await until(async () => (await it.openStreams()) === 1, "the stream", 40_000);
  const after = await it.send(message, "restart");
  await see(page, after);
});

test("a click on a link that leaves the page in the same moment is counted", async () => {
  const it = await stage(service);
  const address = await site(code, it.address);
  const cta = { label: "Go", action: "deep_link", value: "https://shop.example" };
  const sent = await it.send(await it.define({ cta }), "leaving");
  const page = await open(await context(chromium.browser), address, it, { personId: "leaving" });
  await see(page, sent);
  await page.evaluate(
    ([id, to]) => {
      tidings.impression(id);
      tidings.click(id);
      location.href = to;
    },
    [sent, `${address}elsewhere`] as const,
  );
  await until(async () => (await it.delivery(sent)).events.some(({ type }) => type === "in_app.click"), "the click");
});
