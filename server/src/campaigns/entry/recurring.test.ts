import { describe, expect, test } from "vitest";
import { type RecurringTrigger, scheduledService } from "../../../test/support/campaigns/scheduled.ts";
import { newId } from "../../platform/ids.ts";
import { planNext } from "./schedule-work.ts";

const { clock, ground, call, identify, activate, work, workAt, entries, nextYear } = await scheduledService();

describe("a recurring campaign", () => {
  const WEEKDAYS: RecurringTrigger["days"] = ["mon", "tue", "wed", "thu", "fri"];
  const recurring = (days: RecurringTrigger["days"], audience_id: string): RecurringTrigger => ({
    type: "recurring",
    days,
    at: "09:00",
    audience_id,
  });
  const daily = async () => recurring([...WEEKDAYS, "sat", "sun"], await audience());
  async function audience(): Promise<string> {
    const filter = { attribute: "plan", op: "eq", value: "pro" };
    return (await call("POST", "/api/v1/audiences", { name: newId(), filter })).body.id;
  }

  test("lets the people of its audience in on its days, each once a day, as they are at this moment", async () => {
    const y = nextYear();
    clock.set(`${y}-01-01T12:00:00Z`);
    const id = await activate(recurring(WEEKDAYS, await audience()));
    await identify("pro", { plan: "pro", timezone: "America/New_York" });
    await identify("free", { plan: "free" });
    // From one Monday to the next.
    const monday = new Date(Date.UTC(y, 0, 5));
    while (monday.getUTCDay() !== 1) monday.setUTCDate(monday.getUTCDate() + 1);
    clock.set(monday);
    await call("POST", `/api/v1/campaigns/${id}/pause`);
    await call("POST", `/api/v1/campaigns/${id}/resume`);
    for (let hours = 0; hours < 7 * 24; hours += 4) {
      clock.forward(4 * 3_600_000);
      await work();
    }
    const days = (await entries(id)).map((entry) => new Date(entry.slice(4)).getUTCDay());
    expect(days).toEqual([1, 2, 3, 4, 5]);
    await identify("pro", { plan: "free" });
    await identify("free", { plan: "pro" });
    clock.forward(24 * 3_600_000);
    await work();
    expect((await entries(id)).filter((entry) => entry.startsWith("free"))).toHaveLength(1);
  });

  test("keeps its audience from being removed", async () => {
    const used = await audience();
    await activate(recurring(WEEKDAYS, used));
    expect((await call("DELETE", `/api/v1/audiences/${used}`)).status).toBe(409);
  });

  test("lets nobody in twice and skips nobody where the clock jumps or two workers work at once", async () => {
    const y = nextYear();
    clock.set(`${y}-03-01T12:00:00Z`);
    const id = await activate(await daily());
    for (const n of [1, 2, 3]) await identify(`p${n}`, { plan: "pro" });
    await workAt(`${y}-03-02T08:30:00Z`);
    clock.forward(3_600_000);
    await Promise.all([work(), work(), work()]);
    clock.forward(-3_600_000);
    await work();
    clock.forward(3_600_000);
    await work();
    expect(await entries(id)).toEqual([`p1 ${y}-03-02`, `p2 ${y}-03-02`, `p3 ${y}-03-02`]);
    await workAt(`${y}-03-03T10:00:00Z`);
    expect(await entries(id)).toHaveLength(6);
  });

  test("lets people in late after a time out of service, as entry_max_age says, and shows days that it missed", async () => {
    const y = nextYear();
    clock.set(`${y}-03-01T12:00:00Z`);
    const id = await activate(await daily(), { entry_max_age: { amount: 30, unit: "hours" } });
    await identify("p", { plan: "pro" });
    await workAt(`${y}-03-04T10:00:00Z`);
    expect(await entries(id)).toEqual([`p ${y}-03-03`, `p ${y}-03-04`]);
    const { body } = await call("GET", `/api/v1/campaigns/${id}/metrics`);
    expect(body.occurrences.map(({ date, status }: { date: string; status: string }) => `${date} ${status}`)).toEqual([
      `${y}-03-04 done`,
      `${y}-03-03 done`,
      `${y}-03-02 missed`,
    ]);
  });

  test("skips what falls due in a pause, and goes on with what was under way", async () => {
    const y = nextYear();
    clock.set(`${y}-03-01T12:00:00Z`);
    const id = await activate(await daily());
    await identify("p", { plan: "pro" });
    clock.set(`${y}-03-02T09:00:00Z`);
    while (await planNext(ground));
    await call("POST", `/api/v1/campaigns/${id}/pause`);
    await workAt(`${y}-03-03T08:00:00Z`);
    expect(await entries(id)).toEqual([]);
    clock.set(`${y}-03-03T10:00:00Z`);
    await call("POST", `/api/v1/campaigns/${id}/resume`);
    clock.set(`${y}-03-03T08:30:00Z`);
    await work();
    expect(await entries(id)).toEqual([`p ${y}-03-02`]);
    await workAt(`${y}-03-04T09:00:00Z`);
    expect(await entries(id)).toEqual([`p ${y}-03-02`, `p ${y}-03-04`]);
  });

  test("lets nobody in a second time on one day after the time of day changed", async () => {
    const y = nextYear();
    clock.set(`${y}-03-01T12:00:00Z`);
    const trigger = await daily();
    const id = await activate(trigger);
    await identify("p", { plan: "pro" });
    await workAt(`${y}-03-02T09:00:00Z`);
    await call("PATCH", `/api/v1/campaigns/${id}`, { trigger: { ...trigger, at: "10:00" } });
    expect((await call("POST", `/api/v1/campaigns/${id}/activate`, {})).status).toBe(200);
    await workAt(`${y}-03-02T10:00:00Z`);
    expect(await entries(id)).toEqual([`p ${y}-03-02`]);
    await workAt(`${y}-03-03T10:00:00Z`);
    expect(await entries(id)).toHaveLength(2);
  });
});
