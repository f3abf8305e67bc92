import { until } from "../../../server/test/support/wait.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
export type Send = (method: Method, path: string, body?: unknown) => Promise<any>;

/** What the addresses of detail pages need. */
export interface Sample {
  person: string;
  /** A delivery of an email that was captured. */
  delivery: string;
  failed: string;
  audience: string;
  message: string;
  campaign: string;
  /** Sent. */
  broadcast: string;
  /** A draft with two variants and a language. */
  draft: string;
  webhook: string;
  destination: string;
  /** Of browsers: nothing of the sample goes there. */
  provider: string;
  topic: string;
  transactional: string;
  template: string;
  layout: string;
  snippet: string;
}

const NAMES = [
  ["Mara", "Lindqvist", "Europe/Stockholm"],
  ["Jonas", "Weber", "Europe/Berlin"],
  ["Priya", "Raman", "Asia/Kolkata"],
  ["Tomás", "Herrera", "Europe/Madrid"],
  ["Aiko", "Tanaka", "Asia/Tokyo"],
  ["Léa", "Moreau", "Europe/Paris"],
  ["Samuel", "Okafor", "Africa/Lagos"],
  ["Nora", "Haugen", "Europe/Oslo"],
  ["Daniel", "Kowalski", "Europe/Warsaw"],
  ["Grace", "Whitfield", "America/New_York"],
  ["Ilse", "Vermeulen", "Europe/Brussels"],
  ["Ravi", "Menon", "Asia/Kolkata"],
] as const;
const UNREACHABLE = "cus_4090";
const DAY_MS = 86_400_000;
const plain = (text: string) =>
  text
    .normalize("NFD")
    .replaceAll(/[^a-z]/gi, "")
    .toLowerCase();

export const idOf = (i: number): string => `cus_${4_101 + i * 37}`;

const ORDER = `<div style="font-family:Georgia,serif;max-width:560px;margin:0 auto;padding:32px 24px;color:#2b2118">
<p style="letter-spacing:.12em;text-transform:uppercase;font-size:12px;color:#8a5a2b">Northwind Coffee</p>
<h1 style="font-size:26px;margin:8px 0 16px">Thank you, {{person.first_name}}</h1>
<p>We roast your order <b>{{trigger.number}}</b> tomorrow morning and hand it to the post at noon.</p>
<table style="width:100%;border-collapse:collapse;margin:24px 0">{% for line in trigger.lines %}
<tr><td style="padding:8px 0;border-bottom:1px solid #e7ddd0">{{line.name}}</td>
<td style="padding:8px 0;border-bottom:1px solid #e7ddd0;text-align:right">{{line.price}}</td></tr>{% endfor %}</table>
<p><a href="https://northwind.example/orders/{{trigger.number}}" style="color:#8a5a2b">Follow your order</a></p></div>`;

/** A small shop: people, what they did, and a message of each kind. Everything by the routes that its own back end would call. */
export async function makeSample(send: Send, people: number = NAMES.length): Promise<Sample> {
  const now = Date.now();
  const all = Array.from({ length: people }, (_, i) => i);
  const facts = all.map((i) => factsOf(i, now));
  await send("POST", "/data-gateway/v1/batch", { items: facts.map(([who]) => who) });
  const authored = await author(send);
  await send("POST", "/data-gateway/v1/batch", { items: facts.flatMap(([, ...done]) => done) });
  for (const i of all) await order(send, i);
  // Without an address: her welcome fails.
  const elif = { type: "identify", person_id: UNREACHABLE, attributes: { first_name: "Elif", last_name: "Demir" } };
  const begins = { type: "track", person_id: UNREACHABLE, eventName: "subscription_started", properties: {} };
  await send("POST", "/data-gateway/v1/batch", { items: [elif, begins] });
  await send("POST", "/data-gateway/transactionals/sms", {
    identifiers: { id: idOf(1) },
    body: "Your parcel arrives today.",
  });
  const failed = `/api/v1/deliveries?status=failed&person_id=${UNREACHABLE}`;
  await until(async () => (await send("GET", failed)).data.length > 0, "the failure of the sample");
  const queued = "/api/v1/deliveries?status=queued&channel=email";
  await until(async () => (await send("GET", queued)).data.length === 0, "the sending of the sample");
  const sent = await send("GET", `/api/v1/deliveries?channel=email&person_id=${idOf(1)}`);
  return { person: idOf(1), delivery: sent.data[0].id, failed: (await send("GET", failed)).data[0].id, ...authored };
}

