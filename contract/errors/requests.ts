/** Errors that any request can get, whatever it is about. */
export const requests = {
  invalid_request: {
    status: 400,
    title: "Invalid request",
    means: "The body or a parameter has the wrong shape; `errors` names each field.",
  },
  not_found: { status: 404, title: "Not found", means: "There is no such route or resource in this workspace." },
  conflict: {
    status: 409,
    title: "Conflict",
    means: "Another resource of the workspace already has this unique name, or still uses the resource to be deleted.",
  },
  changed_meanwhile: {
    status: 412,
    title: "Changed meanwhile",
    means:
      "The resource no longer has an ETag of `If-Match`; `changed_by` and `changed_at` say who changed it and when.",
  },
  limit_reached: {
    status: 409,
    title: "Limit reached",
    means: "The workspace already has the largest allowed number of these.",
  },
  idempotency_in_progress: {
    status: 409,
    title: "Idempotent request in progress",
    means: "The first request with this Idempotency-Key is still running.",
  },
  payload_too_large: {
    status: 413,
    title: "Payload too large",
    means: "The body, or an event's properties, is over its limit.",
  },
  unsupported_media_type: {
    status: 415,
    title: "Unsupported media type",
    means: "The body is not of the kind that the route takes, which is JSON on most.",
  },
  idempotency_key_reused: {
    status: 422,
    title: "Idempotency key reused",
    means: "This Idempotency-Key was used with another body.",
  },
  headers_too_large: {
    status: 431,
    title: "Headers too large",
    means: "The address and the headers of the request have more than 16 KiB together.",
  },
  request_timeout: { status: 408, title: "Request timeout", means: "The request did not arrive in time." },
  rate_limited: {
    status: 429,
    title: "Rate limited",
    means:
      "The workspace's own limit for this group of routes, or for new people of public keys, is reached; Retry-After says when to repeat.",
  },
  busy: {
    status: 429,
    title: "Busy",
    means:
      "The workspace has too many expensive requests at once (previews, counts, lists, exports, imports), or this one took too long; Retry-After says when to repeat.",
  },
  internal_error: {
    status: 500,
    title: "Internal error",
    means: "The service failed; its log has the reason under the request id.",
  },
  unavailable: {
    status: 503,
    title: "Unavailable",
    means: "The database does not answer or can't write because its disk is full, or the service is stopping.",
  },
} as const;
