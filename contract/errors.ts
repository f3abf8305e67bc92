/**
 * Every error code that the service answers, with its status, its title and its meaning. docs/errors.md shows the same
 * list, and a test checks that the two and the code agree.
 */
export const errors = {
  invalid_request: {
    status: 400,
    title: "Invalid request",
    means: "The body or a parameter has the wrong shape; `errors` names each field.",
  },
  unauthenticated: {
    status: 401,
    title: "Unauthenticated",
    means: "The API key is missing, wrong, revoked or expired, or the session has ended.",
  },
  sign_in_failed: {
    status: 401,
    title: "Sign-in failed",
    means: "The email address, the password or the code is wrong; the answer does not say which.",
  },
  second_factor_required: {
    status: 401,
    title: "Second factor required",
    means: "The password is right, and the account also needs a `code` of its authenticator.",
  },
  fresh_sign_in_required: {
    status: 403,
    title: "Fresh sign-in required",
    means: "It needs the own password in the call, or a session that began in the last 10 minutes.",
  },
  not_permitted: {
    status: 403,
    title: "Not permitted",
    means: "The role of the member in this workspace, or the way they signed in, does not allow this.",
  },
  cross_site_request: {
    status: 403,
    title: "Cross-site request",
    means: "Another site made the browser send a request with a session, or it does not say where it comes from.",
  },
  person_token_missing: {
    status: 401,
    title: "Person token missing",
    means: "The workspace requires a person token (X-Person-Token) with a public key, and the call has none.",
  },
  person_token_invalid: {
    status: 401,
    title: "Person token invalid",
    means:
      "The person token is not signed by a live signing secret, is for another person, or runs for more than 24 hours.",
  },
  person_token_expired: {
    status: 401,
    title: "Person token expired",
    means: "Fetch a new person token and repeat the call.",
  },
  key_not_permitted: {
    status: 403,
    title: "Key not permitted",
    means:
      "The call needs a secret key, the secret key lacks the needed scope, or a secret key was sent in an address.",
  },
  callback_unverified: {
    status: 401,
    title: "Callback unverified",
    means: "The signature or password of a provider's callback is wrong; nothing has changed.",
  },
  callback_not_configured: {
    status: 403,
    title: "Callback not configured",
    means: "The provider lacks the secret that its callbacks are verified with; docs/providers.md says which.",
  },
  workspace_suspended: {
    status: 403,
    title: "Workspace suspended",
    means: "The operator has suspended this workspace. Its queued messages wait, and are canceled after 24 hours.",
  },
  not_found: { status: 404, title: "Not found", means: "There is no such route or resource in this workspace." },
  delivery_not_found: { status: 404, title: "Delivery not found", means: "This person has no delivery with this id." },
  transactional_not_found: {
    status: 404,
    title: "Transactional not found",
    means: "No transactional of this workspace has this id or trigger name.",
  },
  template_not_found: {
    status: 404,
    title: "Template not found",
    means: "No email template of this workspace has this id.",
  },
  person_not_found: {
    status: 404,
    title: "Person not found",
    means: "The workspace has no person with this person_id.",
  },
  person_erased: {
    status: 409,
    title: "Person erased",
    means: "The person was erased in the last 30 days. This call does not create them again; identify does.",
  },
  person_busy: {
    status: 409,
    title: "Person busy",
    means:
      "Messages to the person, or batches of a broadcast, are being sent at this moment; Retry-After says when to repeat.",
  },
  ambiguous_recipient: {
    status: 409,
    title: "Ambiguous recipient",
    means: "Several people have this address (`people` says how many), and it is not verified for exactly one of them.",
  },
  same_person: {
    status: 422,
    title: "Same person",
    means: "A person can't be merged into themselves.",
  },
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
  wrong_status: {
    status: 409,
    title: "Wrong status",
    means: "The status of the broadcast, campaign or run does not allow this; the detail names those that do.",
  },
  already_entered: {
    status: 409,
    title: "Already entered",
    means: "The person has entered this campaign before, and its `reentry` does not let them in again now.",
  },
  runs_inside: {
    status: 409,
    title: "Runs inside",
    means: "The journey of the campaign changed while people are in it: say with `inside` what becomes of them.",
  },
  limit_reached: {
    status: 409,
    title: "Limit reached",
    means: "The workspace already has the largest allowed number of these.",
  },
  setup_done: {
    status: 409,
    title: "Set-up done",
    means: "The first member of the service has been made already.",
  },
  last_owner: {
    status: 409,
    title: "Last owner",
    means: "The workspace would have no owner left: make another member an owner first.",
  },
  webhook_disabled: {
    status: 409,
    title: "Webhook disabled",
    means: "The endpoint is disabled; enable it before you send events to it again.",
  },
  delivery_not_resendable: {
    status: 409,
    title: "Delivery not resendable",
    means: "The delivery is not finished yet, or its recipient does not want it.",
  },
  delivery_not_cancelable: {
    status: 409,
    title: "Delivery not cancelable",
    means: "The delivery is being sent, or has already ended.",
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
  channel_mismatch: {
    status: 422,
    title: "Channel mismatch",
    means: "The transactional or delivery belongs to another channel than the route.",
  },
  image_refused: {
    status: 422,
    title: "Image refused",
    means: "The file is damaged, or no PNG, JPEG, GIF, WebP or AVIF that can be shown; the detail says what to do.",
  },
  image_too_large: {
    status: 422,
    title: "Image too large",
    means: "The image has too many pixels or frames, or decoding it takes too long.",
  },
  recipient_missing: {
    status: 422,
    title: "Recipient missing",
    means: "The person has no address for this channel, and the call contains none.",
  },
  recipient_invalid: { status: 422, title: "Recipient invalid", means: "The address or number is not a valid one." },
  content_missing: {
    status: 422,
    title: "Content missing",
    means: "A part that the channel needs (subject, body, sender) is missing.",
  },
  message_data_missing: {
    status: 422,
    title: "Message data missing",
    means: "The content uses trigger fields that the call does not contain.",
  },
  message_data_invalid: {
    status: 422,
    title: "Message data invalid",
    means:
      "The call contains trigger fields of another type than the content uses, such as a text where it repeats over a list.",
  },
  template_error: {
    status: 422,
    title: "Template error",
    means: "The Liquid of the content does not parse or render; the detail has line and column.",
  },
  campaign_invalid: {
    status: 422,
    title: "Campaign invalid",
    means: "The campaign can't be activated; `errors` has every problem with its step.",
  },
  not_replayable: {
    status: 422,
    title: "Not replayable",
    means: "People enter the campaign by calls, of which the last days have no record, so there is nothing to replay.",
  },
  audience_circle: {
    status: 422,
    title: "Audience circle",
    means: "The filter of an audience contains that audience itself, through the audiences in it.",
  },
  audience_empty: {
    status: 422,
    title: "Audience empty",
    means: "The broadcast's audience is empty now; `allow_empty` sends it anyway.",
  },
  audience_too_complex: {
    status: 422,
    title: "Audience too complex",
    means: "The filter, with the audiences in it, has too many conditions or is nested too deep.",
  },
  audience_not_a_list: {
    status: 422,
    title: "Audience not a list",
    means: "Only to an audience of kind list can people be added, by hand or by an import.",
  },
  link_invalid: {
    status: 422,
    title: "Link invalid",
    means: "A one-time link (set-up, invitation, new password) is wrong, used or expired.",
  },
  password_refused: {
    status: 422,
    title: "Password refused",
    means: "The new password is one of those that are guessed first; the detail says why.",
  },
  passkey_refused: {
    status: 422,
    title: "Passkey refused",
    means: "The passkey that the browser made can't be verified, or is known already.",
  },
  code_wrong: {
    status: 422,
    title: "Code wrong",
    means: "The code does not belong to the secret of the second factor, or has expired.",
  },
  in_app_disabled: { status: 422, title: "In-app disabled", means: "The workspace setting allow_in_app is off." },
  address_not_allowed: {
    status: 422,
    title: "Address not allowed",
    means: "The address to call is not on the public internet.",
  },
  content_not_retained: {
    status: 422,
    title: "Content not retained",
    means: "The delivery's content was not kept, so it can't be sent again.",
  },
  credentials_missing: {
    status: 422,
    title: "Credentials missing",
    means:
      "The call changes a setting that decides where a provider's credentials are sent: repeat the credentials in the same call.",
  },
  provider_refused: { status: 422, title: "Provider refused", means: "The provider did not accept the test." },
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
} as const satisfies Record<string, { status: number; title: string; means: string }>;

export type ErrorCode = keyof typeof errors;
