import type { Transactional as TransactionalShape } from "@tidings/contract/messages/transactionals";
import type { Static } from "typebox";
import { type Content, textIn } from "../../content/channels/content.ts";
import type { TransactionalChannel } from "../search.ts";

export type Transactional = Static<typeof TransactionalShape>;

const FIELDS = {
  email: ["subject", "preheader", "body", "plaintext_body", "from", "reply_to"],
  push: ["title", "message", "image_url", "link"],
  sms: ["body", "to"],
} as const satisfies Record<TransactionalChannel, readonly string[]>;

/** The fields of all channels, each at its place in the body: so a refusal finds its field, and two people can change different ones. */
export type ContentField = (typeof FIELDS)[TransactionalChannel][number];
type ContentValues = { [field in `content/${ContentField}`]: string } & {
  /** Null where the email has its own HTML, empty where no template is chosen yet. */
  "content/template_id": string | null;
};

export interface TransactionalValues extends ContentValues {
  [name: string]: unknown;
  name: string;
  trigger_name: string;
  channel: TransactionalChannel;
  subscription_preference: Transactional["subscription_preference"];
  topic_id: string | null;
  "tracking/opens": boolean;
  "tracking/clicks": boolean;
  at_most_once: boolean;
}

const contentFields = [...new Set(Object.values(FIELDS).flat())];

/** Returns the fields of a content, those that it does not have as empty texts. */
export function contentValuesOf(content: Content): ContentValues {
  const fields = contentFields.map((field) => [`content/${field}`, textIn(content, field)]);
  const template = typeof content.template_id === "string" ? content.template_id : null;
  return { ...Object.fromEntries(fields), "content/template_id": template };
}

/** Returns the content for the service: of the channel only, without what is empty and not required. */
export function contentOf(values: TransactionalValues): Content {
  const template = values.channel === "email" ? values["content/template_id"] : null;
  const required =
    template !== null ? [] : { email: ["subject", "body"], push: ["title", "message"], sms: ["body"] }[values.channel];
  const own = FIELDS[values.channel].filter(
    (field) => template === null || !(field === "body" || field === "plaintext_body"),
  );
  const texts = own
    .map((field) => [field, values[`content/${field}`]] as const)
    .filter(([field, text]) => text !== "" || (required as string[]).includes(field));
  return { ...(template !== null && { template_id: template }), ...Object.fromEntries(texts) };
}

export const valuesOf = (of: Transactional): TransactionalValues => ({
  name: of.name,
  trigger_name: of.trigger_name ?? "",
  channel: of.channel,
  subscription_preference: of.subscription_preference,
  topic_id: of.topic_id,
  "tracking/opens": of.tracking.opens,
  "tracking/clicks": of.tracking.clicks,
  at_most_once: of.at_most_once,
  ...contentValuesOf(of.content),
});

export const emptyValues: TransactionalValues = {
  name: "",
  trigger_name: "",
  channel: "email",
  subscription_preference: "subscribed",
  topic_id: null,
  "tracking/opens": false,
  "tracking/clicks": false,
  at_most_once: false,
  ...contentValuesOf({}),
};

/** The body that makes one. */
export const inputOf = (values: TransactionalValues) => ({
  name: values.name,
  ...(values.trigger_name.trim() !== "" && { trigger_name: values.trigger_name }),
  channel: values.channel,
  subscription_preference: values.subscription_preference,
  ...(values.topic_id !== null && { topic_id: values.topic_id }),
  ...(values.channel === "email" &&
    (values["tracking/opens"] || values["tracking/clicks"]) && { tracking: trackingOf(values) }),
  ...(values.at_most_once && { at_most_once: true }),
  content: contentOf(values),
});

const trackingOf = (values: TransactionalValues) => ({
  opens: values["tracking/opens"],
  clicks: values["tracking/clicks"],
});

/** The body that changes one: what was typed. */
export function patchOf(values: TransactionalValues, typed: readonly string[]) {
  const begins = (part: string) => typed.some((name) => name.startsWith(part));
  const whole = { ...values, trigger_name: values.trigger_name.trim() === "" ? null : values.trigger_name };
  const plain = ["name", "trigger_name", "subscription_preference", "topic_id", "at_most_once"] as const;
  return {
    ...Object.fromEntries(plain.filter((name) => typed.includes(name)).map((name) => [name, whole[name]])),
    ...(begins("tracking/") && { tracking: trackingOf(values) }),
    ...(begins("content/") && { content: contentOf(values) }),
  };
}
