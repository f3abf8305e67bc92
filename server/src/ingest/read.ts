import { type Track, Track as TrackSchema } from "@tidings/contract/facts/ingest";
import { type Identify, Identify as IdentifySchema } from "@tidings/contract/facts/people";
import { checkProperties, type EventInput } from "../events/index.ts";
import { attested, type Identity, readAttributes } from "../people/index.ts";
import { badField, checkShape, Problem } from "../platform/http/index.ts";
import { parseInstant } from "../platform/time/clock.ts";
import { personKey, type Vouch, type Workspace } from "../workspaces/index.ts";

/** A fact that arrived, after the checks of its shape. */
export type Fact =
  | { kind: "identify"; identity: Identity }
  | { kind: "event"; event: EventInput & { personId: string } }
  | { kind: "screen"; workspaceId: string; screen: string };

/** Reads an identify call. @param vouch how far the caller's reports of addresses are believed @throws Problem invalid_request, payload_too_large */
export function identifyFact(workspace: Workspace, input: Identify, vouch: Vouch): Fact {
  const { person_id: personId, attributes = {}, ts } = input;
  const { country } = workspace.sender_defaults;
  const change = attested(readAttributes(attributes, country), personId, vouch, country);
  return {
    kind: "identify",
    identity: { workspaceId: workspace.id, personId, change, at: ts === undefined ? undefined : parseInstant(ts) },
  };
}

/** Reads a track call. A `screen_view` is a fact about the application, not about the person: it goes to the catalog only (specification, Events). */
export function trackFact(workspace: Workspace, input: Track): Fact {
  const properties = input.properties ?? {};
  checkProperties(properties);
  if (input.eventName === "screen_view") {
    return {
      kind: "screen",
      workspaceId: workspace.id,
      screen: typeof properties.screen === "string" ? properties.screen : "",
    };
  }
  const ts = input.ts === undefined ? undefined : parseInstant(input.ts);
  const { person_id: personId, eventName: name, event_id: eventId } = input;
  const whom = { workspaceId: workspace.id, personId, personKey: personKey(workspace.id, personId) };
  return { kind: "event", event: { ...whom, name, properties, ts, eventId } };
}

const shapes = { identify: checkShape(IdentifySchema), track: checkShape(TrackSchema) };

/** The caller of a batch: the only person whom it may report about, if the workspace requires a proof, and how far it is believed. */
export interface Reporter {
  provenPerson: string | undefined;
  vouch: Vouch;
}

/** Reads an item of a batch, whose shape is not checked yet. @throws Problem invalid_request, payload_too_large, person_token_invalid */
export function batchFact(workspace: Workspace, item: unknown, { provenPerson: proven, vouch }: Reporter): Fact {
  const type = (item as { type?: unknown } | null)?.type;
  if (type !== "identify" && type !== "track") throw badField("/type", "must be identify or track");
  const input = shapes[type](item);
  if (proven !== undefined && input.person_id !== proven) {
    throw new Problem("person_token_invalid", "The person token is for another person than person_id.");
  }
  return type === "identify" ? identifyFact(workspace, input as Identify, vouch) : trackFact(workspace, input as Track);
}
