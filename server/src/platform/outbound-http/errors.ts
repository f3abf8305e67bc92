/** Why a call to the outside got no answer. */
export type OutboundFailure =
  | "invalid_url"
  | "private_address"
  | "name_not_found"
  | "not_connected"
  | "timeout"
  | "too_large"
  | "connection_lost"
  | "aborted";

/**
 * A call to the outside got no answer. The message is one sentence that a customer may read. It contains no resolved address, so
 * nobody can map our network with it.
 */
export class OutboundError extends Error {
  readonly failure: OutboundFailure;
  /** Whether the other side may have seen the request. If false, it certainly has not, so a repeat can't happen twice there. */
  readonly mayHaveArrived: boolean;

  constructor(failure: OutboundFailure, message: string, mayHaveArrived: boolean) {
    super(message);
    this.name = "OutboundError";
    this.failure = failure;
    this.mayHaveArrived = mayHaveArrived;
  }
}

const code = (error: unknown): string => String((error as { code?: unknown }).code ?? "");

/** Turns an error of a socket, the resolver or TLS into an OutboundError. @param connected whether part of the request was sent */
export function translated(error: unknown, connected: boolean): OutboundError {
  if (error instanceof OutboundError) return error;
  const name = code(error);
  if (/^(ENOTFOUND|EAI_)/.test(name))
    return new OutboundError("name_not_found", "The host name could not be resolved.", false);
  if (connected)
    return new OutboundError(
      "connection_lost",
      `The connection ended before the answer was complete (${name || "closed"}).`,
      true,
    );
  return new OutboundError("not_connected", `No connection could be made (${name || "closed"}).`, false);
}
