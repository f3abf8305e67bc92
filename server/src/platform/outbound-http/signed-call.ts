import { scrubber } from "../scrub.ts";
import { signed } from "../standard-webhooks.ts";
import type { Clock } from "../time/clock.ts";
import { type Traces, traced } from "../tracing/index.ts";
import { OutboundError, type OutboundFailure } from "./errors.ts";
import type { FetchOut } from "./fetcher.ts";

/** A receiver must answer within this time: it should accept the call and do the work later. */
const TIMEOUT_MS = 10_000;

/** A call that a receiver can verify, as Standard Webhooks says. */
export interface SignedRequest {
  url: string;
  /** `webhook-id`: the same for each attempt. */
  id: string;
  /** JSON. */
  body: string;
  /** All that are valid now. Each makes a signature. */
  secrets: string[];
  headers?: Record<string, string>;
  /** The first bytes of the answer that are kept. */
  keptBytes: number;
  signal?: AbortSignal | undefined;
  /** For traces: what the call is, and the UUID of what it is about. */
  trace: [name: string, of: string];
}

/** The answer to a signed call; without one, `status` is null and `error` says why. */
export interface SignedAnswer {
  at: Date;
  status: number | null;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
  /** For the author of the receiver. It names no address of our network. */
  error: string | null;
  durationMs: number;
  /** Why there is no answer. `aborted`: this process stops, and another one is to repeat the call. */
  failure: OutboundFailure | null;
  /** Replaces the secrets in a text that the receiver sent. */
  scrub(text: string): string;
}

/** Calls a receiver once, signed with the current time. A fault of the receiver is returned and never thrown. */
export function signedCall(ground: CallGround, request: SignedRequest): Promise<SignedAnswer> {
  const [name, of] = request.trace;
  return traced(
    ground.traces,
    [name, { kind: "client", of }],
    ({ traceparent }) =>
      call(ground, { ...request, headers: { ...request.headers, ...(traceparent && { traceparent }) } }),
    ({ status }) => ({ "http.response.status_code": status ?? undefined }),
  );
}

interface CallGround {
  fetchOut: FetchOut;
  clock: Clock;
  traces: Traces;
}

async function call(
  { fetchOut, clock }: CallGround,
  { url, id, body, secrets, headers, keptBytes, signal }: SignedRequest,
): Promise<SignedAnswer> {
  const at = clock.now();
  const began = performance.now();
  const none = { at, status: null, headers: {}, body: Buffer.alloc(0), error: null, scrub: scrubber(secrets) };
  const ended = () => ({ durationMs: Math.round(performance.now() - began), failure: null });
  try {
    const answer = await fetchOut(url, {
      method: "POST",
      headers: {
        ...headers,
        "content-type": "application/json; charset=utf-8",
        ...signed(id, body, secrets, at),
      },
      body,
      timeoutMs: TIMEOUT_MS,
      maxBytes: keptBytes,
      cut: true,
      ...(signal && { signal }),
    });
    const { status } = answer;
    const error = status >= 300 && status < 400 ? "Redirects are not followed: give the final address." : null;
    return { ...none, ...answer, error, ...ended() };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return { ...none, error: error.message, ...ended(), failure: error.failure };
  }
}

/** Converts an answer of any bytes to text that PostgreSQL can store. */
export const readable = (body: Buffer): string => body.toString("utf8").replaceAll("\0", "\ufffd");
