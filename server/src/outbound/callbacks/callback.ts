import type { IncomingHttpHeaders } from "node:http";
import type { CredentialsOf, ProviderKind, SettingsOf } from "@tidings/contract/messages/providers";
import { Problem } from "../../platform/http/index.ts";
import type { FetchOut } from "../../platform/outbound-http/index.ts";
import type { Feedback } from "../feedback/feedback.ts";

/** A call of a provider, as it was received. */
export interface CallbackRequest {
  headers: IncomingHttpHeaders;
  /** The body; empty for a GET. */
  raw: Buffer;
  /** It was a GET: the contents are in `url`. */
  byGet: boolean;
  /** The whole address that was called, as the provider knows it. */
  url: string;
  /** `?delivery=` of the address. A reader may believe it only where the signature covers the address. */
  delivery: string | undefined;
  now: Date;
  fetchOut: FetchOut;
}

/** One event of one delivery, as a provider reports it; `deliveryId` is the bare id. */
export type CallbackEvent = Omit<Feedback, "workspaceId" | "source">;

/** The contents of a call whose signature is valid. */
export interface CallbackContents {
  items: CallbackEvent[];
  /** SMS: the numbers that answered STOP or START. */
  keywords?: Keyword[];
  /** The signature of a call with keywords, by which such a call counts once. Events count once by their own ids. */
  signature?: string;
}

/** STOP or START from a number (E.164). */
export interface Keyword {
  number: string;
  stop: boolean;
  /** When it was sent, where the provider reports that. */
  at?: Date | undefined;
}

/** The settings and credentials of a provider, which verify its callbacks. */
export interface CallbackSetup<K extends ProviderKind> {
  settings: SettingsOf<K>;
  credentials: CredentialsOf<K>;
}

/**
 * Verifies and reads the callbacks of one kind of provider; there is one file for each. It verifies before it reads anything.
 * It leaves out events that it does not know and those of messages that this service did not send.
 * @throws Problem callback_not_configured, callback_unverified, invalid_request
 */
export type CallbackReader<K extends ProviderKind> = (
  request: CallbackRequest,
  setup: CallbackSetup<K>,
) => Promise<CallbackContents> | CallbackContents;

/** @param secret the field to set, such as credentials.webhook_secret @param why what is wrong with it, where it is set */
export const notConfigured = (secret: string, why = "nothing is set"): Problem =>
  new Problem(
    "callback_not_configured",
    `Set ${secret} of this provider: ${why}, so nobody can tell who sent its callbacks. See docs/providers.md.`,
  );

export const unverified = (what = "its signature is not valid"): Problem =>
  new Problem("callback_unverified", `The callback is refused: ${what}. Nothing has changed.`);

/** Refuses a call that was signed too long ago, because it may be a copy. A text that is no time is too old. @param limitS seconds */
export function checkAge(
  { now }: Pick<CallbackRequest, "now">,
  signedAt: number | string | undefined,
  limitS: number,
): void {
  const seconds =
    typeof signedAt === "string" && !/^\d+(\.\d+)?$/.test(signedAt) ? Date.parse(signedAt) / 1_000 : signedAt;
  if (!(Math.abs(now.getTime() / 1_000 - Number(seconds)) <= limitS)) throw unverified("it is too old");
}

/** Read values from JSON that anybody may have written: a missing value and one of another type are both absent. */
export type Fields = Record<string, unknown>;
export const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
export const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value.slice(0, 2_000) : undefined;

/** Reads a time in seconds since 1970 or in ISO 8601; undefined for any other value. */
export function timeIn(value: unknown): Date | undefined {
  const number = typeof value === "string" && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value;
  const at = typeof number === "number" ? new Date(number * 1_000) : new Date(String(value));
  return Number.isNaN(at.getTime()) || at.getTime() < 0 ? undefined : at;
}

/** Does the same, and returns `now` for any other value. */
export const timeOf = (value: unknown, now: Date): Date => timeIn(value) ?? now;
