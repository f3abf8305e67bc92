import type { ServiceErrorCode } from "./product.ts";
import type { BatchResult } from "./shapes.ts";

/** The code of an error: the service's own, e.g. `transactional_not_found`, or the client's where no answer of the service came. */
export type ErrorCode = ServiceErrorCode | "network_error" | "timeout" | "unexpected_answer" | "webhook_invalid";

/** What is wrong with one field of a call. */
export interface FieldError {
  /** JSON pointer into the body. */
  pointer?: string;
  /** Name of a parameter or header. */
  parameter?: string;
  message: string;
}

/** What an error may carry beside its code and message. */
export interface ErrorDetails {
  status?: number | undefined;
  requestId?: string | undefined;
  errors?: FieldError[] | undefined;
  problem?: Record<string, unknown> | undefined;
  cause?: unknown;
}

/** The error of a call that failed, after its retries. The message says what to do. */
export class TidingsError extends Error {
  /** What went wrong. A newer service may answer codes that this version of the package does not list. */
  readonly code: ErrorCode;
  /** The HTTP status; undefined where no answer came. */
  readonly status: number | undefined;
  /** The id of the request in the service's log. */
  readonly requestId: string | undefined;
  /** The fields that are wrong, each with a message. Empty for errors that concern no field. */
  readonly errors: FieldError[];
  /** The whole answer (RFC 9457), with the members that only this code has, e.g. `fields` of `message_data_missing`. */
  readonly problem: Record<string, unknown> | undefined;
  /** Set by `batch`: the results of the items before the request that failed. */
  results: BatchResult[] | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = "TidingsError";
    this.code = code;
    this.status = details.status;
    this.requestId = details.requestId;
    this.errors = details.errors ?? [];
    this.problem = details.problem;
  }
}

/** Returns the error for an answer outside 2xx. A proxy before the service has its own format: that is `unexpected_answer`. */
export function errorOf(status: number, requestId: string | undefined, text: string): TidingsError {
  const problem = objectOf(text);
  const { code, detail, errors } = problem ?? {};
  if (typeof code !== "string") {
    const message = `The answer was ${status} and did not come from Tidings: is baseUrl right, and is the service running?`;
    return new TidingsError("unexpected_answer", message, { status, requestId });
  }
  const fields = Array.isArray(errors) ? (errors as FieldError[]) : undefined;
  return new TidingsError(code as ErrorCode, typeof detail === "string" ? detail : code, {
    status,
    requestId,
    errors: fields,
    problem,
  });
}

function objectOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
