import { describe, expect, test } from "vitest";
import { HOUR, steppingEngine } from "../../../../test/support/campaigns/steps.ts";

const { engine, identify, campaign, begin, settle, forward, runOf, passed, deliveries, event, ended } =
  await steppingEngine();

describe("a wait", () => {
  test("lasts as long as it says, or until a date of the cause", async () => {
    await identify("waits");
    const of = await campaign([
      { id: "w", type: "wait", for: { amount: 1, unit: "hours" } },
      { id: "d", type: "wait", until: "trigger.at", offset: { amount: 30, unit: "minutes", direction: "before" } },
    ]);
    const at = new Date(engine.clock.now().getTime() + 3 * HOUR);
    const [run = ""] = await begin(of, ["waits"], { at: at.toISOString() });
    await settle();
    expect(await passed(run)).toEqual(["w waiting"]);
    await forward(HOUR - 1);
    expect((await runOf(run)).step_id).toBe("w");
    await forward(1);
    expect(await runOf(run)).toMatchObject({
      step_id: "d",
      due_fixed: true,
      due_at: new Date(at.getTime() - HOUR / 2),
    });
    await forward(1.5 * HOUR);
    expect(await passed(run)).toEqual(["d passed", "w passed"]);
    expect(await ended(run)).toBe("completed");
  });

  test("for a window is over when the clocks of the person's zone show it", async () => {
    await identify("tokyo", { timezone: "Asia/Tokyo" });
    const of = await campaign([{ id: "w", type: "wait_window", from: "09:00", to: "10:00" }]);
    const [run = ""] = await begin(of, ["tokyo"]);
    await settle();
    expect((await runOf(run)).due_at?.toISOString().slice(11)).toBe("00:00:00.000Z");
  });

  test("until an event takes one of two ways, with the event's properties in content", async () => {
    for (const id of ["pays", "leaves"]) await identify(id, { phone: "+41790000003" });
    const sms = (id: string, body: string) => ({ id, type: "message", channel: "sms", content: { body } });
    const of = await campaign([
      {
        id: "pay",
        type: "wait_until",
        event: "paid",
        where: [{ property: "total", op: "gt", value: 10 }],
        timeout: { amount: 1, unit: "hours" },
        then: [sms("thanks", "Thanks for {{steps.pay.event.total}}")],
        else: [sms("again", "Come back")],
      },
    ]);
    const [pays = "", leaves = ""] = await begin(of, ["pays", "leaves"]);
    await settle();
    expect(await runOf(pays)).toMatchObject({ step_id: "pay", waits_for: "paid" });
    // Recorded while the step was being written, so that the run was not woken: the second look finds it.
    await event("pays", "paid", { total: 5 });
    await forward(1_000);
    await event("pays", "paid", { total: 30 });
    await forward(3_000);
    await forward(HOUR);
    expect(await passed(pays)).toEqual(["pay passed then", "thanks passed"]);
    expect(await passed(leaves)).toEqual(["again passed", "pay passed else"]);
    expect(JSON.stringify(await deliveries(of))).toContain("Thanks for 30");
  });

  test("until an event counts one from before the step where it says so", async () => {
    await identify("early");
    const wait = (id: string, counts_from: string) => ({
      id,
      type: "wait_until",
      event: "done",
      timeout: { amount: 1, unit: "days" },
      counts_from,
    });
    const of = await campaign([
      { id: "w", type: "wait", for: { amount: 1, unit: "hours" } },
      wait("counts", "entry"),
      wait("not", "step"),
    ]);
    const [run = ""] = await begin(of, ["early"]);
    await settle();
    engine.clock.forward(1_000);
    await event("early", "done");
    await forward(HOUR);
    expect(await passed(run)).toEqual(["counts passed then", "not waiting", "w passed"]);
  });
});