function factsOf(i: number, now: number): object[] {
  const [first, last, timezone] = NAMES[i % NAMES.length] as (typeof NAMES)[number];
  const person_id = idOf(i);
  const number = i < NAMES.length ? "" : String(i);
  const attributes = {
    first_name: first,
    last_name: last,
    email: `${plain(first)}.${plain(last)}${number}@example.com`,
    phone: `+49170555${String(1_000 + i)}`,
    plan: ["one bag", "two bags", "office"][i % 3],
    timezone,
    customer_since: new Date(now - (i + 3) * 9 * DAY_MS).toISOString().slice(0, 10),
  };
  const track = (eventName: string, daysAgo: number, properties: object) => ({
    type: "track",
    person_id,
    eventName,
    ts: new Date(now - daysAgo * DAY_MS - i * 3_600_000).toISOString(),
    properties,
  });
  const screen = ["Home", "home", "/home", "Checkout/Cart", "Account"][i % 5];
  return [
    { type: "identify", person_id, attributes },
    track("order_placed", i % 6, { total: 18 + (i % 4) * 7.5, currency: "EUR", bags: 1 + (i % 3) }),
    track("subscription_started", 8 + (i % 5), { plan: attributes.plan }),
    track("screen_view", 0, { screen }),
  ];
}

const lettered = (subject: string) => ({
  from: "Northwind Coffee <hello@northwind.example>",
  subject,
  body: '<p>Dear {{person.first_name}}, <a href="https://northwind.example/harvest">taste them</a>.</p>',
});
const letter = (name: string, subject: string, locales?: object) => ({
  name,
  weight: 1,
  content: lettered(subject),
  ...(locales && { locales }),
});

async function author(send: Send): Promise<Omit<Sample, "person" | "delivery" | "failed">> {
  const topic = await send("POST", "/api/v1/topics", { name: "New roasts", default: "subscribed" });
  await send("POST", "/api/v1/suppressions", { channel: "email", address: "returned@example.com" });
  const filter = { attribute: "plan", op: "eq", value: "office" };
  const audience = await send("POST", "/api/v1/audiences", { name: "Offices", filter });
  const message = await send("POST", "/api/v1/in-app-messages", HARVEST);
  const webhook = await send("POST", "/api/v1/webhooks", { url: "https://hooks.northwind.example/tidings" });
  const destination = await send("POST", "/api/v1/export-destinations", {
    name: "Warehouse",
    kind: "s3",
    settings: { bucket: "northwind-warehouse", region: "eu-central-1" },
    credentials: { access_key_id: "AKIDNORTHWIND", secret_access_key: "a secret" },
  });
  const settings = { subject: "mailto:hello@northwind.example" };
  const browsers = { name: "Browsers", channel: "push", kind: "webpush", settings };
  const provider = await send("POST", "/api/v1/providers", browsers);
  return {
    provider: provider.id,
    audience: audience.id,
    message: message.id,
    webhook: webhook.id,
    destination: destination.id,
    topic: topic.id,
    transactional: (await send("POST", "/api/v1/transactionals", CONFIRMATION)).id,
    ...(await authorBroadcasts(send, { audience: audience.id, message: message.id, topic: topic.id })),
    campaign: await authorCampaign(send, message.id),
    ...(await authorTemplates(send)),
  };
}

