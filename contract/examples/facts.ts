import { type Examples, one } from "./example.ts";

export const factsExamples: Examples = {
  postIdentify: {
    attributes: {
      summary: "A person signed up",
      value: {
        person_id: "user-42",
        attributes: { email: "ada@example.com", first_name: "Ada", plan: "pro", timezone: "Europe/Zurich" },
      },
    },
    removed: {
      summary: "An attribute is removed",
      value: { person_id: "user-42", attributes: { nickname: null } },
    },
  },
  postTrack: {
    event: {
      summary: "A person ordered something",
      value: {
        person_id: "user-42",
        eventName: "order_placed",
        properties: { order_id: "A-1001", total: 49.9 },
        event_id: "order-A-1001",
      },
    },
    screen_view: {
      summary: "A person opened a screen: its name goes to the screen catalog",
      value: { person_id: "user-42", eventName: "screen_view", properties: { screen: "checkout/cart" } },
    },
  },
  postBatch: one("A person and an event", {
    items: [
      { type: "identify", person_id: "user-42", attributes: { plan: "pro" } },
      { type: "track", person_id: "user-42", eventName: "plan_changed", properties: { from: "free" } },
    ],
  }),
  putDevices: {
    android: {
      summary: "A phone, by its FCM token",
      value: { person_id: "user-42", platform: "android", token: "fcm-token-of-the-device", app_version: "5.2.0" },
    },
    web: {
      summary: "A browser, by its PushSubscription",
      value: {
        person_id: "user-42",
        platform: "web",
        subscription: {
          endpoint: "https://push.example.com/send/abc",
          keys: {
            p256dh: "BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM",
            auth: "tBHItJI5svbpez7KI4CCXg",
          },
        },
      },
    },
  },
  deleteDevices: one("A person signed out on a phone", { person_id: "user-42", token: "fcm-token-of-the-device" }),
  postPersonMerge: one("Another id of the same person goes on", { into: "user-42" }),
};
