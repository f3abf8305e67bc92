import { type Examples, ids, one } from "./example.ts";

export const messageExamples: Examples = {
  postTransactionalsEmail: {
    template: {
      summary: "By a saved transactional",
      value: {
        transactional_message_id: "order_confirmation",
        identifiers: { email: "ada@example.com" },
        message_data: { order_id: "A-1001", total: "49.90" },
      },
    },
    raw: {
      summary: "With content in the call",
      value: {
        identifiers: { id: "user-42" },
        to: "ada@example.com",
        subject: "Your code",
        body: "<p>Your code is 123 456.</p>",
        disable_message_retention: true,
      },
    },
  },
  postEmailTemplatesPreviewTexts: one("Texts that are not saved, for a person", {
    subject: "Order {{trigger.order_id}}",
    body: "<p>Thank you, {{person.first_name}}.</p>",
    person_id: "user-42",
    message_data: { order_id: "A-1001" },
  }),
  postEmailTemplateTestSends: one("To yourself, as a person would get it", {
    person_id: "user-42",
    to: "me@example.com",
    message_data: { order_id: "A-1001" },
  }),
  patchMediaItem: one("Say what a picture shows", { name: "Logo", alt: "The logo of Acme" }),
  postTransactionalsPush: one("By a saved transactional, to the device that was used last", {
    transactional_message_id: "parcel_delivered",
    identifiers: { id: "user-42" },
    message_data: { place: "the front door" },
    to: "last_used",
  }),
  postTransactionalsSms: one("With content in the call", {
    identifiers: { phone: "+41790000000" },
    body: "Your table is ready.",
  }),
  postTransactionalsBatch: one("Two messages on two channels", {
    items: [
      {
        channel: "email",
        transactional_message_id: "order_confirmation",
        identifiers: { id: "user-42" },
        message_data: { order_id: "A-1001" },
      },
      { channel: "sms", identifiers: { id: "user-43" }, body: "Your table is ready." },
    ],
  }),
  postTransactionalsDraftPreview: one("A text message that is being written", {
    channel: "sms",
    content: { body: "Hi {{person.first_name}}, your code is {{trigger.code}}." },
    person: { first_name: "Ada" },
    message_data: { code: "123 456" },
  }),
  postTransactionalSend: one("Try it on a person", {
    person_id: "user-42",
    message_data: { order_id: "A-1001", total: "49.90" },
  }),
  createTransactional: {
    email: {
      summary: "An email with content of its own",
      value: {
        name: "Order confirmation",
        trigger_name: "order_confirmation",
        subscription_preference: "all",
        channel: "email",
        content: {
          from: "shop@example.com",
          subject: "Order {{trigger.order_id}}",
          body: "<p>Thank you, {{person.first_name}}.</p>",
        },
      },
    },
    template: {
      summary: "An email from a template",
      value: {
        name: "Welcome",
        subscription_preference: "subscribed",
        channel: "email",
        content: { template_id: ids.template },
      },
    },
    push: {
      summary: "A push with a link into the application",
      value: {
        name: "Parcel delivered",
        trigger_name: "parcel_delivered",
        subscription_preference: "all",
        channel: "push",
        content: { title: "Your parcel is here", message: "It is at {{trigger.place}}.", link: "app://parcels" },
      },
    },
  },
  patchTransactional: one("Count opens and clicks", { tracking: { opens: true, clicks: true } }),
  postTransactionalPreview: one("With made-up data", {
    person: { first_name: "Ada" },
    message_data: { order_id: "A-1001" },
  }),
  createEmailTemplate: {
    html: {
      summary: "HTML",
      value: {
        name: "Welcome",
        subject: "Welcome, {{person.first_name}}",
        preheader: "Three things to begin with",
        body: "<h1>Welcome</h1><p>Good to have you here.</p>",
      },
    },
    mjml: {
      summary: "MJML",
      value: {
        name: "Digest",
        subject: "Your week",
        format: "mjml",
        body: "<mjml><mj-body><mj-section><mj-column><mj-text>Hello</mj-text></mj-column></mj-section></mj-body></mjml>",
      },
    },
  },
  patchEmailTemplate: one("Another subject", { subject: "Good to have you here, {{person.first_name}}" }),
  postEmailTemplatePreview: one("For a person of the workspace", { person_id: "user-42" }),
  createEmailLayout: one("A layout around the content", {
    name: "Default",
    body: "<html><body>{{ content }}<p>Example Ltd, 8000 Zurich</p></body></html>",
  }),
  patchEmailLayout: one("Another name", { name: "Newsletter" }),
  createSnippet: one("A text that templates share", { name: "signature", body: "<p>Your Example team</p>" }),
  patchSnippet: one("Another text", { body: "<p>The Example team</p>" }),
  createBroadcast: {
    in_app: {
      summary: "An in-app message to an audience",
      value: { name: "Spring offer", channel: "in_app", audience_id: ids.audience, message_id: ids.message },
    },
    email: {
      summary: "An email to people by a filter, of whom 10 % get nothing",
      value: {
        name: "Newsletter",
        channel: "email",
        audience: { attribute: "plan", op: "eq", value: "pro" },
        content: { from: "news@example.com", subject: "News", body: "<p>Hello {{person.first_name}}</p>" },
        topic_id: ids.topic,
        holdout_percent: 10,
      },
    },
  },
  patchBroadcast: one("Send at most ten a second", { rate_per_second: 10 }),
  postBroadcastSend: one("Also if nobody would get it", { allow_empty: true }),
  postBroadcastSchedule: one("At nine in the morning of each person", {
    send_at: "2027-03-01T09:00:00.000Z",
    local_time: true,
  }),
  postBroadcastPreview: one("For a person of the workspace", { person_id: "user-42" }),
  postBroadcastTestSends: one("To one person", { person_id: "user-42" }),
  createProvider: one("A mail server", {
    name: "Our mail server",
    channel: "email",
    kind: "smtp",
    settings: { host: "smtp.example.com", port: 587, user: "tidings" },
    credentials: { password: "a-password" },
  }),
  patchProvider: one("Ask this provider first", { priority: 1 }),
  postProvidersOrder: one("Ask the second one first", {
    channel: "email",
    providers: ["prv_01jx2m8q4vfx0r3t5w7y9abcde", "prv_01jx2m7n3tew9q2s4v6x8zabcd"],
  }),
  postProviderTest: one("Send a test message", { to: "ada@example.com" }),
};