const CONFIRMATION = {
  name: "Order confirmation",
  trigger_name: "order_confirmation",
  channel: "email",
  subscription_preference: "all",
  content: {
    from: "Northwind Coffee <hello@northwind.example>",
    subject: "Your order {{trigger.number}}",
    body: ORDER,
  },
};
const HARVEST = {
  name: "Spring harvest",
  render_type: "modal",
  title: "The spring harvest is here, {{person.first_name}}",
  body: "Three new lots from Huila, roasted light.",
  cta: { label: "Taste them", action: "deep_link", value: "northwind://harvest" },
  expiry: { amount: 3, unit: "days" },
  screens: { include: ["Home", "Checkout/*"], exclude: [] },
};

async function authorBroadcasts(
  send: Send,
  { audience, message, topic }: Pick<Sample, "audience" | "message" | "topic">,
): Promise<Pick<Sample, "broadcast" | "draft">> {
  const shown = { name: "Spring harvest, in the app", channel: "in_app", audience_id: audience, message_id: message };
  const broadcast = await send("POST", "/api/v1/broadcasts", shown);
  await send("POST", `/api/v1/broadcasts/${broadcast.id}/send`, {});
  const draft = await send("POST", "/api/v1/broadcasts", {
    name: "Letter of the harvest",
    channel: "email",
    audience: { subscribed: true },
    holdout_percent: 10,
    topic_id: topic,
    tracking: { opens: true, clicks: true },
    variants: [
      letter("A", "The harvest is here", { de: { content: lettered("Die Ernte ist da") } }),
      letter("B", "Three new lots from Huila"),
    ],
  });
  return { broadcast: broadcast.id, draft: draft.id };
}

async function authorCampaign(send: Send, message: string): Promise<string> {
  const campaign = await send("POST", "/api/v1/campaigns", {
    name: "Welcome of subscribers",
    trigger: { type: "event", name: "subscription_started" },
    reentry: "always",
    steps: [
      {
        id: "hello",
        type: "message",
        channel: "email",
        content: { subject: "Welcome, {{person.first_name}}", body: "<p>Your first bag is on its way.</p>" },
      },
      { id: "pause", type: "wait", for: { amount: 3, unit: "days" } },
      { id: "harvest", type: "message", channel: "in_app", message_id: message },
    ],
  });
  await send("POST", `/api/v1/campaigns/${campaign.id}/activate`, {});
  return campaign.id;
}

async function authorTemplates(send: Send): Promise<Pick<Sample, "template" | "layout" | "snippet">> {
  const closing = { name: "closing", body: "<mj-text>Your roasters in Oslo</mj-text>" };
  const snippet = await send("POST", "/api/v1/snippets", closing);
  const layout = await send("POST", "/api/v1/email-layouts", {
    name: "Northwind",
    body: `<mjml><mj-body background-color="#f6f2ec">{{ content }}<mj-section><mj-column>
  <mj-text color="#5d5245"><a href="{{ unsubscribe_url }}">Unsubscribe</a></mj-text>
</mj-column></mj-section></mj-body></mjml>`,
  });
  const template = await send("POST", "/api/v1/email-templates", {
    name: "Shipped",
    subject: "Your order {{ trigger.number }} is on its way",
    layout_id: layout.id,
    body: `<mj-section background-color="#ffffff">
  <mj-column>
    <mj-text font-size="22px">Thank you, {{ person.first_name | default: "friend" }}</mj-text>
    <mj-button href="https://northwind.example/orders/{{ trigger.number }}" background-color="#8a5a2b">Follow your order</mj-button>
    {% snippet "closing" %}
  </mj-column>
</mj-section>
`,
  });
  await send("PATCH", `/api/v1/email-templates/${template.id}`, { preheader: "Freshly roasted" });
  return { template: template.id, layout: layout.id, snippet: snippet.id };
}

export async function order(send: Send, i: number): Promise<void> {
  const lines = [
    { name: "Huila, washed, 350 g", price: "14.50 €" },
    { name: "Sidamo, natural, 350 g", price: "16.00 €" },
  ];
  await send("POST", "/data-gateway/transactionals/email", {
    transactional_message_id: "order_confirmation",
    identifiers: { id: idOf(i) },
    message_data: { number: `NW-${20_418 + i}`, lines: lines.slice(i % 2) },
  });
}
