import { describe, expect, test } from "vitest";
import { limitedEngine, sms } from "../../../test/support/campaigns/limited.ts";

// Messages of campaigns wait until the sending window opens where the person is, or are dropped.

const { clock, define, settle, call, limit, person, campaign, begin, runOf } = await limitedEngine();

describe("a closed window", () => {
  test("makes a message wait until it opens in the person's zone, and leaves in-app alone", async () => {
    clock.set("2026-05-01T17:30:00Z");
    await limit({ window: { from: "09:00", to: "20:00", days: ["mon", "tue", "wed", "thu", "fri"] } });
    const id = await campaign([
      { id: "card", type: "message", channel: "in_app", message_id: await define() },
      sms("text"),
    ]);
    const [zurich, london] = [await person({ timezone: "Europe/Zurich" }), await person({ timezone: "Europe/London" })];
    clock.set("2026-05-01T18:30:00Z");
    const late = await runOf(id, await begin(id, zurich));
    expect(late).toMatchObject({ step_id: "text", due_at: "2026-05-04T07:00:00.000Z" });
    expect(late.history).toMatchObject([{ state: "passed" }, { state: "waiting", detail: { held_by: "window" } }]);
    expect(await runOf(id, await begin(id, london))).toMatchObject({ status: "completed" });
    clock.set("2026-05-04T07:00:00Z");
    await settle();
    expect(await runOf(id, late.id)).toMatchObject({ status: "completed" });
  });

  test("opens at another time for people without a zone when the workspace's zone changes", async () => {
    clock.set("2026-05-05T21:00:00Z");
    await limit({ window: { from: "09:00", to: "20:00" } });
    const id = await campaign([sms("text")]);
    const [zurich, nowhere] = [await person({ timezone: "Europe/Zurich" }), await person()];
    const runs = [await begin(id, zurich), await begin(id, nowhere)];
    const dueOf = () => Promise.all(runs.map(async (run) => (await runOf(id, run)).due_at));
    expect(await dueOf()).toEqual(["2026-05-06T07:00:00.000Z", "2026-05-06T09:00:00.000Z"]);
    clock.forward(1_000);
    await call("PATCH", "/workspace", { timezone: "America/New_York" });
    await settle();
    expect(await dueOf()).toEqual(["2026-05-06T07:00:00.000Z", null]);
    await call("PATCH", "/workspace", { timezone: "UTC" });
  });

  test("drops a message where the step says so", async () => {
    clock.set("2026-06-01T23:30:00Z");
    await limit({ channels: { sms: { window: { from: "09:00", to: "20:00" } } } });
    const id = await campaign([sms("text", { when_held: "drop" })]);
    const run = await runOf(id, await begin(id, await person()));
    expect(run).toMatchObject({ status: "completed", history: [{ state: "failed", reason: "held_by_window" }] });
  });
});
