import { expect, test } from "vitest";
import { testService } from "../../test/support/service.ts";
import { lookAlikes } from "./similar.ts";

test("names that differ in case, separators or an outer slash look alike, and no others", () => {
  const all = ["Home", "home", "/home/", "HOME_", "Homes", "profile.details", "profile/details", "a/home"];
  const similar = lookAlikes(all, all);
  expect(similar("Home")).toEqual(["home", "/home/", "HOME_"]);
  expect(similar("profile.details")).toEqual(["profile/details"]);
  expect(similar("Homes")).toEqual([]);
  expect(lookAlikes(["a"], ["a", "A", "a-", "-a", "/a", "a/", "a.", ".a"])("a")).toHaveLength(5);
});

test("the catalog says which screens look alike and which messages name them, of this workspace only", async () => {
  const it = await testService();
  const other = await it.another();
  const seen = async (key: string, ...screens: string[]) => {
    const items = screens.map((screen) => ({
      type: "track",
      person_id: "ada",
      eventName: "screen_view",
      properties: { screen },
    }));
    await it.call("POST", "/data-gateway/v1/batch", { key, body: { items } });
  };
  await seen(it.publicKey, "Home", "/home", "checkout/pay", "Account");
  await seen(other.publicKey, "HOME");
  const message = async (name: string, screens: object, key = it.secretKey) =>
    (
      await it.call("POST", "/api/v1/in-app-messages", {
        key,
        body: { name, render_type: "modal", body: "b", screens },
      })
    ).body.id;
  const offer = await message("Offer", { include: ["Home", "checkout/*"], exclude: ["checkout/pay"] });
  const gone = await message("Gone", { include: ["Home"] });
  await it.call("DELETE", `/api/v1/in-app-messages/${gone}`);
  await message("Theirs", { include: ["*"] }, other.secretKey);
  await message("Everywhere", {});

  const { data } = (await it.call("GET", "/api/v1/screens?include=usage")).body;
  const of = (wanted: string) => data.find(({ name }: { name: string }) => name === wanted);
  expect(of("Home")).toMatchObject({ similar: ["/home"], used_by: [{ id: offer, name: "Offer", rule: "include" }] });
  expect(of("/home")).toMatchObject({ similar: ["Home"], used_by: [] });
  expect(of("checkout/pay").used_by).toEqual([{ id: offer, name: "Offer", rule: "exclude" }]);
  expect(of("Account")).toMatchObject({ similar: [], used_by: [] });
});
