import { setTimeout as sleep } from "node:timers/promises";
import { errorOf, TidingsError } from "./error.ts";

export interface CallOptions {
  /** Gives the call up, retries included. */
  signal?: AbortSignal;
  /** For each attempt, in place of the client's own. */
  timeoutMs?: number;
}

export interface Request {
  method: string;
  path: string;
  body?: object;
  /** Instead of a body of JSON: a CSV file. */
  text?: string;
  headers?: Record<string, string>;
}

export interface CallerOptions {
  baseUrl: string;
  secretKey: string;
  timeoutMs: number;
  maxRetries: number;
}

/** Waits before a retry: half a second, doubling, each anywhere up to its length, so that many clients do not come at once. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 20_000;
/** Who is told to come again in an hour had better hear of it now. */
const MOST_RETRY_AFTER_MS = 60_000;

const RETRIED = new Set(["network_error", "timeout", "idempotency_in_progress"]);

/** How long to wait before the attempt after `attempt` (1 is the first), or undefined where the error is the answer. */
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

/** Retry-After is a number of seconds or a date. NaN for anything else. */
function secondsOf(text: string): number {
  return /^\d+$/.test(text.trim()) ? Number(text) : Math.max(0, (Date.parse(text) - Date.now()) / 1_000);
}

interface Attempt {
  /** The JSON of a 2xx. */
  value?: unknown;
  error?: TidingsError;
  retryAfter: string | null;
}

export type Call = <T>(request: Request, options?: CallOptions) => Promise<T>;

/** Gives the function that makes a call and repeats it as long as that may help. Every call must bear being repeated. */
export function caller({ baseUrl, secretKey, timeoutMs, maxRetries }: CallerOptions): Call {
  return async <T>(request: Request, options: CallOptions = {}): Promise<T> => {
    // The same bytes on each attempt: an Idempotency-Key stands for its body.
    const body = request.text ?? (request.body && JSON.stringify(request.body));
    const init = {
      method: request.method,
      ...(body !== undefined && { body }),
      headers: {
        ...request.headers,
        authorization: `Bearer ${secretKey}`,
        ...(body !== undefined && { "content-type": request.text === undefined ? "application/json" : "text/csv" }),
        "user-agent": "tidings-node",
      },
      // The key must not follow a redirect to somewhere else.
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

/** @throws the reason of the caller's own signal, and nothing else */
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
    // Exports are files.
    const isCsv = response.headers.get("content-type")?.startsWith("text/csv") === true;
    if (response.ok) return { ...(isCsv ? { value: text } : read(text, response.status)), retryAfter };
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

function read(text: string, status: number): Pick<Attempt, "value" | "error"> {
  if (text === "") return { value: undefined };
  try {
    return { value: JSON.parse(text) };
  } catch {
    const message = `The answer was ${status} and no JSON: is baseUrl right?`;
    return { error: new TidingsError("unexpected_answer", message, { status }) };
  }
}

/** fetch says "fetch failed" and keeps the reason in its cause. */
function wordsOf(error: unknown): string {
  const { cause, message } = error as Error & { cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? message;
}
