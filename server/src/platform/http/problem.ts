import { type ErrorCode, errors } from "@tidings/contract/errors/errors";

export interface FieldError {
  /** JSON pointer into the body. */
  pointer?: string;
  /** Name of a query parameter, path parameter or header. */
  parameter?: string;
  message: string;
}

export interface ProblemOptions {
  errors?: FieldError[];
  headers?: Record<string, string>;
  cause?: unknown;
  /** Members of the answer beyond the standard ones, e.g. `fields` of message_data_missing. */
  extra?: Record<string, unknown>;
}

/** An error that is answered as a problem of RFC 9457. `detail` tells the client what to do. */
export class Problem extends Error {
  readonly code: ErrorCode;
  readonly options: ProblemOptions;
  constructor(code: ErrorCode, detail: string, options: ProblemOptions = {}) {
    super(detail, { cause: options.cause });
    this.code = code;
    this.options = options;
  }
  get status(): number {
    return errors[this.code].status;
  }
}

/** 404 for an id that this workspace does not have. The text is the same whether or not the id exists in another workspace. */
export const notFound = (what: string): Problem =>
  new Problem("not_found", `There is no such ${what} in this workspace.`);

/** 400 about one field of the body. */
export const badField = (pointer: string, message: string): Problem =>
  new Problem("invalid_request", `${pointer} ${message}.`, { errors: [{ pointer, message }] });

/** 400 about one parameter. */
export const badParameter = (parameter: string, message: string): Problem =>
  new Problem("invalid_request", `${parameter} ${message}.`, { errors: [{ parameter, message }] });

/** Returns the JSON body of application/problem+json. */
export function problemBody(problem: Problem, requestId: string): Record<string, unknown> {
  const { status, title } = errors[problem.code];
  const { errors: fields, extra } = problem.options;
  return {
    type: `urn:tidings:error:${problem.code}`,
    title,
    status,
    detail: problem.message,
    code: problem.code,
    request_id: requestId,
    ...(fields && { errors: fields }),
    ...extra,
  };
}
