import { inAppService } from "./in-app.ts";
import { published } from "./published.ts";
import type { CampaignDefinition } from "@tidings/contract/campaigns/campaigns";
import { round } from "../../../src/campaigns/engine/round.ts";
import { type Candidate, enter, runIdOf } from "../../../src/campaigns/entry/enter.ts";
import type { Published } from "../../../src/campaigns/definition/published.ts";
import type { PassageRow, RunRow } from "../../../src/campaigns/run/run.ts";
import { personKey } from "../../../src/people/index.ts";
import { sql } from "../../../src/platform/db/index.ts";

/** A service whose campaigns advance when the test says so. */
export async function engineService(env: Record<string, string> = {}) {
  const service = await inAppService(env);
  const { it, clock } = service;
  const { ground } = it.service;

  const campaign = (steps: unknown[], own: Partial<CampaignDefinition> = {}) =>
    published(it, { reentry: "always", ...own, steps: steps as CampaignDefinition["steps"] });

  let causes = 0;

  /** Lets people in and gives their runs. */
  async function begin(into: Published, people: string[], data: Record<string, unknown> = {}): Promise<string[]> {
    const candidates = people.map((id): Candidate => {
      const personId = personKey(it.workspaceId, id);
      return { published: into, personKey: personId, cause: `test ${causes++}`, data };
    });
    await ground.db.transaction((tx) => enter(tx, candidates, clock.now()));
    return candidates.map(runIdOf);
  }

  /** Advances until nothing more is due at the time of the test's clock. */
  async function settle(): Promise<void> {
    while ((await round(ground, 60_000)) <= 0);
  }

  async function forward(ms: number): Promise<void> {
    clock.forward(ms);
    await settle();
  }

  async function runOf(id: string): Promise<RunRow> {
    const [row] = await ground.db.query<RunRow>(sql`select * from campaign_runs where id = ${id}`);
    if (!row) throw new Error("no such run");
    return row;
  }

  const passagesOf = (id: string) =>
    ground.db.query<PassageRow>(sql`select * from campaign_passages where run_id = ${id} order by entered_at, step_id`);

  /** What each step made of a run, as text: `mail failed no_address`. */
  async function passed(id: string): Promise<string[]> {
    const rows = await passagesOf(id);
    return rows
      .map(({ step_id, state, way, reason }) => [step_id, state, way, reason].filter(Boolean).join(" "))
      .sort();
  }

  const deliveries = async (of: Published) =>
    ground.db.query<{
      id: string;
      person_key: string;
      channel: string;
      status: string;
      reason: string | null;
      variant: string | null;
      content: unknown;
    }>(sql`
      select id, person_key, channel, status, reason, variant, content from deliveries
      where source = 'campaign' and source_id = ${of.campaignId} order by queued_at, id`);

  return { ...service, campaign, begin, settle, forward, runOf, passagesOf, passed, deliveries };
}
