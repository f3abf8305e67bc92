import { button, card, each, emailOf, line, row, type Saying, small, subtitle, title, when, words } from "./frame.ts";
import type { galleryTexts } from "./texts.ts";

type Data = Record<string, unknown>;

/** A template to start from. */
export interface Start {
  name: keyof typeof galleryTexts;
  hint: keyof typeof galleryTexts;
  use: "service" | "marketing";
  subject: (t: Saying) => string;
  preheader: (t: Saying) => string;
  /** MJML. */
  body: (t: Saying) => string;
  /** What the call gives it, for example. */
  data: Data;
}

const ITEMS = [
  { name: "Notebook, dotted", price: "€ 12.00" },
  { name: "Pencil, HB", price: "€ 1.50" },
];
const URL = "{{ trigger.url }}";
const bought = each("item", "trigger.items", row("{{ item.name }}", "{{ item.price }}"));

const service = (name: Start["name"] & string, data: Data, sections: (t: Saying) => string[]): Start => ({
  ...base(name, "service", sections),
  data: { url: "https://shop.example/orders/1042", ...data },
});
const marketing = (name: Start["name"] & string, data: Data, sections: (t: Saying) => string[]): Start => ({
  ...base(name, "marketing", sections),
  data,
});

function base(name: string, use: Start["use"], sections: (t: Saying) => string[]): Omit<Start, "data"> {
  const key = (name === "newsletter" ? "news" : name) as "receipt";
  return {
    name: name as Start["name"],
    hint: `${name}Hint` as Start["hint"],
    use,
    subject: (t) => t(`${key}Subject`),
    preheader: (t) => t(`${key}Preheader`),
    body: (t) => emailOf(t, t(`${key}Subject`), sections(t), use),
  };
}

/** Ten emails that most products send. */
export const starts: readonly Start[] = [
  service("receipt", { order: "1042", total: "€ 13.50", items: ITEMS }, (t) => [
    card(title(t("receiptTitle")), words(`${t("hi")} ${t("receiptBody")}`), line),
    bought,
    row(t("total"), "{{ trigger.total }}", true),
    card(button(t("receiptOpen"), URL), small(t("receiptHelp"))),
  ]),
  service("reset", { minutes: 30 }, (t) => [
    card(
      title(t("resetTitle")),
      words(`${t("hi")} ${t("resetBody")}`),
      button(t("resetOpen"), URL),
      line,
      small(t("resetHelp")),
      small(t("orCopy")),
    ),
  ]),
  service("welcome", {}, (t) => [
    card(
      title(t("welcomeTitle")),
      words(`${t("hi")} ${t("welcomeBody")}`),
      words(t("welcomeSteps")),
      button(t("welcomeOpen"), URL),
      small(t("welcomeHelp")),
    ),
  ]),
  service("verify", { code: "482 913" }, (t) => [
    card(
      title(t("verifyTitle")),
      words(`${t("hi")} ${t("verifyBody")}`),
      button(t("verifyOpen"), URL),
      words(t("verifyCode")),
      '<mj-text css-class="ink" font-size="28px" line-height="36px" font-weight="600" letter-spacing="4px">{{ trigger.code }}</mj-text>',
      line,
      small(t("verifyHelp")),
    ),
  ]),
  service("invitation", { inviter: "Grace Hopper", team: "Northwind" }, (t) => [
    card(
      title(t("invitationTitle")),
      words(`${t("hi")} ${t("invitationBody")}`),
      button(t("invitationOpen"), URL),
      line,
      small(t("invitationHelp")),
    ),
  ]),
  service("shipping", { order: "1042", carrier: "DHL", arrives: "Thursday", items: ITEMS }, (t) => [
    card(title(t("shippingTitle")), words(`${t("hi")} ${t("shippingBody")}`), button(t("shippingOpen"), URL)),
    when("trigger.items.size > 0", `${card(line, subtitle(t("shippingItems")))}\n${bought}`),
    card('<mj-spacer height="8px" />'),
  ]),
  service("trial", { ends: "on Friday", plan: "Pro", price: "€ 9 / month" }, (t) => [
    card(title(t("trialTitle")), words(`${t("hi")} ${t("trialBody")}`), line),
    row(t("trialPlan"), t("trialPrice"), true),
    card(button(t("trialOpen"), URL)),
  ]),
  service("payment", { amount: "€ 9.00", card: "4242", again: "on Monday" }, (t) => [
    card(title(t("paymentTitle")), words(`${t("hi")} ${t("paymentBody")}`), line),
    row(t("paymentDue"), "{{ trigger.amount }}", true),
    card(button(t("paymentOpen"), URL), small(t("paymentHelp"))),
  ]),
  marketing(
    "digest",
    {
      count: 12,
      url: "https://app.example",
      items: [
        { title: "Three new comments", text: "On “Plans for spring”", url: "https://app.example/1" },
        { title: "Grace joined the team", text: "Say hello", url: "https://app.example/2" },
      ],
    },
    (t) => [
      card(title(t("digestTitle")), words(`${t("hi")} ${t("digestBody")}`)),
      each(
        "item",
        "trigger.items",
        card(
          line,
          subtitle("{{ item.title }}"),
          words(`{{ item.text }}<br /><a href="{{ item.url }}" style="color: #0b5a50">${t("digestRead")}</a>`),
        ),
      ),
      card(button(t("digestOpen"), URL)),
    ],
  ),
  marketing("newsletter", {}, (t) => [
    card(
      title(t("newsTitle")),
      words(t("newsBody")),
      button(t("newsRead"), "https://example.com/story"),
      line,
      subtitle(t("newsMore")),
    ),
    `    <mj-section css-class="card" background-color="#ffffff" padding="0 0 24px">
      <mj-column>
        ${subtitle(t("newsOneTitle"))}
        ${words(t("newsOne"))}
      </mj-column>
      <mj-column>
        ${subtitle(t("newsTwoTitle"))}
        ${words(t("newsTwo"))}
      </mj-column>
    </mj-section>`,
  ]),
];
