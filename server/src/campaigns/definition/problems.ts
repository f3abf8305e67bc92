import type { Filter } from "@tidings/contract/audience/audiences";
import type { CampaignDefinition, CampaignProblem, Trigger } from "@tidings/contract/campaigns/campaigns";
import type { StepFilter } from "@tidings/contract/campaigns/filters";
import { journeyOf } from "@tidings/contract/campaigns/journey";
import type { Step, StepOf } from "@tidings/contract/campaigns/steps";
import { audienceById, checkNamed } from "../../audiences/index.ts";
import { assertAllowed } from "../../inapp/index.ts";
import type { Queries } from "../../platform/db/index.ts";
import { Problem } from "../../platform/http/index.ts";
import { decodeId, encodeId } from "../../platform/ids.ts";
import { readRules, readEditions } from "../../sendings/index.ts";
import { topicsBy } from "../../subscriptions/index.ts";
import type { Workspace } from "../../workspaces/index.ts";
import { faultsOf } from "../rules/incomplete.ts";
import { leadsTo } from "../rules/loops.ts";
import { askedIn } from "../rules/where.ts";
import { byId, type CampaignRow } from "./store.ts";
import { startingIn } from "./version-store.ts";

/** What is asked about, and by whom. */
interface Asking {
  q: Queries;
  workspace: Workspace;
  now: Date;
}

/** Notes what is wrong below the place that is looked at. */
type Note = (code: string, pointer: string, message: string) => void;

/** Everything that stands against activating the campaign as it is written, each with its step. */
export async function problemsOf(asking: Asking, { id, definition }: Pick<CampaignRow, "id" | "definition">) {
  const found: CampaignProblem[] = faultsOf(definition);
  const noteAt =
    (at: string, stepId: string | null): Note =>
    (code, pointer, message) => {
      const whole = at + pointer;
      // What is missing was found in the definition itself: others say it again with a code of their own.
      if (!found.some((one) => one.pointer === whole)) found.push({ code, message, step_id: stepId, pointer: whole });
    };
  await askTrigger(asking, definition.trigger, noteAt("/trigger", null));
  if (definition.exit_when) await askFilter(asking, definition.exit_when, "", noteAt("/exit_when", null));
  for (const [stepId, { step, pointer }] of journeyOf(definition.steps).nodes)
    await askStep(asking, step, noteAt(pointer, stepId));
  await askLoops(asking, id, definition, noteAt);
  return found;
}

async function askTrigger(asking: Asking, trigger: Trigger, note: Note): Promise<void> {
  if (trigger.type !== "audience" && trigger.type !== "recurring") return;
  if (trigger.audience_id !== undefined) await askAudience(asking, trigger.audience_id, "/audience_id", note);
  if (trigger.type === "audience" && trigger.audience) await askFilter(asking, trigger.audience, "/audience", note);
}

async function askStep(asking: Asking, step: Step, note: Note): Promise<void> {
  if (step.type === "message") return askMessage(asking, step, note);
  if (step.type === "branch" && step.if) return askFilter(asking, step.if, "/if", note);
  if (step.type === "start" && step.campaign_id !== undefined) return askStarted(asking, step.campaign_id, note);
  if (step.type !== "list") return;
  for (const field of ["add", "remove"] as const) {
    const id = step[field];
    if (id !== undefined && (await askAudience(asking, id, `/${field}`, note)) === "filter")
      note("audience_not_a_list", `/${field}`, "names an audience of kind filter: only a list takes people by hand");
  }
}

async function askAudience({ q, workspace }: Asking, text: string, pointer: string, note: Note) {
  const id = decodeId("aud", text);
  const audience = id && (await audienceById(q, workspace.id, id));
  if (audience) return audience.kind;
  note("audience_gone", pointer, "names no audience of this workspace");
  return undefined;
}

/** Asks for the audiences and topics that the conditions of a filter name. */
async function askFilter({ q, workspace, now }: Asking, filter: object, pointer: string, note: Note): Promise<void> {
  const all = askedIn(filter as StepFilter).conditions as Filter[];
  await noting(
    note,
    pointer,
    () => checkNamed(q, workspace.id, { filter: { all }, now }),
    () => pointer,
  );
}

async function askStarted({ q, workspace }: Asking, text: string, note: Note): Promise<void> {
  const id = decodeId("cmp", text);
  const campaign = id && (await byId(q, workspace.id, id));
  if (campaign && campaign.status !== "archived") return;
  note("campaign_gone", "/campaign_id", "names no campaign of this workspace, or an archived one");
}

async function askMessage({ q, workspace }: Asking, step: StepOf<"message">, note: Note): Promise<void> {
  const { channel, topic_id } = step;
  if (channel === undefined) return;
  const below = (pointer: string) => pointer;
  if (channel === "in_app") await noting(note, "/channel", async () => assertAllowed(workspace), below);
  await noting(
    note,
    "/content",
    () => readEditions({ q, workspaceId: workspace.id, channel, source: "campaign" }, step),
    inEditions,
  );
  await noting(note, "", async () => void readRules(step), below);
  const topic = topic_id && decodeId("top", topic_id);
  if (topic && (await topicsBy(q, [{ workspaceId: workspace.id, id: topic }])).length === 0)
    note("topic_gone", "/topic_id", "names no topic of this workspace");
}

/** Errors of a content may point into the content and not at it. */
const inEditions = (pointer: string): string =>
  /^\/(?:message_id|content|locales|variants)(?:\/|$)/.test(pointer) ? pointer : `/content${pointer}`;

/** Notes what a check of others throws. */
async function noting(
  note: Note,
  fallback: string,
  check: () => Promise<unknown>,
  placed: (pointer: string) => string,
): Promise<void> {
  try {
    await check();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const code = error.code === "invalid_request" ? "field_invalid" : error.code;
    const fields = error.options.errors ?? [];
    if (fields.length === 0) note(code, fallback, error.message);
    for (const { pointer, message } of fields) note(code, pointer === undefined ? fallback : placed(pointer), message);
  }
}

/** Campaigns that start each other would never end for a person. */
async function askLoops(
  { q, workspace }: Asking,
  id: string,
  { steps }: CampaignDefinition,
  noteAt: (at: string, stepId: string) => Note,
): Promise<void> {
  const starts = [...journeyOf(steps).nodes.values()].filter(({ step }) => step.type === "start");
  if (starts.length === 0) return;
  const self = encodeId("cmp", id);
  const others = (await startingIn(q, workspace.id)).map((one) => ({ ...one, id: encodeId("cmp", one.id) }));
  const loops = leadsTo(self, new Map(others.filter((one) => one.id !== self).map((one) => [one.id, one.starts])));
  for (const { step, pointer } of starts)
    if (step.type === "start" && step.campaign_id !== undefined && loops(step.campaign_id))
      noteAt(pointer, step.id)(
        "campaign_loop",
        "/campaign_id",
        "leads back to this campaign, so that people would never leave",
      );
}
