import { type Examples, one } from "./example.ts";

export const workspaceExamples: Examples = {
  patchWorkspace: {
    limits: {
      summary: "At most two messages a day that are not transactional, and none at night",
      value: { marketing_limits: { per_day: 2, window: { from: "08:00", to: "20:00" } } },
    },
    sender: {
      summary: "Who emails come from",
      value: { sender_defaults: { email_from: "Example <hello@example.com>" }, timezone: "Europe/Zurich" },
    },
  },
  createApiKey: {
    public: { summary: "For applications", value: { kind: "public", name: "iOS app" } },
    narrowed: {
      summary: "For a back end that only sends",
      value: { kind: "secret", name: "Order service", scopes: ["send"], expires_at: "2027-12-31T23:59:59.000Z" },
    },
  },
  postApiKeyRoll: one("The old key works for another day", { overlap: { amount: 1, unit: "days" } }),
  createSigningSecret: one("It has no fields", {}),
  createWebhook: one("What became of emails", {
    url: "https://example.com/webhooks/tidings",
    types: ["email.delivered", "email.bounced", "person.unsubscribed"],
    description: "CRM",
  }),
  createExportDestination: {
    s3: {
      summary: "Parquet files in a bucket, with all that is there already",
      value: {
        name: "Warehouse",
        kind: "s3",
        settings: { bucket: "acme-warehouse", region: "eu-central-1", prefix: "tidings", format: "parquet" },
        credentials: { access_key_id: "AKIDEXAMPLE", secret_access_key: "wJalrXUtnFEMI/EXAMPLEKEY" },
        from: "beginning",
      },
    },
    clickhouse: {
      summary: "Deliveries and events in ClickHouse, from now on",
      value: {
        name: "ClickHouse",
        kind: "clickhouse",
        settings: { url: "https://clickhouse.example.com:8443", database: "tidings", user: "tidings" },
        credentials: { password: "correct horse battery staple" },
        tables: ["deliveries", "events"],
      },
    },
  },
  patchExportDestination: one("Pause it", { enabled: false }),
  patchWebhook: one("Enable it again", { enabled: true }),
  postWebhookSecret: one("The previous secret also signs for a day", { overlap_hours: 24 }),
  postWebhookReplay: one("All events since this morning", { since: "2026-11-23T06:00:00.000Z" }),
};
