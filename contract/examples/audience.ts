import { type Examples, one } from "./example.ts";

const buyers = {
  all: [
    { attribute: "plan", op: "eq", value: "pro" },
    { event: "order_placed", op: "performed", count: { gte: 2 }, within: { amount: 30, unit: "days" } },
  ],
};

export const audienceExamples: Examples = {
  createAudience: {
    filter: { summary: "Whoever a filter matches", value: { name: "Pro customers who buy", filter: buyers } },
    list: { summary: "A list that you fill", value: { name: "Beta testers", kind: "list" } },
  },
  patchAudience: one("Another name", { name: "Loyal pro customers" }),
  postAudiencesPreview: one("Two conditions", { filter: buyers }),
  createTopic: one("People get it until they unsubscribe", { name: "Product news", default: "subscribed" }),
  patchTopic: one("A sentence for the preference page", { description: "Once a month." }),
  patchPersonSubscriptions: one("No text messages", { channels: { sms: false } }),
  createSuppression: one("An address that complained elsewhere", {
    channel: "email",
    address: "ada@example.com",
    reason: "complaint",
  }),
};
