import { parseArgs } from "node:util";
import type { Client } from "../connect/client.ts";
import { printJson } from "../terminal/columns.ts";
import { Refused } from "../terminal/refused.ts";
import { withClient } from "../workspaces/temporary-key.ts";
import {
  allCampaigns,
  campaignId,
  cancelRuns,
  changeStatus,
  oneCampaign,
  oneRun,
  runsOf,
  simulate,
  startRun,
} from "./api.ts";
import { jsonObject, simulationInput, timelineText } from "./simulate.ts";
import { campaignTable, campaignText, runTable, runText } from "./text.ts";

const options = {
  url: { type: "string" },
  "secret-key": { type: "string" },
  workspace: { type: "string" },
  inside: { type: "string" },
  person: { type: "string" },
  data: { type: "string" },
  key: { type: "string" },
  step: { type: "string" },
  status: { type: "string" },
  limit: { type: "string" },
  event: { type: "string" },
  file: { type: "string" },
  json: { type: "boolean" },
} as const;
type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>["values"];

/** What a verb answers: the value of --json, and the text without it. */
interface Result {
  value: unknown;
  text: string;
}
/** The options of a verb, and what it does with the campaign that the call names. */
interface Verb {
  takes: (keyof Values)[];
  /** Whether an id may follow the campaign. */
  takesRun?: boolean;
  run(client: Client, id: string, values: Values, more: string | undefined): Promise<Result>;
}

const COMMON: (keyof Values)[] = ["url", "secret-key", "workspace", "json"];
/** The API lists more runs than this, in pages. */
const MOST_RUNS = 50;

const verbs: Record<string, Verb> = {
  show: {
    takes: [],
    async run(client, id) {
      const campaign = await oneCampaign(client, id);
      return { value: campaign, text: campaignText(campaign) };
    },
  },
  activate: statusVerb("activate", ["inside"]),
  pause: statusVerb("pause"),
  resume: statusVerb("resume"),
  archive: statusVerb("archive"),
  runs: {
    takes: ["person", "step", "status", "limit"],
    takesRun: true,
    async run(client, id, { person, step, status, limit }, runId) {
      if (runId !== undefined) {
        const run = await oneRun(client, id, runId);
        return { value: run, text: runText(run) };
      }
      const filter = { ...(person && { person_id: person }), ...(step && { step }), ...(status && { status }) };
      const runs = await runsOf(client, id, filter, numberOf(limit));
      return { value: runs, text: runTable(runs) };
    },
  },
  start: {
    takes: ["person", "data", "key"],
    async run(client, id, { person, data, key }) {
      if (person === undefined) throw new Refused("start takes the person who enters: --person PERSON_ID");
      const input = { person_id: person, ...(data !== undefined && { data: objectOf(data) }) };
      const started = await startRun(client, id, { ...input, ...(key !== undefined && { cancellation_key: key }) });
      return { value: started, text: started.run_id };
    },
  },
  cancel: {
    takes: ["key"],
    async run(client, id, { key }) {
      if (key === undefined) throw new Refused("cancel takes the cancellation_key of the runs: --key KEY");
      const done = await cancelRuns(client, id, key);
      return { value: done, text: `${done.canceled} ${done.canceled === 1 ? "run" : "runs"} canceled` };
    },
  },
  simulate: {
    takes: ["person", "event", "data", "file"],
    async run(client, id, { person, event, data, file }) {
      const given = { person, event, file, data: data === undefined ? undefined : objectOf(data) };
      const simulation = await simulate(client, id, simulationInput(given, new Date()));
      return { value: simulation, text: timelineText(simulation) };
    },
  },
};
const NAMES = ["list", ...Object.keys(verbs)];

/** `tidings campaigns list|show|activate|pause|resume|archive|runs|start|cancel|simulate`. */
export async function campaigns(args: string[]): Promise<void> {
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options });
  const [name = "", campaign, more] = positionals;
  const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
  if (!verb && name !== "list")
    throw new Refused(`campaigns takes ${NAMES.slice(0, -1).join(", ")} or ${NAMES.at(-1)}`);
  const wrong = Object.keys(values).find((one) => ![...COMMON, ...(verb?.takes ?? [])].includes(one as keyof Values));
  if (wrong) throw new Refused(`${name} does not take --${wrong}: see \`npx tidings campaigns --help\``);
  const extra = positionals[verb === undefined ? 1 : verb.takesRun ? 3 : 2];
  if (extra !== undefined)
    throw new Refused(`${name} does not take ${extra}${verb ? ": write a name with spaces in quotes" : ""}`);
  if (verb && !campaign)
    throw new Refused(`${name} takes the id or the name of a campaign: see \`npx tidings campaigns list\``);
  await withClient("campaigns", values, async (client) => {
    const { value, text } = verb
      ? await verb.run(client, await campaignId(client, campaign ?? ""), values, more)
      : await listed(client);
    if (values.json) printJson(value);
    else console.log(text);
  });
}

async function listed(client: Client): Promise<Result> {
  const found = await allCampaigns(client);
  return { value: found, text: campaignTable(found) };
}

function statusVerb(verb: string, takes: (keyof Values)[] = []): Verb {
  return {
    takes,
    async run(client, id, { inside }) {
      const campaign = await changeStatus(client, id, verb, inside === undefined ? {} : { inside });
      const version = campaign.published === null ? "" : `, version ${campaign.published.version}`;
      return { value: campaign, text: `${campaign.name} is ${campaign.status}${version}.` };
    },
  };
}

/** @throws Refused */
function numberOf(limit: string | undefined): number {
  if (limit === undefined) return MOST_RUNS;
  if (!/^[1-9]\d{0,5}$/.test(limit)) throw new Refused("--limit takes a number from 1 to 999999");
  return Number(limit);
}

/** @throws Refused where the text is not a JSON object */
function objectOf(text: string): object {
  const value = jsonObject(text);
  if (value) return value;
  throw new Refused(`--data takes a JSON object, such as '{"order": 7}'`);
}
