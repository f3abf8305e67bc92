export { isPublicAddress, literalAddress } from "./addresses.ts";
export { OutboundError } from "./errors.ts";
export { createFetcher, type FetchOut, type OutboundAnswer, type OutboundRequest } from "./fetcher.ts";
export { createHttp2Fetcher } from "./http2.ts";
export { restOf, retryAfterMs, waitAfter } from "./retry.ts";
export { signed as awsSigned } from "./sigv4.ts";
export { readable, type SignedAnswer, signedCall } from "./signed-call.ts";
export { connectOut, type WayOut, wayOut } from "./way-out.ts";
