import { expect, test } from "vitest";
import { testService } from "../../test/support/service.ts";
import { MOST_SCREENS } from "./room.ts";

const it = await testService();

const view = async (...screens: string[]) => {
  const items = screens.map((screen) => ({
    type: "track",
    person_id: "ada",
    eventName: "screen_view",
    properties: { screen },
  }));
  return it.call("POST", "/data-gateway/v1/batch", { key: it.publicKey, body: { items } });
};
const one = async (screen: string) => {
  const body = { person_id: "ada", eventName: "screen_view", properties: { screen } };
  return (await it.call("POST", "/data-gateway/v1/track", { key: it.publicKey, body })).body.screen;
};

test("a workspace has at most so many screens: one more is rejected without an error, and known ones go on", async () => {
  await it.service.ground.db.query({
    text: `insert into screens (workspace_id, name, first_seen, last_seen)
      select $1::uuid, 'Screen ' || n, now() - interval '1 hour', now() - interval '1 hour' from generate_series(1, $2::int) as n`,
    values: [it.workspaceId, MOST_SCREENS - 2],
  });
  expect((await view("Home", "Screen 1")).status).toBe(200);
  expect(await one("Cart")).toEqual({ name: "Cart", accepted: true });
  expect(await one("One more")).toEqual({ name: "One more", accepted: false, reason: "too_many" });
  expect(await one("Screen 2")).toEqual({ name: "Screen 2", accepted: true });
  const { data } = (await it.call("GET", "/api/v1/screens?q=Screen 2")).body;
  const seen = data.find(({ name }: { name: string }) => name === "Screen 2");
  expect(Date.parse(seen.last_seen)).toBeGreaterThan(Date.parse(seen.first_seen));
  expect((await it.call("GET", "/api/v1/screens?q=One")).body.data).toEqual([]);
});

test("another workspace has its own", async () => {
  const other = await it.another();
  const body = { person_id: "ada", eventName: "screen_view", properties: { screen: "Home" } };
  const { body: answer } = await it.call("POST", "/data-gateway/v1/track", { key: other.publicKey, body });
  expect(answer.screen).toEqual({ name: "Home", accepted: true });
});
