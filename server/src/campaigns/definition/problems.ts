import type { Filter } from "@tidings/contract/audience/audiences";
import type { CampaignProblem, Trigger } from "@tidings/contract/campaigns/campaigns";
import type { StepFilter } from "@tidings/contract/campaigns/filters";
import { faultsOf } from "@tidings/contract/campaigns/incomplete";
import { type Journey, journeyOf } from "@tidings/contract/campaigns/journey";
import type { Step, StepOf } from "@tidings/contract/campaigns/steps";
import type { Channel } from "@tidings/contract/facts/activity";
import type { EditionsInput } from "@tidings/contract/messages/sendings";
import { audienceById, checkNamed } from "../../audiences/index.ts";
import { checkParts, checkValue, isOfCampaigns, stepsNamedIn } from "../../content/index.ts";
import { assertAllowed } from "../../inapp/index.ts";
import type { Queries } from "../../platform/db/index.ts";
import { Problem } from "../../platform/http/index.ts";
import { decodeId, encodeId } from "../../platform/ids.ts";
import { namedContents, readEditions, readRules } from "../../sendings/index.ts";
import { topicsBy } from "../../subscriptions/index.ts";
import type { Workspace } from "../../workspaces/index.ts";
import { partsOf } from "../rules/calls.ts";
import { leadsTo } from "../rules/loops.ts";
import { conditionsIn } from "../rules/where.ts";
import { byId, type CampaignRow } from "./store.ts";
import { startingIn } from "./version-store.ts";

/** The workspace and the time for which a campaign is checked. */
interface CheckContext {
  q: Queries;
  workspace: Workspace;
  now: Date;
}

/** Also the journey whose steps are checked. */
interface StepContext extends CheckContext {
  journey: Journey;
}

/** Reports a problem at a pointer below the part that is checked. */
type Report = (code: string, pointer: string, message: string) => void;

/** Returns all problems that prevent the activation of the draft, each with its step. */
export async function problemsOf(context: CheckContext, { id, definition }: Pick<CampaignRow, "id" | "definition">) {
  const journey = journeyOf(definition.steps);
  const found: CampaignProblem[] = faultsOf(definition, journey);
  const reportAt =
    (at: string, stepId: string | null): Report =>
    (code, pointer, message) => {
      const fullPointer = at + pointer;
      // A missing field is reported once: the checks of other slices report it again with codes of their own.
      if (!found.some((one) => one.pointer === fullPointer))
        found.push({ code, message, step_id: stepId, pointer: fullPointer });
    };
  await checkTrigger(context, definition.trigger, reportAt("/trigger", null));
  if (definition.exit_when) await checkFilter(context, definition.exit_when, "", reportAt("/exit_when", null));
  for (const [stepId, { step, pointer }] of journey.nodes) {
    const report = reportAt(pointer, stepId);
    await checkStep({ ...context, journey }, step, report);
    for (const field of WITH_LIQUID) {
      const value = (step as unknown as Record<string, unknown>)[field];
      for (const { pointer, ids } of stepsNamedIn(value, field)) reportUnknown(journey, ids, pointer, report);
    }
  }
  await checkLoops(context, id, journey, reportAt);
  return found;
}

async function checkTrigger(context: CheckContext, trigger: Trigger, report: Report): Promise<void> {
  if (trigger.type !== "audience" && trigger.type !== "recurring") return;
  if (trigger.audience_id !== undefined) await checkAudience(context, trigger.audience_id, "/audience_id", report);
  if (trigger.type === "audience" && trigger.audience)
    await checkFilter(context, trigger.audience, "/audience", report);
}

async function checkStep(context: StepContext, step: Step, report: Report): Promise<void> {
  if (step.type === "message") return checkMessage(context, step, report);
  if (step.type === "webhook") return checkCall(step, report);
  if (step.type === "branch" && step.if) return checkFilter(context, step.if, "/if", report);
  if (step.type === "update") return checkValues(step.attributes, "attributes", report);
  if (step.type === "start") {
    await checkValues(step.data, "data", report);
    if (step.campaign_id !== undefined) await checkStarted(context, step.campaign_id, report);
    return;
  }
  if (step.type !== "list") return;
  for (const field of ["add", "remove"] as const) {
    const id = step[field];
    if (id !== undefined && (await checkAudience(context, id, `/${field}`, report)) === "filter")
      report("audience_not_a_list", `/${field}`, "names an audience of kind filter: only a list takes people by hand");
  }
}

/** The fields of steps whose texts may have Liquid. */
const WITH_LIQUID = ["content", "locales", "variants", "escalate", "url", "body", "attributes", "data"];

/** Reports steps that Liquid reads and the campaign does not have: they would show nothing. */
function reportUnknown({ nodes }: Journey, ids: string[], pointer: string, report: Report): void {
  const unknown = ids.filter((id) => !nodes.has(id));
  if (unknown.length > 0)
    report("step_unknown", pointer, `reads steps.${unknown.join(", steps.")}: this campaign has no such step`);
}

