import { Track } from "@tidings/contract/facts/ingest";
import type { DeviceInput } from "@tidings/contract/facts/people";
import { Identify } from "@tidings/contract/facts/people";
import { type Fact, identifyFact, trackFact } from "../../ingest/index.ts";
import { readAttributes } from "../../people/index.ts";
import { checkShape, Problem } from "../../platform/http/index.ts";
import { parseInstant } from "../../platform/time/clock.ts";
import type { Vouch, Workspace } from "../../workspaces/index.ts";
import type { Reason } from "../ignored.ts";

// A message of Segment's clients as facts of ours. Pure: the clock comes in as an argument.

/** What a message says, or why it is left out. `dropped` tells of traits that can't be what their name says. */
export type Read = { facts: Fact[]; device?: DeviceInput; dropped: string[] } | { ignored: Reason; detail?: string };

/** What is the same for all messages of a request. */
export interface Frame {
  workspace: Workspace;
  now: Date;
  sentAt: unknown;
  /** The only person that the caller may speak for, where the workspace requires a proof. */
  proven: string | undefined;
  vouch: Vouch;
}

type Message = Record<string, unknown>;
const checkIdentify = checkShape(Identify);
const checkTrack = checkShape(Track);

/** Never throws for what a client sent: a bad message does not spoil the others. */
export function readMessage(frame: Frame, message: unknown, type: unknown): Read {
  if (!isObject(message)) return { ignored: "invalid" };
  const person_id = text(message.userId);
  if (type === "alias") return { ignored: "alias" };
  if (person_id === undefined) return { ignored: "anonymous" };
  if (frame.proven !== undefined && person_id !== frame.proven) return { ignored: "another_person" };
  try {
    const read = factsOf(frame, message, type, person_id);
    if (!read) return { ignored: "unknown_type" };
    const device = deviceOf(message, person_id);
    return { ...read, ...(device && { device }) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { ignored: error.code === "payload_too_large" ? "too_large" : "invalid", detail: error.message };
  }
}

function factsOf(frame: Frame, message: Message, type: unknown, person_id: string) {
  const { workspace } = frame;
  const identified = (attributes: Record<string, unknown>) => {
    const [usable, dropped] = usableAttributes(workspace, attributes);
    return {
      facts: [
        identifyFact(
          workspace,
          checkIdentify({ person_id, attributes: usable, ...timeOf(frame, message) }),
          frame.vouch,
        ),
      ],
      dropped,
    };
  };
  const tracked = (...events: [name: unknown, properties: Record<string, unknown>][]) => {
    const common = { person_id, ...eventIdOf(message), ...timeOf(frame, message) };
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
 * Leaves out the attributes that ours can't take: browsers send what people typed, and nobody reads the answer. An identify
 * without its odd phone number is better than none.
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

/** Segment's own id of a message is what deduplicates it here, too. */
function eventIdOf(message: Message): { event_id?: string } {
  const id = text(message.messageId);
  return id !== undefined && id.length <= 200 && !/[\p{Cc}\p{Cs}]/u.test(id) ? { event_id: id } : {};
}

/**
 * When it happened, by our clock, as Segment does it: the client's clock may be wrong, but between `timestamp` and `sentAt`,
 * both of that clock, lies the time that it kept the message.
 */
function timeOf({ now, sentAt }: Frame, message: Message): { ts?: string } {
  const at = instant(message.timestamp) ?? instant(message.originalTimestamp);
  if (at === undefined) return {};
  const sent = instant(message.sentAt) ?? instant(sentAt);
  const ts = sent === undefined ? at : new Date(now.getTime() - (sent.getTime() - at.getTime()));
  const text = Number.isNaN(ts.getTime()) ? "" : ts.toISOString();
  return parseInstant(text) ? { ts: text } : {};
}

/** The phone that the message came from, where its token for push came along. */
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

/** A text that is not empty; ids come as numbers, too. */
function text(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}
