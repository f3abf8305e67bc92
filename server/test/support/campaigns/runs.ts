import type { CampaignDefinition } from "@tidings/contract/campaigns/campaigns";
import { expect } from "vitest";
import { sql } from "../../../src/platform/db/index.ts";
import { decodeId, encodeId, newId } from "../../../src/platform/ids.ts";
import { inAppService } from "../services/in-app.ts";
import { published } from "../services/published.ts";

export const wait = (id: string) => ({ id, type: "wait" as const, for: { amount: 1, unit: "days" as const } });

export const idOf = (campaignId: string) => encodeId("cmp", campaignId);

/** A service with campaigns that people wait in, with common steps of its tests. */
export async function runService() {
  const { it, clock, identify } = await inAppService();
  const { db } = it.service.ground;
  async function campaign(own: Partial<CampaignDefinition> = {}): Promise<string> {
    return idOf((await published(it, own)).campaignId);
  }
  const post = (campaign: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    it.call("POST", `/api/v1/campaigns/${campaign}/runs${path}`, body ? { body, headers } : {});
  const get = (campaign: string, path = "") => it.call("GET", `/api/v1/campaigns/${campaign}/runs${path}`);

  async function person(): Promise<string> {
    const id = `p-${newId()}`;
    await identify(id);
    return id;
  }
  async function begin(campaign: string, person_id: string, own: object = {}): Promise<string> {
    const answer = await post(campaign, "", { person_id, ...own });
    expect(answer.status, JSON.stringify(answer.body)).toBe(202);
    return answer.body.run_id;
  }

  /** Notes what a step made of a run, as the engine does. */
  async function passed(runId: string, step: string, state: string, own: { reason?: string; leftAt?: Date } = {}) {
    await db.execute(sql`
    insert into campaign_passages (person_key, run_id, step_id, workspace_id, campaign_id, entered_at, left_at, state, reason)
    select person_key, id, ${step}, workspace_id, campaign_id, ${clock.now()}, ${own.leftAt ?? null}, ${state}, ${own.reason ?? null}
    from campaign_runs where id = ${decodeId("run", runId)}`);
  }
  return { clock, db, campaign, post, get, person, begin, passed, it };
}
