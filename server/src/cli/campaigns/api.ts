import type { Campaign, CampaignSummary, Run } from "@tidings/contract/campaigns/campaigns";
import type { RunWithHistory } from "@tidings/contract/campaigns/runs";
import type { Simulation } from "@tidings/contract/campaigns/simulate";
import type { Static } from "typebox";
import { decodeId } from "../../platform/ids.ts";
import { type Answer, bodyOf, type Client, pagesOf } from "../connect/client.ts";
import { Refused } from "../terminal/refused.ts";

// The routes of campaigns, as the command `tidings campaigns` calls them.

export type ShownCampaign = Static<typeof Campaign>;
export type ListedCampaign = Static<typeof CampaignSummary>;
export type ShownRun = Run;
export type RunHistory = Static<typeof RunWithHistory>;

const PATH = "/api/v1/campaigns";

const get = async (client: Client, path: string): Promise<Answer["body"]> =>
  bodyOf(await client.call("GET", path, "secret"));
const post = async (client: Client, path: string, body: object = {}): Promise<Answer["body"]> =>
  bodyOf(await client.call("POST", path, "secret", body));

export const allCampaigns = (client: Client): Promise<ListedCampaign[]> =>
  pagesOf<ListedCampaign>(client, PATH, {}, Number.POSITIVE_INFINITY);

/** Returns the id of the campaign that a person at the terminal names by its id or by its name. @throws Refused */
export async function campaignId(client: Client, named: string): Promise<string> {
  if (decodeId("cmp", named)) return named;
  const found = (await allCampaigns(client)).filter(({ name }) => name === named);
  const [only, ...more] = found;
  if (!only) throw new Refused(`there is no campaign "${named}": see \`npx tidings campaigns list\``);
  if (more.length > 0)
    throw new Refused(
      `${found.length} campaigns have the name "${named}": use an id, ${found.map(({ id }) => id).join(" or ")}`,
    );
  return only.id;
}

export const oneCampaign = (client: Client, id: string): Promise<ShownCampaign> => get(client, `${PATH}/${id}`);

/** Activates, pauses, resumes or archives a campaign. @throws Refused */
export async function changeStatus(client: Client, id: string, verb: string, body: object): Promise<ShownCampaign> {
  const answer = await client.call("POST", `${PATH}/${id}/${verb}`, "secret", body);
  if (answer.body?.code !== "runs_inside") return bodyOf(answer);
  const steps = Object.entries(answer.body.inside.steps as Record<string, number>).map(
    ([step, n]) => `${n} at ${step}`,
  );
  throw new Refused(
    `the journey changed while people are in it (${steps.join(", ")}): repeat this with --inside stay, move or end. With stay they remain in their present journey, with move those whose step still exists continue in the new one, and with end their runs end`,
  );
}

export const runsOf = (client: Client, id: string, filter: Record<string, string>, most: number): Promise<ShownRun[]> =>
  pagesOf<ShownRun>(client, `${PATH}/${id}/runs`, filter, most);

export const oneRun = (client: Client, id: string, run: string): Promise<RunHistory> =>
  get(client, `${PATH}/${id}/runs/${encodeURIComponent(run)}`);

export const startRun = (client: Client, id: string, run: object): Promise<{ run_id: string }> =>
  post(client, `${PATH}/${id}/runs`, run);

export const cancelRuns = (client: Client, id: string, key: string): Promise<{ canceled: number }> =>
  post(client, `${PATH}/${id}/runs/cancel`, { cancellation_key: key });

export const simulate = (client: Client, id: string, input: object): Promise<Static<typeof Simulation>> =>
  post(client, `${PATH}/${id}/simulate`, input);
