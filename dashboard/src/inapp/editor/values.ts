import type { CtaAction, InAppMessageInput, RenderType } from "@tidings/contract/inapp/definition";
import type { Static } from "typebox";
import type { LiquidScope } from "../../content/liquid/scope.ts";
import type { Message } from "../message.ts";
import { type Length, typedLength } from "../rules/length.ts";

export const actions = ["deep_link", "custom", "dismiss"] as const satisfies readonly Static<typeof CtaAction>[];
const NORMAL = 50;

/** A step of a campaign may send it: then the content can name what caused that. */
export const IN_APP: LiquidScope = { trigger: {} };

/** What the editor has of a message; each name is the pointer of its field. */
export type MessageValues = {
  name: string;
  render_type: RenderType;
  title: string;
  body: string;
  image_url: string;
  /** Empty where the message has no button. */
  "cta/action": Static<typeof CtaAction> | "";
  "cta/label": string;
  "cta/value": string;
  priority: number | string;
  expiry: Length | null;
  "screens/include": string[];
  "screens/exclude": string[];
  "quiet_hours/enabled": boolean;
  "quiet_hours/timezone_mode": "workspace" | "device";
  "quiet_hours/start": string;
  "quiet_hours/end": string;
  "persistence/mode": Message["persistence"]["mode"];
  "persistence/per": Message["persistence"]["per"];
  /** Empty where there is no limit. */
  "persistence/max_impressions": number | string;
  "persistence/min_interval": Length | null;
};
export type Name = keyof MessageValues;

export interface Quiet {
  timezone_mode: "workspace" | "device";
  start: string;
  end: string;
}
const NIGHT: Quiet = { timezone_mode: "device", start: "22:00", end: "08:00" };

/** What a new message starts from: the workspace's own quiet hours, where it has some. */
export const emptyValues = (quiet: Quiet | null): MessageValues => ({
  name: "",
  render_type: "modal",
  title: "",
  body: "",
  image_url: "",
  "cta/action": "",
  "cta/label": "",
  "cta/value": "",
  priority: NORMAL,
  expiry: null,
  "screens/include": [],
  "screens/exclude": [],
  "quiet_hours/enabled": quiet !== null,
  ...quietValues(quiet ?? NIGHT),
  "persistence/mode": "one_time",
  "persistence/per": "person",
  "persistence/max_impressions": "",
  "persistence/min_interval": null,
});

const quietValues = ({ timezone_mode, start, end }: Quiet) => ({
  "quiet_hours/timezone_mode": timezone_mode,
  "quiet_hours/start": start,
  "quiet_hours/end": end,
});

export function valuesOf(
  message: Omit<Message, "id" | "version" | "warnings" | "used_by" | "created_at" | "updated_at">,
): MessageValues {
  const { cta, screens, quiet_hours: quiet, persistence } = message;
  return {
    name: message.name,
    render_type: message.render_type,
    title: message.title ?? "",
    body: message.body,
    image_url: message.image_url ?? "",
    "cta/action": cta?.action ?? "",
    "cta/label": cta?.label ?? "",
    "cta/value": cta?.value ?? "",
    priority: message.priority,
    expiry: message.expiry,
    "screens/include": screens.include,
    "screens/exclude": screens.exclude,
    "quiet_hours/enabled": quiet?.enabled ?? false,
    ...quietValues(quiet ?? NIGHT),
    "persistence/mode": persistence.mode,
    "persistence/per": persistence.per,
    "persistence/max_impressions": persistence.max_impressions ?? "",
    "persistence/min_interval": persistence.min_interval,
  };
}

/** Returns the message that is typed, as the service takes it. */
export function inputOf(values: MessageValues): InAppMessageInput {
  const action = values["cta/action"];
  return {
    name: values.name,
    render_type: values.render_type,
    title: values.title || null,
    body: values.body,
    image_url: values.image_url || null,
    cta: action
      ? { label: values["cta/label"], action, ...(action !== "dismiss" && { value: values["cta/value"] }) }
      : null,
    priority: typedNumber(values.priority) ?? Number.NaN,
    expiry: typedLength(values.expiry),
    screens: { include: values["screens/include"], exclude: values["screens/exclude"] },
    quiet_hours: values["quiet_hours/enabled"]
      ? {
          enabled: true,
          timezone_mode: values["quiet_hours/timezone_mode"],
          start: values["quiet_hours/start"],
          end: values["quiet_hours/end"],
        }
      : null,
    persistence: {
      mode: values["persistence/mode"],
      per: values["persistence/per"],
      max_impressions: typedNumber(values["persistence/max_impressions"]),
      min_interval: typedLength(values["persistence/min_interval"]),
    },
  };
}

/** A number as it was typed; null where nothing was. */
const typedNumber = (typed: number | string): number | null => (typed === "" ? null : Number(typed));

/** Returns the fields of the message to which what was typed belongs: objects are sent whole. */
export function changedOf(values: MessageValues, typed: readonly Name[]): Partial<InAppMessageInput> {
  const fields = new Set(typed.map((name) => name.split("/")[0]));
  return Object.fromEntries(Object.entries(inputOf(values)).filter(([field]) => fields.has(field)));
}

/** Whether the message can be drawn: the service renders none without a text, or with half a button. */
export const isDrawable = (values: MessageValues): boolean =>
  values.body !== "" &&
  (values["cta/action"] === "" ||
    (values["cta/label"].trim() !== "" && (values["cta/action"] === "dismiss" || values["cta/value"].trim() !== "")));

/** Returns the values with another kind. A card must stay in the inbox after it was seen; the other kinds mostly show once. */
export function withKind(values: MessageValues, kind: RenderType): Partial<MessageValues> {
  const was = values.render_type === "inbox_card";
  const is = kind === "inbox_card";
  if (was === is) return { render_type: kind };
  return { render_type: kind, "persistence/mode": is ? "persistent_until_dismissed" : "one_time" };
}
