import { type Examples, ids, one } from "./example.ts";

const seen = { person_id: "user-42", screen: "checkout/cart", platform: "ios", app_version: "5.2.0" };

export const inAppExamples: Examples = {
  postInAppMessageImpression: one("The message became visible", seen),
  postInAppMessageClick: one("The person tapped the button", { ...seen, action_id: "primary" }),
  postInAppMessageDismiss: one("The person closed the message", { ...seen, reason: "close_button" }),
  postInAppMessageRead: one("The person opened the card", { person_id: "user-42" }),
  postInAppMessageUnread: one("The person marked the card as unread", { person_id: "user-42" }),
  postInAppMessagesInteractions: one("What happened while the device was offline", {
    person_id: "user-42",
    items: [
      {
        delivery_id: ids.delivery,
        type: "impression",
        event_id: "0b8f0a2c-1",
        ts: "2026-11-23T09:00:00.000Z",
        screen: "Home",
      },
      { delivery_id: ids.delivery, type: "dismiss", event_id: "0b8f0a2c-2", ts: "2026-11-23T09:00:04.000Z" },
    ],
  }),
  createInAppMessage: {
    modal: {
      summary: "A modal in the checkout, not at night",
      value: {
        name: "Spring offer",
        render_type: "modal",
        title: "Hi {{person.first_name}}",
        body: "Ten percent off until Sunday.",
        image_url: "https://cdn.example.com/spring.png",
        cta: { label: "Open", action: "deep_link", value: "app://offers" },
        priority: 75,
        expiry: { amount: 3, unit: "days" },
        screens: { include: ["checkout/*"], exclude: ["checkout/pay"] },
        quiet_hours: { enabled: true, timezone_mode: "device", start: "22:00", end: "08:00" },
        persistence: {
          mode: "persistent_until_dismissed",
          max_impressions: 5,
          min_interval: { amount: 6, unit: "hours" },
        },
      },
    },
    card: {
      summary: "A card in the inbox",
      value: { name: "Release notes", render_type: "inbox_card", title: "What is new", body: "Dark mode is here." },
    },
  },
  patchInAppMessage: one("Another text and a higher priority", {
    body: "Ten percent off until Monday.",
    priority: 100,
  }),
  postInAppMessagePreview: one("As a made-up person sees it", { person: { first_name: "Ada" } }),
  postInAppMessagesPreviewDraft: one("A text that is not saved yet, as one person sees it", {
    message: { name: "Spring offer", render_type: "modal", title: "Hi {{person.first_name}}", body: "20 % off" },
    person_id: "user-42",
  }),
  postInAppMessageTestSends: one("To one person", { person_id: "user-42" }),
};
