import type { StepOf } from "@tidings/contract/campaigns/steps";
import type { Part } from "../../content/index.ts";
import { parseJson, pointerPart } from "../../platform/http/index.ts";
import { readable, restOf, type SignedAnswer, waitAfter } from "../../platform/outbound-http/index.ts";

// The rules for calls of webhook steps: what is sent, when a call is repeated, and what later steps read of its answer.

type WebhookStep = StepOf<"webhook">;

/** The waits after the first, second, ... failed attempt: 8 minutes in all. The attempt after the last wait is the last one. */
export const WAITS = [5_000, 30_000, 120_000, 300_000];

export type CallOutcome = { kind: "answered" } | { kind: "failed" } | { kind: "retry"; waitMs: number };

/** @param attempts including this one. @param random in [0, 1): each wait is spread by 20 % in both directions */
export function outcomeOf(
  { status, failure, headers }: Pick<SignedAnswer, "status" | "failure" | "headers">,
  attempts: number,
  random: number,
  now: Date,
): CallOutcome {
  if (status !== null && status >= 200 && status < 300) return { kind: "answered" };
  const isFinal = status === null ? FINAL.has(failure) : status !== 408 && status !== 429 && status < 500;
  const waitMs = waitAfter(WAITS, attempts, random, restOf(status, String(headers["retry-after"] ?? ""), now));
  return isFinal || waitMs === undefined ? { kind: "failed" } : { kind: "retry", waitMs };
}

/** Failures that a repeat does not mend. */
const FINAL: ReadonlySet<SignedAnswer["failure"]> = new Set(["private_address", "invalid_url"]);

/** The most bytes of an answer that later steps can read. */
export const MOST_ANSWER = 32 * 1024;

/** The most characters of an answer that is no success which the history shows. */
export const MOST_TEXT = 1_024;

/** What later steps read as `{{steps.ID.response.*}}`. */
export type CallResponse = Record<string, unknown>;

/**
 * Returns an answer as later steps read it: its `status`, its `body` (JSON, or text), and the fields of a JSON object beside them. `body` is
 * null where the answer is empty, too long, or JSON that could not be stored; then `omitted` says why.
 */
export function responseOf({
  status,
  headers,
  body,
  scrub,
}: Pick<SignedAnswer, "status" | "headers" | "body" | "scrub">): CallResponse {
  if (body.length === 0) return { status, body: null };
  if (body.length > MOST_ANSWER) return { status, body: null, omitted: "too_long" };
  const type = headers["content-type"];
  const text = readable(body);
  const shown = scrub(text);
  if (type !== undefined && !/[/+]json\b/i.test(String(type))) return { status, body: shown };
  try {
    const json = parseJson(shown === text ? body : Buffer.from(shown));
    const fields = typeof json === "object" && json !== null && !Array.isArray(json) ? json : {};
    return { status, body: json, ...fields };
  } catch {
    return type === undefined ? { status, body: shown } : { status, body: null, omitted: "invalid_json" };
  }
}

/** The most characters of a text, or of a value as JSON, in the history of a run. */
const MOST_SHOWN = 4_096;

/** Returns a value as the history shows it: whole where it is small, otherwise the beginning of its JSON. */
export function shownValue(value: unknown): unknown {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length <= MOST_SHOWN ? value : text.slice(0, MOST_SHOWN).toWellFormed();
}

/** Returns the texts of a webhook step that may contain Liquid: its address, and the texts in its body in order. */
export function partsOf({ url = "", body }: WebhookStep): Part[] {
  const parts: Part[] = [{ name: "url", source: url, html: false }];
  function add(value: unknown, name: string): void {
    if (typeof value === "string") parts.push({ name, source: value, html: false });
    else if (typeof value === "object" && value !== null)
      for (const [key, inner] of Object.entries(value)) add(inner, `${name}/${pointerPart(key)}`);
  }
  if (body) add(body, "body");
  return parts;
}

/** Returns a body whose texts are replaced, in the order of `partsOf`. */
export function withTexts(body: Record<string, unknown>, texts: string[]): unknown {
  const next = texts.values();
  const replaced = (value: unknown): unknown => {
    if (typeof value === "string") return next.next().value;
    if (Array.isArray(value)) return value.map(replaced);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, replaced(inner)]));
  };
  return replaced(body);
}
