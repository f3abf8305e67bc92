import type { CampaignDraft } from "@tidings/contract/campaigns/campaigns";
import type { SimulateInput, SimulationStop, TimelineEntry } from "@tidings/contract/campaigns/simulate";
import type { OutboundGround } from "../../outbound/index.ts";
import type { Queries } from "../../platform/db/index.ts";
import { notFound } from "../../platform/http/index.ts";
import { interactiveQuery } from "../../platform/resources/interactive.ts";
import type { Workspace } from "../../workspaces/index.ts";
import { problemsOf } from "../definition/problems.ts";
import { readDefinition } from "../definition/read.ts";
import { type Published, withJourney } from "../definition/published.ts";
import { byId } from "../definition/store.ts";
import { campaignInvalid } from "../moves.ts";
import { buildWorld } from "./world/build.ts";
import { readHappenings, readResponses, readSubject, startOf } from "./input.ts";
import { play } from "./world/play.ts";
import { readOnly } from "./store.ts";
import { Timeline } from "./timeline.ts";

const MOST_ENTRIES = 500;
const MOST_YEARS = 5;
/** How long a simulation may take: as long as a statement of a preview. */
const MOST_MS = 5_000;

/**
 * Simulates the latest draft of a campaign for one person on a virtual clock. PostgreSQL refuses writes of its transaction.
 * @throws Problem not_found, campaign_invalid, invalid_request, person_not_found, busy
 */
export const simulate = (
  ground: OutboundGround,
  workspace: Workspace,
  id: string,
  input: SimulateInput,
): Promise<{ timeline: TimelineEntry[]; stopped: SimulationStop | null }> =>
  interactiveQuery(ground, workspace.id, async (db) => {
    const now = ground.clock.now();
    // From the primary, and not in the transaction: what was just saved counts, and the check locks the email templates that it finds.
    const published = await completeDraft(ground.interactiveDb, workspace, { id, draft: input.draft, now });
    return db.transaction(async (q) => {
      await readOnly(q);
      const start = startOf(input, now);
      const { person, madeUp, lists } = await readSubject(q, workspace, input, start);
      const happenings = readHappenings(input, person, published, start);
      const timeline = new Timeline(published);
      const setting = { q, ground, workspace, published, people: [person], madeUp, render: true, start, lists };
      const responses = readResponses(input, published);
      const world = await buildWorld({ ...setting, responses, observer: timeline });
      timeline.follow(world);
      const until = new Date(start);
      until.setUTCFullYear(until.getUTCFullYear() + MOST_YEARS);
      const end = performance.now() + MOST_MS;
      const stops = (): SimulationStop | undefined => {
        if (timeline.entries.length >= MOST_ENTRIES) return "entries";
        return performance.now() > end ? "too_long" : undefined;
      };
      const stopped = await play(world, happenings, { until, stops });
      return { timeline: timeline.entries.slice(0, MOST_ENTRIES), stopped };
    });
  });

/**
 * Returns the draft as if it were published. @param draft fields that differ from the saved ones
 * @throws Problem not_found, invalid_request, campaign_invalid with all problems
 */
export async function completeDraft(
  q: Queries,
  workspace: Workspace,
  { id, draft, now }: { id: string; draft: CampaignDraft | undefined; now: Date },
): Promise<Published> {
  const row = await byId(q, workspace.id, id);
  if (!row) throw notFound("campaign");
  const definition = draft ? readDefinition(draft, row.definition, "/draft") : row.definition;
  const problems = await problemsOf({ q, workspace, now }, { id, definition });
  if (problems.length > 0) throw campaignInvalid(problems);
  const version = { version: row.version ?? 0, graph: row.graph ?? 0 };
  return withJourney({ workspace_id: workspace.id, campaign_id: id, ...version, definition });
}
