import type { IncomingHttpHeaders } from "node:http";
import type { CredentialsOf, ProviderKind, SettingsOf } from "@tidings/contract/messages/providers";
import { Problem } from "../../platform/http/index.ts";
import { decodeId } from "../../platform/ids.ts";
import type { FetchOut } from "../../platform/outbound-http/index.ts";
import type { Feedback } from "../feedback/feedback.ts";

/** A call of a provider's, as it came. */
export interface Received {
  headers: IncomingHttpHeaders;
  /** Empty where it came by GET. */
  raw: Buffer;
  /** What is said stands in `url`. */
  byGet: boolean;
  /** The whole address that was called, as the provider knows it. */
  url: string;
  /** `?delivery=` of it. Only what is signed with the address may be believed. */
  delivery: string | undefined;
  now: Date;
  fetchOut: FetchOut;
}

/** What a provider tells of one delivery; `deliveryId` is a TypeID. */
export type CallbackEvent = Omit<Feedback, "workspaceId" | "source">;

/** What a call says, once its signature held. */
export interface CallbackContents {
  items: CallbackEvent[];
  /** By SMS: numbers (E.164) that said STOP or START. */
  words?: Word[];
  /** The signature of a call with words: such a call counts once. All else counts once by what it tells. */
  signature?: string;
}

/** STOP or START from a number. */
export interface Word {
  number: string;
  stop: boolean;
  /** When it was said, where the provider tells. */
  at?: Date | undefined;
}

/** What is kept of a provider that callbacks need. */
export interface Setup<K extends ProviderKind> {
  settings: SettingsOf<K>;
  credentials: CredentialsOf<K>;
}

/**
 * How one kind of provider calls back. Verifies before it reads anything, and gives what was told: events that it does not
 * know, and those of messages that are not ours, are left out. One file each.
 * @throws Problem callback_not_configured, callback_unverified, invalid_request
 */
export type Reader<K extends ProviderKind> = (
  received: Received,
  setup: Setup<K>,
) => Promise<CallbackContents> | CallbackContents;

/** @param secret the field to set, e.g. credentials.webhook_secret @param why where something is set */
export const notConfigured = (secret: string, why = "nothing is set"): Problem =>
  new Problem(
    "callback_not_configured",
    `Set ${secret} of this provider: ${why}, so nobody can tell whose callbacks these are. See docs/providers.md.`,
  );

export const unverified = (what = "its signature does not hold"): Problem =>
  new Problem("callback_unverified", `The callback is refused: ${what}. Nothing has changed.`);

/** Refuses a call that was signed too long ago: somebody may have kept it. What is no time is too old. @param limitS seconds */
export function checkAge({ now }: Pick<Received, "now">, signedAt: number | string | undefined, limitS: number): void {
  const seconds =
    typeof signedAt === "string" && !/^\d+(\.\d+)?$/.test(signedAt) ? Date.parse(signedAt) / 1_000 : signedAt;
  if (!(Math.abs(now.getTime() / 1_000 - Number(seconds)) <= limitS)) throw unverified("it is too old");
}

/** Objects of any stranger's JSON: what is not there, or is of another type, reads as absent. */
export type Fields = Record<string, unknown>;
export const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
export const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value.slice(0, 2_000) : undefined;

/** The bare id of a delivery of ours, or undefined for anything else. */
export const deliveryOf = (value: unknown): string | undefined =>
  typeof value === "string" ? decodeId("dlv", value) : undefined;

/** A time in seconds since 1970 or in ISO 8601. */
export function momentOf(value: unknown): Date | undefined {
  const number = typeof value === "string" && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value;
  const at = typeof number === "number" ? new Date(number * 1_000) : new Date(String(value));
  return Number.isNaN(at.getTime()) || at.getTime() < 0 ? undefined : at;
}

/** The same; now where it is neither. */
export const timeOf = (value: unknown, now: Date): Date => momentOf(value) ?? now;
