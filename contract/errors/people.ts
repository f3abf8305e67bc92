/** Errors of people, of their addresses and of audiences. */
export const people = {
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
  recipient_missing: {
    status: 422,
    title: "Recipient missing",
    means: "The person has no address for this channel, and the call contains none.",
  },
  recipient_invalid: { status: 422, title: "Recipient invalid", means: "The address or number is not a valid one." },
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
} as const;
