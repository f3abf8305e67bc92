import { setTimeout as sleep } from "node:timers/promises";
import { errorOf, TidingsError } from "./error.ts";

export interface CallOptions {
  /** Aborts the call and its retries. */
  signal?: AbortSignal;
  /** Milliseconds that each attempt may take; by default the client's `timeoutMs`. */
  timeoutMs?: number;
}

export interface Request {
  method: string;
  path: string;
  body?: object;
  /** A CSV file, sent instead of a JSON body. */
  text?: string;
  /** Files and texts, sent as multipart/form-data instead of a JSON body. A file of `node:fs`' openAsBlob is read as it is sent. */
  form?: Record<string, Blob | string | undefined>;
  headers?: Record<string, string>;
}

export interface CallerOptions {
  baseUrl: string;
  secretKey: string;
  timeoutMs: number;
  maxRetries: number;
}

/** The wait before a retry starts at half a second and doubles. It is cut by chance, so that many clients don't return at once. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 20_000;
/** A caller that must wait longer than this (an hour, for example) gets the error at once instead. */
const MOST_RETRY_AFTER_MS = 60_000;

const RETRIED = new Set(["network_error", "timeout", "idempotency_in_progress"]);

/** Returns the milliseconds to wait after `attempt` (1 is the first), or undefined where a retry can't help. */
export function waitBefore(
  error: TidingsError,
  attempt: number,
  retryAfter: string | null,
  random = Math.random(),
): number | undefined {
  const { status = 0, code } = error;
  if (!RETRIED.has(code) && status !== 429 && status < 500) return undefined;
  const asked = retryAfter === null ? Number.NaN : secondsOf(retryAfter) * 1_000;
  if (asked > MOST_RETRY_AFTER_MS) return undefined;
  const own = random * Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), LONGEST_WAIT_MS);
  return asked >= 0 ? asked + own : own;
}

/** Reads Retry-After, which is a number of seconds or a date. Returns NaN for anything else. */
function secondsOf(text: string): number {
  return /^\d+$/.test(text.trim()) ? Number(text) : Math.max(0, (Date.parse(text) - Date.now()) / 1_000);
}

/** The ETags of the answers that had one. An answer that is collected takes its entry along. */
const etags = new WeakMap<object, string>();

/**
 * Returns the ETag of an answer of the product API, for `{ ifMatch }` of a later change: it fails with `changed_meanwhile` if somebody else
 * has changed the object since. Undefined for what has none, such as a list or a copy of the answer.
 */
export const etagOf = (answer: object): string | undefined => etags.get(answer);

interface Attempt {
  /** The body of a 2xx answer: parsed JSON, or the text of a CSV file. */
  value?: unknown;
  error?: TidingsError;
  retryAfter: string | null;
}

export type Call = <T>(request: Request, options?: CallOptions) => Promise<T>;

/** Returns the function that makes a call and retries it while that may help. Every call must be safe to repeat. */
export function caller({ baseUrl, secretKey, timeoutMs, maxRetries }: CallerOptions): Call {
  return async <T>(request: Request, options: CallOptions = {}): Promise<T> => {
    // Each attempt sends the same bytes: the service refuses an Idempotency-Key that returns with another body.
    const body = formOf(request.form) ?? request.text ?? (request.body && JSON.stringify(request.body));
    const type = request.text === undefined ? "application/json" : "text/csv";
    const init = {
      method: request.method,
      ...(body !== undefined && { body }),
      headers: {
        ...request.headers,
        authorization: `Bearer ${secretKey}`,
        // The content type of a form has its boundary, which fetch knows.
        ...(typeof body === "string" && { "content-type": type }),
        "user-agent": "tidings-node",
      },
      // A redirect must not carry the secret key to another host.
      redirect: "manual" as const,
    };
    for (let attempt = 1; ; attempt++) {
      const { value, error, retryAfter } = await once(baseUrl + request.path, init, options, timeoutMs);
      if (!error) return value as T;
      const wait = attempt > maxRetries ? undefined : waitBefore(error, attempt, retryAfter);
      if (wait === undefined) throw error;
      await sleep(wait, undefined, options.signal ? { signal: options.signal } : {}).catch(() => {});
    }
  };
}

function formOf(fields: Request["form"]): FormData | undefined {
  if (!fields) return undefined;
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.append(name, value);
  return form;
}

/** Makes one attempt. It returns every error but one: @throws the reason of the caller's signal, once that is aborted. */
async function once(url: string, init: RequestInit, options: CallOptions, timeoutMs: number): Promise<Attempt> {
  const { signal } = options;
  signal?.throwIfAborted();
  const ms = options.timeoutMs ?? timeoutMs;
  const ended = new AbortController();
  const end = () => ended.abort();
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    end();
  }, ms);
  signal?.addEventListener("abort", end, { once: true });
  try {
    const response = await fetch(url, { ...init, signal: ended.signal });
    const text = await response.text();
    const retryAfter = response.headers.get("retry-after");
    // Exports answer with a CSV file.
    const isCsv = response.headers.get("content-type")?.startsWith("text/csv") === true;
    if (response.ok) {
      const found = isCsv ? { value: text } : read(text, response.status);
      keepTag(found.value, response.headers.get("etag"));
      return { ...found, retryAfter };
    }
    return { error: errorOf(response.status, response.headers.get("x-request-id") ?? undefined, text), retryAfter };
  } catch (cause) {
    signal?.throwIfAborted();
    const error = late
      ? new TidingsError("timeout", `No answer came within ${ms} ms.`, { cause })
      : new TidingsError("network_error", `The service could not be reached: ${wordsOf(cause)}.`, { cause });
    return { error, retryAfter: null };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
  }
}

/** A proxy that compresses makes a tag weak, and a weak tag never matches: its mark is left out. */
function keepTag(answer: unknown, etag: string | null): void {
  if (typeof answer === "object" && answer !== null && etag !== null) etags.set(answer, etag.replace(/^W\//, ""));
}

function read(text: string, status: number): Pick<Attempt, "value" | "error"> {
  if (text === "") return { value: undefined };
  try {
    return { value: JSON.parse(text) };
  } catch {
    const message = `The answer was ${status} without valid JSON: is baseUrl right?`;
    return { error: new TidingsError("unexpected_answer", message, { status }) };
  }
}

/** Returns why fetch failed: its message says only "fetch failed", the reason is in its cause. */
function wordsOf(error: unknown): string {
  const { cause, message } = error as Error & { cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? message;
}
