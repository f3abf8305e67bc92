import type { SimulateInput } from "@tidings/contract/campaigns/simulate";
import { audienceById } from "../../audiences/index.ts";
import { checkProperties } from "../../events/index.ts";
import { findPeople, isPersonId, type Person, personKey, readAttributes, withChange } from "../../people/index.ts";
import type { Queries } from "../../platform/db/index.ts";
import { badField, pointerPart, Problem } from "../../platform/http/index.ts";
import { decodeId } from "../../platform/ids.ts";
import type { Workspace } from "../../workspaces/index.ts";
import type { Published } from "../definition/published.ts";
import type { Happening } from "./world/play.ts";
import type { SimulatedAnswer, World } from "./world/world.ts";

/** The person of a simulation. */
export interface Subject {
  person: Person;
  madeUp: boolean;
  /** The UUIDs of the lists that the input adds. */
  lists: string[];
}

/** Returns when the virtual clock starts. */
export function startOf({ start, events = [] }: SimulateInput, now: Date): Date {
  if (start !== undefined) return new Date(start);
  const first = Math.min(...events.map(({ at }) => Date.parse(at)));
  return Number.isFinite(first) ? new Date(first) : now;
}

/** Reads the person: a real one with the attributes of the input, or a made-up one. @throws Problem invalid_request, person_not_found */
export async function readSubject(
  q: Queries,
  workspace: Workspace,
  input: SimulateInput,
  start: Date,
): Promise<Subject> {
  const { person_id: id, person: attributes } = input;
  if (id === undefined && attributes === undefined) throw badField("/person_id", "is required, or person");
  const [known] = id === undefined ? [] : await findPeople(q, [{ workspaceId: workspace.id, id }]);
  if (!known && attributes === undefined)
    throw new Problem(
      "person_not_found",
      "This workspace knows no person with this person_id. Give `person` to simulate a made-up one.",
    );
  const { person_id, id: ownId, ...own } = attributes ?? {};
  const named = [id, person_id, ownId].find((one) => typeof one === "string" && isPersonId(one)) as string | undefined;
  const base = known ?? madeUpPerson(workspace, named ?? "simulated", start);
  const person = attributes === undefined ? base : changed(base, own, workspace, start);
  return { person, madeUp: known === undefined, lists: await readLists(q, workspace, input) };
}

const madeUpPerson = (workspace: Workspace, personId: string, start: Date): Person => ({
  person_key: personKey(workspace.id, personId),
  workspace_id: workspace.id,
  person_id: personId,
  email: null,
  phone: null,
  timezone: null,
  locale: null,
  subscribed: true,
  preferences: {},
  attributes: {},
  created_at: start,
  updated_at: start,
});

/** Applies attributes as identify does. Its errors name the field of this call. */
function changed(person: Person, attributes: Record<string, unknown>, workspace: Workspace, start: Date): Person {
  try {
    return withChange(person, readAttributes(attributes, workspace.sender_defaults.country), start);
  } catch (error) {
    const [field] = error instanceof Problem ? (error.options.errors ?? []) : [];
    if (field?.pointer === undefined) throw error;
    throw badField(field.pointer.replace(/^\/attributes/, "/person"), field.message);
  }
}

async function readLists(q: Queries, workspace: Workspace, { lists = [] }: SimulateInput): Promise<string[]> {
  const found: string[] = [];
  for (const [i, text] of lists.entries()) {
    const id = decodeId("aud", text);
    const audience = id === undefined ? undefined : await audienceById(q, workspace.id, id);
    if (id === undefined || audience?.kind !== "list") throw badField(`/lists/${i}`, "names no list of this workspace");
    found.push(id);
  }
  return found;
}

/** Returns the answers that the input gives to webhook steps, by step. @throws Problem invalid_request */
export function readResponses({ responses = {} }: SimulateInput, { journey }: Published): World["responses"] {
  return new Map(
    Object.entries(responses).map(([stepId, { first = [], ...rest }]) => {
      if (journey.nodes.get(stepId)?.step.type !== "webhook")
        throw badField(`/responses/${pointerPart(stepId)}`, "names no webhook step of this campaign");
      return [stepId, { first: first.map(answerOf), rest: answerOf(rest) }];
    }),
  );
}

type GivenAnswer = Omit<NonNullable<SimulateInput["responses"]>[string], "first">;

const answerOf = ({ status = 200, body = null, error, retry_after }: GivenAnswer): SimulatedAnswer => ({
  status,
  body,
  error: error ?? null,
  retryAfter: retry_after ?? null,
});

/** Returns what happens to the person, the earliest first. @throws Problem invalid_request, payload_too_large */
export function readHappenings(
  input: SimulateInput,
  { person_key: personKey }: Person,
  published: Published,
  start: Date,
): Happening[] {
  const happenings = (input.events ?? []).map((one, i): Happening => {
    const pointer = `/events/${i}`;
    const { eventName, properties = {}, step, happened } = one;
    const at = new Date(one.at);
    if (at < start) throw badField(`${pointer}/at`, "is before the start of the simulation");
    if (step === undefined) {
      if (eventName === undefined) throw badField(`${pointer}/eventName`, "is required, or step");
      if (happened !== undefined) throw badField(`${pointer}/happened`, "belongs to a step");
      checkProperties(properties);
      return { kind: "event", at, personKey, name: eventName, properties, ts: at };
    }
    if (eventName !== undefined) throw badField(`${pointer}/eventName`, "can't stand beside step: give one of them");
    if (happened === undefined) throw badField(`${pointer}/happened`, "is required for a step");
    if (published.journey.nodes.get(step)?.step.type !== "message")
      throw badField(`${pointer}/step`, "names no message step of this campaign");
    return { kind: "outcome", at, personKey, stepId: step, happened };
  });
  const entersByCall = input.data !== undefined || published.definition.trigger.type === "api";
  const entry: Happening[] = entersByCall ? [{ kind: "entry", at: start, personKey, data: input.data ?? {} }] : [];
  return [...entry, ...happenings].sort((a, b) => a.at.getTime() - b.at.getTime());
}
