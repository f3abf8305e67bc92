/** Errors of what is sent, and of what sends it. */
export const messages = {
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
      "The call changes a setting that decides where a provider's or destination's credentials are sent: repeat the credentials in the same call.",
  },
  provider_refused: { status: 422, title: "Provider refused", means: "The provider did not accept the test." },
} as const;
