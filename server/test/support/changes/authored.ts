export const content = { subject: "Hi", body: "Hello", from: "a@example.test" };
/** What people author: the path of the list, what to create, and a change of it. `made` has the ids of those before, by path. */
export const authored: Record<
  string,
  { type: string; input: (made: Record<string, string>) => object; patch: object }
> = {
  "/transactionals": {
    type: "transactional",
    input: () => ({ name: "Receipt", channel: "email", subscription_preference: "all", content }),
    patch: { content: { ...content, subject: "Hello" } },
  },
  "/email-layouts": { type: "email_layout", input: () => ({ name: "L", body: "{{ content }}" }), patch: { name: "M" } },
  "/snippets": { type: "snippet", input: () => ({ name: "foot", body: "x" }), patch: { body: "y" } },
  "/email-templates": {
    type: "email_template",
    input: () => ({ name: "T", subject: "S", body: "<p>b</p>" }),
    patch: { subject: "S2" },
  },
  "/in-app-messages": {
    type: "in_app_message",
    input: () => ({ name: "M", render_type: "modal", body: "b" }),
    patch: { body: "c" },
  },
  "/audiences": { type: "audience", input: () => ({ name: "A", filter: { all: [] } }), patch: { name: "B" } },
  "/topics": { type: "topic", input: () => ({ name: "News", default: "subscribed" }), patch: { description: "d" } },
  "/broadcasts": {
    type: "broadcast",
    input: (made) => ({ name: "B", channel: "in_app", audience: { all: [] }, message_id: made["/in-app-messages"] }),
    patch: { name: "C" },
  },
  "/campaigns": {
    type: "campaign",
    input: () => ({ name: "C", trigger: { type: "api" }, steps: [] }),
    patch: { name: "D" },
  },
  "/providers": {
    type: "provider",
    input: () => ({ channel: "sms", kind: "local", name: "P" }),
    patch: { priority: 3 },
  },
  "/export-destinations": {
    type: "export_destination",
    input: () => ({
      name: "Warehouse",
      kind: "s3",
      settings: { bucket: "warehouse", region: "eu-central-1" },
      credentials: { access_key_id: "AKIDEXAMPLE", secret_access_key: "hunter2-hunter2" },
    }),
    patch: { interval_seconds: 5 },
  },
  "/webhooks": { type: "webhook", input: () => ({ url: "https://hooks.example/a" }), patch: { description: "d" } },
};
