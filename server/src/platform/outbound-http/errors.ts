/** Why a call out brought no answer. */
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
 * A call out that brought no answer. The message is one sentence that a customer may read: it names no resolved address,
 * so nobody can map our network with it.
 */
export class OutboundError extends Error {
  readonly failure: OutboundFailure;
  /** Whether the other side may have seen the request. False: it surely has not, so a repeat can double nothing. */
  readonly mayHaveArrived: boolean;

  constructor(failure: OutboundFailure, message: string, mayHaveArrived: boolean) {
    super(message);
    this.name = "OutboundError";
    this.failure = failure;
    this.mayHaveArrived = mayHaveArrived;
  }
}

const code = (error: unknown): string => String((error as { code?: unknown }).code ?? "");

/** What a socket's, resolver's or TLS error means. @param connected whether the request had begun to travel */
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
