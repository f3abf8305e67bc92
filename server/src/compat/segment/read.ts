import { Track } from "@tidings/contract/facts/ingest";
import type { DeviceInput } from "@tidings/contract/facts/people";
import { Identify } from "@tidings/contract/facts/people";
import { type Fact, identifyFact, trackFact } from "../../ingest/index.ts";
import { readAttributes } from "../../people/index.ts";
import { checkShape, Problem } from "../../platform/http/index.ts";
import { parseInstant } from "../../platform/time/clock.ts";
import type { Vouch, Workspace } from "../../workspaces/index.ts";
import type { Reason } from "../ignored.ts";

// Translates a message of Segment's clients to facts of Tidings. Pure: the time comes in as an argument.

/** The facts of a message, or why it is left out. `dropped` has the reasons of traits that are left out. */
export type ReadMessage =
  | { facts: Fact[]; device?: DeviceInput; dropped: string[] }
  | { ignored: Reason; detail?: string };

/** The part of a request that is the same for all its messages. */
export interface RequestContext {
  workspace: Workspace;
  now: Date;
  sentAt: unknown;
  /** The only person about whom the caller may report, if the workspace requires a proof. */
  proven: string | undefined;
  vouch: Vouch;
}

type Message = Record<string, unknown>;
const checkIdentify = checkShape(Identify);
const checkTrack = checkShape(Track);

/** Reads a message. It never throws because of the data: a bad message does not spoil the others. */
export function readMessage(context: RequestContext, message: unknown, type: unknown): ReadMessage {
  if (!isObject(message)) return { ignored: "invalid" };
  const person_id = text(message.userId);
  if (type === "alias") return { ignored: "alias" };
  if (person_id === undefined) return { ignored: "anonymous" };
  if (context.proven !== undefined && person_id !== context.proven) return { ignored: "another_person" };
  try {
    const read = factsOf(context, message, type, person_id);
    if (!read) return { ignored: "unknown_type" };
    const device = deviceOf(message, person_id);
    return { ...read, ...(device && { device }) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { ignored: error.code === "payload_too_large" ? "too_large" : "invalid", detail: error.message };
  }
}

function factsOf(context: RequestContext, message: Message, type: unknown, person_id: string) {
  const { workspace } = context;
  const identified = (attributes: Record<string, unknown>) => {
    const [usable, dropped] = usableAttributes(workspace, attributes);
    return {
      facts: [
        identifyFact(
          workspace,
          checkIdentify({ person_id, attributes: usable, ...timeOf(context, message) }),
          context.vouch,
        ),
      ],
      dropped,
    };
  };
  const tracked = (...events: [name: unknown, properties: Record<string, unknown>][]) => {
    const common = { person_id, ...eventIdOf(message), ...timeOf(context, message) };
    return {
      facts: events.map(([eventName, properties]) =>
        trackFact(workspace, checkTrack({ ...common, eventName, properties })),
      ),
      dropped: [],
    };
  };
  const properties = object(message.properties);
  const name = text(message.name) ?? text(properties.name);
  const category = text(message.category);
  switch (type) {
    case "identify":
      return identified(object(message.traits));
    case "group":
      return identified({ group: { ...object(message.traits), id: text(message.groupId) ?? null } });
    case "track":
      return tracked([message.event, properties]);
    case "page":
      return tracked(["page_viewed", { ...properties, ...(category && { category }), ...(name && { page: name }) }]);
    case "screen": {
      const screen = { ...properties, ...(category && { category }), ...(name && { screen: name }) };
      return tracked(["screen_viewed", screen], ["screen_view", { screen: name ?? "" }]);
    }
    default:
      return undefined;
  }
}

/**
 * Leaves out the attributes that Tidings would refuse: browsers send what people typed, and nobody reads the answer. An identify without a
 * malformed phone number is better than no identify.
 */
function usableAttributes(
  workspace: Workspace,
  attributes: Record<string, unknown>,
): [usable: Record<string, unknown>, dropped: string[]] {
  const country = workspace.sender_defaults.country;
  const dropped: string[] = [];
  const usable = Object.entries(attributes).filter(([name, value]) => {
    try {
      readAttributes({ [name]: value }, country);
      return true;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      dropped.push(error.message);
      return false;
    }
  });
  return [Object.fromEntries(usable), dropped];
}

/** Segment's id of a message makes it count once here, too. */
function eventIdOf(message: Message): { event_id?: string } {
  const id = text(message.messageId);
  return id !== undefined && id.length <= 200 && !/[\p{Cc}\p{Cs}]/u.test(id) ? { event_id: id } : {};
}

/**
 * Returns when the message happened by this service's clock, as Segment does it. The client's clock may be wrong, but both `timestamp` and
 * `sentAt` are from it, so their difference is how long the client kept the message.
 */
function timeOf({ now, sentAt }: RequestContext, message: Message): { ts?: string } {
  const at = instant(message.timestamp) ?? instant(message.originalTimestamp);
  if (at === undefined) return {};
  const sent = instant(message.sentAt) ?? instant(sentAt);
  const ts = sent === undefined ? at : new Date(now.getTime() - (sent.getTime() - at.getTime()));
  const text = Number.isNaN(ts.getTime()) ? "" : ts.toISOString();
  return parseInstant(text) ? { ts: text } : {};
}

/** Returns the phone that sent the message, if the message has its token for push. */
function deviceOf(message: Message, person_id: string): DeviceInput | undefined {
  const context = object(message.context);
  const { token, type } = object(context.device);
  if (typeof token !== "string" || !/^[^\p{Cc}\p{Cs}]{1,4096}$/u.test(token)) return undefined;
  const system = `${typeof type === "string" ? type : ""} ${text(object(context.os).name) ?? ""}`.toLowerCase();
  const platform = /\bios\b|ipados/.test(system) ? "ios" : /android/.test(system) ? "android" : undefined;
  if (platform === undefined) return undefined;
  const version = text(object(context.app).version);
  return {
    person_id,
    platform,
    token,
    ...(version !== undefined && /^[^\p{Cc}\p{Cs}]{1,100}$/u.test(version) && { app_version: version }),
  };
}

const isObject = (value: unknown): value is Message =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const object = (value: unknown): Message => (isObject(value) ? value : {});
const instant = (value: unknown): Date | undefined => (typeof value === "string" ? parseInstant(value) : undefined);

/** Returns a text that is not empty. Ids may be numbers. */
function text(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}
