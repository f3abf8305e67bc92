import type { BatchResult } from "./shapes.ts";

/** What is wrong with one field of a call. */
export interface FieldError {
  /** JSON pointer into the body. */
  pointer?: string;
  /** Name of a parameter or header. */
  parameter?: string;
  message: string;
}

/** What an error may carry beyond its words. */
export interface ErrorDetails {
  status?: number | undefined;
  requestId?: string | undefined;
  errors?: FieldError[] | undefined;
  problem?: Record<string, unknown> | undefined;
  cause?: unknown;
}

/** A call that did not succeed, also after its retries. The message says what to do. */
export class TidingsError extends Error {
  /** The service's own code, e.g. `transactional_not_found`; or `network_error`, `timeout` or `unexpected_answer`. */
  readonly code: string;
  /** The HTTP status; undefined where there was no answer. */
  readonly status: number | undefined;
  /** For the service's log. */
  readonly requestId: string | undefined;
  /** The fields at fault. */
  readonly errors: FieldError[];
  /** The whole answer (RFC 9457), with what one code alone has, e.g. `fields` of `message_data_missing`. */
  readonly problem: Record<string, unknown> | undefined;
  /** Of a batch: the results of the items before the part that failed. */
  results: BatchResult[] | undefined;

  constructor(code: string, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = "TidingsError";
    this.code = code;
    this.status = details.status;
    this.requestId = details.requestId;
    this.errors = details.errors ?? [];
    this.problem = details.problem;
  }
}

/** The error that an answer outside 2xx stands for. A proxy in front of the service answers in its own words. */
export function errorOf(status: number, requestId: string | undefined, text: string): TidingsError {
  const problem = objectOf(text);
  const { code, detail, errors } = problem ?? {};
  if (typeof code !== "string") {
    const message = `The answer was ${status} and not one of Tidings: is baseUrl right, and the service up?`;
    return new TidingsError("unexpected_answer", message, { status, requestId });
  }
  const fields = Array.isArray(errors) ? (errors as FieldError[]) : undefined;
  return new TidingsError(code, typeof detail === "string" ? detail : code, {
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
