import type { ErrorCode } from "@tidings/contract/errors/errors";

/** The body of application/problem+json. */
interface ProblemBody {
  title?: string;
  detail?: string;
  code?: ErrorCode;
  request_id?: string;
  errors?: { pointer?: string; parameter?: string; message: string }[];
}

/** The service understood the call and refused it. `message` is its `detail`, which says what to do. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: ProblemBody & Record<string, unknown>;
  /** Seconds after which a repeat makes sense. */
  readonly retryAfter: number | undefined;
  constructor(response: Response, body: ProblemBody & Record<string, unknown>) {
    super(body.detail ?? body.title ?? `${response.status} ${response.statusText}`);
    this.status = response.status;
    this.body = body;
    this.retryAfter = Number(response.headers.get("retry-after")) || undefined;
  }
  get code(): ErrorCode | undefined {
    return this.body.code;
  }
}

/** No answer came: the network or the service is gone. */
export class Unreached extends Error {}

export const isRefusal = (error: unknown, code: string): error is Refusal =>
  error instanceof Refusal && error.code === code;

/** The service refused because of too much work, and not because of the call: the same call may succeed later. */
export const isBusy = (error: unknown): error is Refusal =>
  error instanceof Refusal && (error.status === 429 || error.status === 503);
