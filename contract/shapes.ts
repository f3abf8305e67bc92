import type { TSchema } from "typebox";
import { FilterShape, PropertyFilterShape } from "./audience/filter-shape.ts";
import { triggerShapes } from "./campaigns/campaigns.ts";
import { StepFilterShape } from "./campaigns/filters.ts";
import { stepShapes } from "./campaigns/steps.ts";
import { Track } from "./facts/ingest.ts";
import { Identify } from "./facts/people.ts";
import { InteractionItem } from "./inapp/messages.ts";
import { type ProviderKind, providerKinds } from "./messages/providers.ts";
import {
  EmailContent,
  EmailTrigger,
  PushContent,
  PushTrigger,
  SmsContent,
  SmsTrigger,
  TemplateContent,
} from "./messages/transactionals.ts";

// Shapes in the OpenAPI document for fields that a slice validates itself: the schema of such a field names a shape by `x-shape`, or
// by `x-variants` one for each value of a neighbouring field. Validation reads neither. Answers have the fields of a shape in its order.

interface Shape {
  properties?: Record<string, object>;
  required?: string[];
}

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const either = (names: string[], description: string) => ({ description, anyOf: names.map(ref) });

/** A call's body as an item among others: its kind is a field of the item. */
const item = (title: string, field: string, value: string, { properties, required = [], ...rest }: Shape) => ({
  title,
  ...rest,
  properties: { [field]: { const: value }, ...properties },
  required: [field, ...required],
});

const kinds = Object.keys(providerKinds) as ProviderKind[];
const named = (kind: string, what: string): string => kind.charAt(0).toUpperCase() + kind.slice(1) + what;
const ofKinds = (what: "settings" | "credentials", Name: string): Record<string, TSchema> =>
  Object.fromEntries(kinds.map((kind) => [named(kind, Name), providerKinds[kind][what]]));

const settings = ofKinds("settings", "Settings");
const credentials = ofKinds("credentials", "Credentials");

/** Names each shape by its type: `wait_until` becomes `WaitUntilStep`. */
const typed = (all: Record<string, object>, what: string): Record<string, object> =>
  Object.fromEntries(
    Object.entries(all).map(([type, shape]) => [
      type.split("_").reduce((name, word) => name + word.charAt(0).toUpperCase() + word.slice(1), "") + what,
      shape,
    ]),
  );
const steps = typed(stepShapes, "Step");
const triggers = typed(triggerShapes, "Trigger");

/** The schemas that `x-shape` names, for `components.schemas`. */
export const shapes: Record<string, object> = {
  Filter: FilterShape,
  PropertyFilter: PropertyFilterShape,
  StepFilter: StepFilterShape,
  ...steps,
  ...triggers,
  Step: either(
    Object.keys(steps),
    "As its `type` has it; docs/campaigns.md has each. Those of a draft may lack fields, also in a content.",
  ),
  Trigger: either(Object.keys(triggers), "What lets people in, as its `type` has it."),
  EmailContent,
  TemplateContent,
  PushContent,
  SmsContent,
  Content: either(
    ["EmailContent", "TemplateContent", "PushContent", "SmsContent"],
    "As the channel needs it: of an email itself or by its template, of a push, of a text message.",
  ),
  Interaction: InteractionItem,
  IngestionItem: { oneOf: [item("identify", "type", "identify", Identify), item("track", "type", "track", Track)] },
  TriggerItem: {
    oneOf: [
      item("email", "channel", "email", EmailTrigger),
      item("push", "channel", "push", PushTrigger),
      item("sms", "channel", "sms", SmsTrigger),
    ],
  },
  ...settings,
  ...credentials,
  ProviderSettings: either(Object.keys(settings), "As the provider's kind needs them."),
  ProviderCredentials: either(Object.keys(credentials), "As the provider's kind needs them."),
};

const contentOf = { email: ["EmailContent", "TemplateContent"], push: ["PushContent"], sms: ["SmsContent"] };

/** A provider of one kind. Fields that the service makes if they are left out (`x-made`) are optional. */
function ofKind(kind: ProviderKind): object {
  const parts = Object.entries({ settings: "Settings", credentials: "Credentials" }).map(([part, Name]) => {
    const name = named(kind, Name);
    const shape = shapes[name] as Shape;
    const all = shape.required ?? [];
    const needed = all.filter((field) => !("x-made" in (shape.properties?.[field] ?? {})));
    return { part, needed, schema: needed.length === all.length ? ref(name) : { ...shape, required: needed } };
  });
  return {
    title: kind,
    properties: {
      kind: { const: kind },
      channel: { enum: [...providerKinds[kind].channels] },
      ...Object.fromEntries(parts.map(({ part, schema }) => [part, schema])),
    },
    required: ["kind", "channel", ...parts.filter(({ needed }) => needed.length > 0).map(({ part }) => part)],
  };
}

/** The schemas that `x-variants` names: one for each value of a field, each with the fields that all of them have. */
export const variants: Record<string, object[]> = {
  channel: Object.entries(contentOf).map(([channel, names]) => ({
    title: channel,
    properties: {
      channel: { const: channel },
      content: names.length > 1 ? { anyOf: names.map(ref) } : ref(names[0] ?? ""),
    },
    required: ["channel", "content"],
  })),
  kind: kinds.map(ofKind),
};