/** Checks the editions of a message, also the Liquid of the in-app messages and templates that they name. @throws Problem as readEditions */
async function checkEditions(
  { q, workspace: { id: workspaceId }, journey }: StepContext,
  channel: Channel,
  input: EditionsInput,
  report: Report,
): Promise<void> {
  const editions = await readEditions({ q, workspaceId, channel, source: "campaign" }, input);
  for (const { pointer, content } of await namedContents(q, workspaceId, editions)) {
    const ids = stepsNamedIn(content, "").flatMap((one) => one.ids);
    reportUnknown(journey, [...new Set(ids)], pointer, report);
  }
}

/** Checks the Liquid in the values of a step. */
const checkValues = (value: unknown, at: string, report: Report): Promise<void> =>
  reportThrown(
    report,
    `/${at}`,
    async () => checkValue(value, at, isOfCampaigns),
    (pointer) => pointer,
  );

async function checkAudience({ q, workspace }: CheckContext, text: string, pointer: string, report: Report) {
  const id = decodeId("aud", text);
  const audience = id && (await audienceById(q, workspace.id, id));
  if (audience) return audience.kind;
  report("audience_gone", pointer, "names no audience of this workspace");
  return undefined;
}

/** Checks that the audiences and topics in a filter exist. */
async function checkFilter(
  { q, workspace, now }: CheckContext,
  filter: object,
  pointer: string,
  report: Report,
): Promise<void> {
  const all = conditionsIn(filter as StepFilter).conditions as Filter[];
  await reportThrown(
    report,
    pointer,
    () => checkNamed(q, workspace.id, { filter: { all }, now }),
    () => pointer,
  );
}

async function checkStarted({ q, workspace }: CheckContext, text: string, report: Report): Promise<void> {
  const id = decodeId("cmp", text);
  const campaign = id && (await byId(q, workspace.id, id));
  if (campaign && campaign.status !== "archived") return;
  report("campaign_gone", "/campaign_id", "names no campaign of this workspace, or an archived one");
}

async function checkMessage(context: StepContext, step: StepOf<"message">, report: Report): Promise<void> {
  const { q, workspace } = context;
  const { channel, topic_id } = step;
  if (channel === undefined) return;
  const below = (pointer: string) => pointer;
  if (channel === "in_app") await reportThrown(report, "/channel", async () => assertAllowed(workspace), below);
  await reportThrown(report, "/content", () => checkEditions(context, channel, step, report), inEditions);
  for (const [i, { channel: other, ...editions }] of (step.escalate ?? []).entries()) {
    const at = `/escalate/${i}`;
    if (other === "in_app") await reportThrown(report, `${at}/channel`, async () => assertAllowed(workspace), below);
    await reportThrown(
      report,
      `${at}/content`,
      () => checkEditions(context, other, editions, (code, pointer, message) => report(code, at + pointer, message)),
      (pointer) => at + inEditions(pointer),
    );
  }
  await reportThrown(report, "", async () => void readRules(step), below);
  const topic = topic_id && decodeId("top", topic_id);
  if (topic && (await topicsBy(q, [{ workspaceId: workspace.id, id: topic }])).length === 0)
    report("topic_gone", "/topic_id", "names no topic of this workspace");
}

/** Checks the Liquid of a call. Each text is checked for itself, so that all problems are reported. */
async function checkCall(step: StepOf<"webhook">, report: Report): Promise<void> {
  for (const part of partsOf(step))
    await reportThrown(
      report,
      `/${part.name}`,
      async () => checkParts([part], isOfCampaigns),
      (pointer) => pointer,
    );
}

/** Makes a pointer into the content relative to the step: some checks return it relative to the content. */
const inEditions = (pointer: string): string =>
  /^\/(?:message_id|content|locales|variants)(?:\/|$)/.test(pointer) ? pointer : `/content${pointer}`;

/** Runs a check of another slice, and reports the problems that it throws. */
async function reportThrown(
  report: Report,
  fallback: string,
  check: () => Promise<unknown>,
  stepPointer: (pointer: string) => string,
): Promise<void> {
  try {
    await check();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const code = error.code === "invalid_request" ? "field_invalid" : error.code;
    const fields = error.options.errors ?? [];
    // The sentence that names the fault adds the full stop, as after the messages of fields.
    if (fields.length === 0) report(code, fallback, error.message.replace(/\.$/, ""));
    for (const { pointer, message } of fields)
      report(code, pointer === undefined ? fallback : stepPointer(pointer), message);
  }
}

/** Reports campaigns that start each other: a person would never leave them. */
async function checkLoops(
  { q, workspace }: CheckContext,
  id: string,
  { nodes }: Journey,
  reportAt: (at: string, stepId: string) => Report,
): Promise<void> {
  const starts = [...nodes.values()].filter(({ step }) => step.type === "start");
  if (starts.length === 0) return;
  const self = encodeId("cmp", id);
  const others = (await startingIn(q, workspace.id)).map((one) => ({ ...one, id: encodeId("cmp", one.id) }));
  const loops = leadsTo(self, new Map(others.filter((one) => one.id !== self).map((one) => [one.id, one.starts])));
  for (const { step, pointer } of starts)
    if (step.type === "start" && step.campaign_id !== undefined && loops(step.campaign_id))
      reportAt(pointer, step.id)(
        "campaign_loop",
        "/campaign_id",
        "starts this campaign again, so people would never leave",
      );
}
