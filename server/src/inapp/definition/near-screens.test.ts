import fc from "fast-check";
import { expect, test } from "vitest";
import { inAppService } from "../../../test/support/services/in-app.ts";
import { nearlyFits } from "../rules/nearly-fits.ts";
import { compilePattern, fits } from "../rules/screens.ts";

// Screens that look as if a rule meant them, and it does not.

const { it, identify, define, send } = await inAppService();
const view = (screen: string) =>
  it.call("POST", "/data-gateway/v1/track", {
    body: { person_id: "ada", eventName: "screen_view", properties: { screen } },
  });

test.each([
  ["checkout/*", "Checkout/cart"],
  ["checkout/*", "checkout.cart"],
  ["/home", "Home"],
  ["Home", "/home/"],
  ["sign in", "Sign-in"],
])("%j nearly fits %j", (pattern, screen) => expect(nearlyFits(pattern, screen)).toBe(true));

test.each([
  ["checkout/*", "checkout/cart"],
  ["checkout/*", "profile"],
  ["Home", "Homes"],
  ["*", "Anything"],
])("%j does not nearly fit %j", (pattern, screen) => expect(nearlyFits(pattern, screen)).toBe(false));

test("a screen that fits never nearly fits, and the same screen in another case always does", () => {
  const word = fc.stringMatching(/^[a-z]{1,5}(\/[a-z]{1,5}){0,2}$/);
  fc.assert(
    fc.property(word, (name) => {
      expect(fits(compilePattern(name), name) && nearlyFits(name, name)).toBe(false);
      expect(nearlyFits(name, name.toUpperCase())).toBe(true);
      expect(nearlyFits(name, `/${name}`)).toBe(true);
    }),
  );
});

test("an author is warned of the screens that devices report, when a rule is written and when it is read", async () => {
  for (const screen of ["Checkout/cart", "checkout/pay", "Home"]) expect((await view(screen)).status).toBe(202);
  const body = {
    name: "n",
    render_type: "modal",
    body: "b",
    screens: { include: ["checkout/*"], exclude: ["/home"] },
  };
  const made = await it.call("POST", "/api/v1/in-app-messages", { body });
  expect(made.body.warnings).toEqual([
    {
      code: "screen_near_miss",
      field: "screens.include.0",
      message: expect.stringContaining('"checkout/*" does not fit "Checkout/cart"'),
    },
    { code: "screen_near_miss", field: "screens.exclude.0", message: expect.stringContaining('"Home"') },
  ]);
  const url = `/api/v1/in-app-messages/${made.body.id}`;
  expect((await it.call("GET", url)).body.warnings).toHaveLength(2);
  const changed = await it.call("PATCH", url, { body: { screens: { include: ["Checkout/*"], exclude: ["Home"] } } });
  expect(changed.body.warnings).toMatchObject([
    { field: "screens.include.0", message: expect.stringContaining('"checkout/pay"') },
  ]);
  const { warnings: _, used_by: users, body: text, ...listed } = changed.body;
  expect((await it.call("GET", "/api/v1/in-app-messages?q=nobody")).body.data).toEqual([]);
  expect((await it.call("GET", `/api/v1/in-app-messages?q=${listed.id}`)).body.data).toEqual([listed]);
  expect([text, users]).toEqual([expect.any(String), []]);
});

test("the explainer says that a screen nearly fits", async () => {
  await identify("bob");
  await send(await define({ screens: { include: ["checkout/*"] } }), "bob");
  const { body } = await it.call("GET", "/api/v1/people/bob/in-app?screen=Checkout%2Fcart");
  expect(body.data[0].gates.find(({ gate }: { gate: string }) => gate === "screen")).toEqual({
    gate: "screen",
    pass: false,
    detail:
      'on "Checkout/cart"; shown on checkout/*; it nearly fits checkout/*: names are compared by case and by every sign',
    facts: { screen: "Checkout/cart", include: ["checkout/*"], exclude: [], nearly: ["checkout/*"] },
  });
});
