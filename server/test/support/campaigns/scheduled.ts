import type { CampaignDefinition, Trigger, TriggerOf } from "@tidings/contract/campaigns/campaigns";
import { beforeEach, expect } from "vitest";
import { letInPage, planNext } from "../../../src/campaigns/entry/schedule-work.ts";
import { sql } from "../../../src/platform/db/index.ts";
import { newId } from "../../../src/platform/ids.ts";
import { testClock, testService } from "../service.ts";

export type RecurringTrigger = TriggerOf<"recurring">;

export const pause = { id: "pause", type: "wait", for: { amount: 30, unit: "days" } };

export const birthday: Trigger = { type: "date", attribute: "born", at: "09:00", yearly: true };

/** A service whose campaigns enter people by dates, with common steps of its tests. */
export async function scheduledService() {
  const clock = testClock("2026-05-11T00:00:00Z");
  const it = await testService({ clock });
  const { ground } = it.service;
  const { db } = ground;

  // Each test has a workspace of its own, whose zone is UTC. Campaigns of earlier tests would plan each day of the years that later tests pass.
  let key = it.secretKey;
  beforeEach(async () => {
    await db.execute(sql`delete from campaigns`);
    key = (await it.another()).secretKey;
  });

  /** Makes the following calls in another workspace. */
  const moveTo = (secretKey: string) => {
    key = secretKey;
  };
  const call = (method: "POST" | "PATCH" | "GET" | "DELETE", url: string, body?: object) =>
    it.call(method, url, { key, ...(body && { body }) });
  const identify = (person_id: string, attributes: object) =>
    call("POST", "/data-gateway/v1/identify", { person_id, attributes });

  async function activate(trigger: Trigger, own: Partial<CampaignDefinition> = {}): Promise<string> {
    const made = await call("POST", "/api/v1/campaigns", { name: newId(), trigger, steps: [pause], ...own });
    expect(made.status).toBe(201);
    const activated = await call("POST", `/api/v1/campaigns/${made.body.id}/activate`, {});
    expect(activated.body).toMatchObject({ status: "active" });
    return made.body.id;
  }

  async function work(): Promise<void> {
    while (await planNext(ground));
    while (await letInPage(ground));
  }
  async function workAt(time: string): Promise<void> {
    clock.set(time);
    await work();
  }

  /** Who entered, and for which day, in the order in which they entered. */
  async function entries(id: string): Promise<string[]> {
    const { body } = await call("GET", `/api/v1/campaigns/${id}/runs`);
    return body.data
      .map((run: { person_id: string; data: { date: string } }) => `${run.person_id} ${run.data.date}`)
      .sort();
  }

  let year = 2026;
  /** Advances to a year that no test before has reached. */
  const nextYear = () => ++year;
  return { clock, it, ground, db, moveTo, call, activate, work, nextYear, identify, workAt, entries };
}
