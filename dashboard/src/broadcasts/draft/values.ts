import type { Channel } from "@tidings/contract/facts/activity";
import type { BroadcastInput, BroadcastPatch } from "@tidings/contract/messages/broadcasts";
import type { EditionsInput, RulesInput } from "@tidings/contract/messages/sendings";
import type { Broadcast } from "../broadcast.ts";

/** A saved audience, or a filter; neither while none is chosen. */
export type AudienceValue = Pick<BroadcastInput, "audience_id" | "audience">;

export type DraftValues = {
  name: string;
  audience: AudienceValue;
  /** What people get, as one field: parts of two versions of it would make no sense together. */
  editions: EditionsInput;
  /** Empty for no limit. */
  rate_per_second: number | "";
} & Required<RulesInput>;

export const emptyValues: DraftValues = {
  name: "",
  audience: {},
  editions: {},
  rate_per_second: "",
  holdout_percent: 0,
  topic_id: null,
  tracking: { opens: false, clicks: false },
  subscription_preference: "subscribed",
  when_held: "wait",
};

export function valuesOf(broadcast: Broadcast): DraftValues {
  const { name, audience_id, audience, rate_per_second } = broadcast;
  return {
    name,
    audience: audience_id === null ? { ...(audience && { audience }) } : { audience_id },
    editions: editionsOf(broadcast),
    rate_per_second: rate_per_second ?? "",
    holdout_percent: broadcast.holdout_percent,
    topic_id: broadcast.topic_id,
    tracking: broadcast.tracking,
    subscription_preference: broadcast.subscription_preference,
    when_held: broadcast.when_held,
  };
}

/** Returns the editions as one writes them: without the versions that sending fixed. */
function editionsOf({ message_id, content, locales, variants }: Broadcast): EditionsInput {
  if (variants) return { variants: variants.map((one) => ({ ...one, ...written(one), ...localesOf(one.locales) })) };
  return { ...written({ message_id, content }), ...localesOf(locales) };
}

type Stored = NonNullable<Broadcast["locales"]>[string];

function written({ message_id, content }: { message_id?: string | null; content?: Stored["content"] | null }) {
  const { template_version: _, ...own } = content ?? {};
  return { ...(message_id && { message_id }), ...(content && { content: own }) };
}

const localesOf = (locales: Broadcast["locales"] | undefined) =>
  locales && { locales: Object.fromEntries(Object.entries(locales).map(([tag, one]) => [tag, written(one)])) };

const rules = ["holdout_percent", "topic_id", "tracking", "subscription_preference", "when_held"] as const;
export const rulesOf = (values: DraftValues): Required<RulesInput> =>
  Object.fromEntries(rules.map((name) => [name, values[name]])) as Required<RulesInput>;

/** The body of a change. `typed` are the fields that were. */
export const patchOf = (values: DraftValues, typed: readonly (keyof DraftValues)[]): BroadcastPatch => ({
  ...(typed.includes("name") && { name: values.name }),
  ...(typed.includes("audience") && values.audience),
  ...(typed.includes("editions") && editionsPatch(values.editions)),
  ...(typed.includes("rate_per_second") && {
    rate_per_second: values.rate_per_second === "" ? null : values.rate_per_second,
  }),
  ...Object.fromEntries(rules.filter((name) => typed.includes(name)).map((name) => [name, values[name]])),
});

/** One form replaces the other; without languages, those of before are gone. */
const editionsPatch = ({ variants, ...one }: EditionsInput): EditionsInput =>
  variants ? { variants } : { ...one, locales: one.locales ?? null };

/** The body that makes it. */
export const inputOf = (channel: Channel, values: DraftValues): BroadcastInput => {
  const fields = Object.keys(values) as (keyof DraftValues)[];
  // A null that says nothing would be in each call that somebody copies.
  const given = Object.entries(patchOf(values, fields)).filter(([, value]) => value !== null);
  return { channel, ...(Object.fromEntries(given) as Omit<BroadcastInput, "channel">) };
};

/** Returns the place in the form for a pointer of the service. */
export function fieldOf(pointer: string): string {
  const place = pointer.replace(/^\//, "");
  if (/^(?:content|message_id|locales|variants)(?:\/|$)/.test(place)) return `editions/${place}`;
  return place === "audience_id" ? "audience" : place;
}

export const steps = ["audience", "content", "settings", "review"] as const;
export type Step = (typeof steps)[number];

/** The step that shows a field; undefined for the name, which all of them do. */
export function stepOf(field: string): Step | undefined {
  if (field === "name") return undefined;
  if (field === "audience") return "audience";
  return field === "editions" ? "content" : "settings";
}
