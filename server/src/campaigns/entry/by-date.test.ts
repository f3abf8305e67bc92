import type { Trigger } from "@tidings/contract/campaigns/campaigns";
import { describe, expect, test } from "vitest";
import { birthday, scheduledService } from "../../../test/support/campaigns/scheduled.ts";

const { clock, call, identify, activate, work, workAt, entries, nextYear } = await scheduledService();

describe("a campaign by a date of people", () => {
  test("lets each person in on their day at the time of their zone, and says which day it is", async () => {
    const y = nextYear();
    clock.set(`${y}-05-16T12:00:00Z`);
    const id = await activate({ ...birthday });
    await identify("berlin", { born: "1990-05-17", timezone: "Europe/Berlin" });
    await identify("tokyo", { born: "1991-05-17", timezone: "Asia/Tokyo" });
    await identify("nowhere", { born: "1992-05-17" });
    await identify("other", { born: "1990-05-18" });
    await workAt(`${y}-05-17T00:00:00Z`);
    expect(await entries(id)).toEqual([`tokyo ${y}-05-17`]);
    await workAt(`${y}-05-17T07:00:00Z`);
    expect(await entries(id)).toEqual([`berlin ${y}-05-17`, `tokyo ${y}-05-17`]);
    await workAt(`${y}-05-17T09:00:00Z`);
    await workAt(`${y}-05-17T12:00:00Z`);
    expect(await entries(id)).toEqual([`berlin ${y}-05-17`, `nowhere ${y}-05-17`, `tokyo ${y}-05-17`]);
    const { body } = await call("GET", `/api/v1/campaigns/${id}/runs?person_id=tokyo`);
    expect(body.data[0].data).toEqual({ date: `${y}-05-17`, at: `${y}-05-17T00:00:00.000Z` });
    expect((await call("GET", `/api/v1/campaigns/${id}`)).body.reentry).toBe("always");
    await workAt(`${y + 1}-05-16T12:00:00Z`);
    await workAt(`${nextYear()}-05-17T09:00:00Z`);
    expect(await entries(id)).toHaveLength(6);
  });

  test("follows a date that changes, and lets a person in again only as reentry says", async () => {
    const y = nextYear();
    clock.set(`${y}-05-01T12:00:00Z`);
    const trigger: Trigger = {
      type: "date",
      attribute: "plan.renews_at",
      offset: { amount: 7, unit: "days", direction: "before" },
      at: "09:00",
    };
    const [once, always] = [await activate(trigger), await activate(trigger, { reentry: "always" })];
    await identify("a", { plan: { renews_at: `${y}-05-10` } });
    await identify("b", { plan: { renews_at: `${y}-05-10T10:00:00+02:00` } });
    await workAt(`${y}-05-02T09:00:00Z`);
    await identify("b", { plan: { renews_at: `${y}-05-11` } });
    await workAt(`${y}-05-03T09:00:00Z`);
    expect(await entries(once)).toEqual([`a ${y}-05-03`]);
    await identify("a", { plan: { renews_at: `${y}-05-11` } });
    await workAt(`${y}-05-04T09:00:00Z`);
    expect(await entries(once)).toEqual([`a ${y}-05-03`, `b ${y}-05-04`]);
    expect(await entries(always)).toEqual([`a ${y}-05-03`, `a ${y}-05-04`, `b ${y}-05-04`]);
  });

  test("lets nobody in for times before the activation, nor who becomes known after their time", async () => {
    const y = nextYear();
    await identify("early", { born: "1990-05-17" });
    clock.set(`${y}-05-17T09:30:00Z`);
    const id = await activate({ ...birthday });
    await identify("late", { born: "1990-05-17", timezone: "Asia/Tokyo" });
    await work();
    await workAt(`${y}-05-18T09:00:00Z`);
    expect(await entries(id)).toEqual([]);
  });

  test("counts values that are no dates, and shows them with the days in the metrics", async () => {
    const y = nextYear();
    clock.set(`${y}-05-16T12:00:00Z`);
    const id = await activate({ ...birthday });
    await identify("number", { born: 643_000_000 });
    await identify("text", { born: "17 May" });
    await identify("none", {});
    await identify("good", { born: "1990-05-17" });
    await workAt(`${y}-05-17T09:00:00Z`);
    const { body } = await call("GET", `/api/v1/campaigns/${id}/metrics`);
    expect(body.occurrences).toEqual([{ date: `${y}-05-17`, status: "done", entered: 1, unreadable: 2 }]);
  });
});
