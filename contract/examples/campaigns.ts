import { type Examples, ids, one } from "./example.ts";

const waiting = { filter: { step: "pause", state: "waiting" } };

export const campaignExamples: Examples = {
  createCampaign: one("A welcome in the application, and an email to whoever has not ordered after two days", {
    name: "Welcome",
    trigger: { type: "event", name: "signed_up" },
    reentry: "once",
    steps: [
      { id: "hello", type: "message", channel: "in_app", message_id: ids.message },
      {
        id: "order",
        type: "wait_until",
        event: "order_placed",
        timeout: { amount: 2, unit: "days" },
        counts_from: "entry",
        else: [{ id: "mail", type: "message", channel: "email", content: { template_id: ids.template } }],
      },
    ],
    goal: { event: "order_placed", within: { amount: 14, unit: "days" } },
  }),
  patchCampaign: one("Another name", { name: "Welcome 2027" }),
  postCampaignActivate: one("People inside move to the new version", { inside: "move" }),
  postCampaignsWebhookSecret: one("The previous secret also signs for a day", { overlap_hours: 24 }),
  postCampaignRuns: one("A person enters", {
    person_id: "user-42",
    data: { order_id: "A-1001" },
    cancellation_key: "order-A-1001",
  }),
  postCampaignRunsCancel: one("The order was canceled", { cancellation_key: "order-A-1001" }),
  postCampaignRunMove: one("To another step", { step_id: "mail" }),
  postCampaignRunsMove: one("Whoever waits at a step", { ...waiting, step_id: "mail" }),
  postCampaignRunsSkip: one("Whoever waits at a step", waiting),
  postCampaignRunsRetry: one("Whoever failed at a step", { filter: { step: "mail", state: "failed" } }),
  postCampaignRunsEnd: one("All active runs", { all: true }),
  postCampaignSimulate: one("A person who orders after a day", {
    person: { first_name: "Ada", email: "ada@example.com" },
    start: "2027-03-01T09:00:00.000Z",
    events: [
      { at: "2027-03-01T09:00:00.000Z", eventName: "signed_up" },
      { at: "2027-03-02T09:00:00.000Z", eventName: "order_placed", properties: { total: 49.9 } },
    ],
  }),
  postCampaignReplay: one("The events of the last week", { days: 7 }),
};
