/** Errors of who calls, and of what they may do. */
export const callers = {
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
    means: "The call needs the member's own password, or a session that began in the last 10 minutes.",
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
} as const;
