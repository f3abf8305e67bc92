import { type Static, Type } from "typebox";
import { listing, MOST_COUNTED } from "../lists.ts";
import { Closed, Dictionary, Instant, JsonObject, Line, Nullable, OneOf, Open, PersonId } from "../primitives.ts";

export const Identify = Open({
  person_id: PersonId,
  attributes: Type.Optional(
    Dictionary(Type.Unknown(), {
      description:
        "Merged into what is known; null removes. `email`, `phone`, `timezone`, `locale` and `subscribed` are known by name. With a public key, an `email` or `phone` that the person token does not carry is kept as a claim.",
    }),
  ),
  ts: Type.Optional(
    Type.Unsafe<string>({
      ...Instant,
      description:
        "When the attributes were true: those reported for a later time stay. Default: now, also for a time ahead.",
    }),
  ),
});
export type Identify = Static<typeof Identify>;
export const Identified = Type.Object({ person_id: Type.String(), created: Type.Boolean() });

export const Platform = OneOf(["ios", "android", "web"]);
const token = Line(4096, { minLength: 1 });
export const DeviceInput = Open({
  person_id: PersonId,
  platform: Platform,
  token: Type.Optional(token),
  subscription: Type.Optional(
    Open(
      {
        endpoint: Line(2048, { pattern: "^https://[^\\p{Cc}\\p{Cs}\\s]+$", "x-says": "must be an https address" }),
        keys: Open({ p256dh: Line(200, { minLength: 1 }), auth: Line(100, { minLength: 1 }) }),
      },
      { description: "For web: the PushSubscription as the browser returns it." },
    ),
  ),
  app_version: Type.Optional(Line(100)),
});
export type DeviceInput = Static<typeof DeviceInput>;
export const DeviceRegistered = Type.Object({ device_id: Type.String() });
export const DeviceRemoval = Open({ person_id: PersonId, token });

export const Person = Type.Object({
  person_id: Type.String(),
  email: Nullable(Type.String()),
  phone: Nullable(Type.String()),
  email_verified: Type.Boolean({
    description: "True if a secret key, or a person token with the claim `email`, reported it.",
  }),
  phone_verified: Type.Boolean({
    description: "True if a secret key, or a person token with the claim `phone`, reported it.",
  }),
  claimed_email: Nullable(
    Type.String({
      description: "An address that an application reported without proof by a token. Nothing uses it.",
    }),
  ),
  claimed_phone: Nullable(Type.String()),
  timezone: Nullable(Type.String()),
  locale: Nullable(Type.String()),
  subscribed: Type.Boolean(),
  attributes: JsonObject,
  created_at: Instant,
  updated_at: Instant,
});
export const PersonMerge = Closed({
  into: Type.Unsafe<string>({ ...PersonId, description: "The person_id of the person who stays." }),
});
export const PersonList = listing({
  item: Person,
  finds: "the beginning of the person_id, the email, the phone number or a name, in any case",
  mostQ: 256,
  sorts: ["updated_at", "created_at", "email"],
  defaultSort: "-updated_at",
  mostCounted: MOST_COUNTED,
});
export const Device = Type.Object({
  id: Type.String(),
  platform: Platform,
  token: Type.String(),
  app_version: Nullable(Type.String()),
  created_at: Instant,
  last_used_at: Instant,
  disabled_at: Nullable(
    Type.Unsafe<string>({ ...Instant, description: "When a push provider reported that the token is dead." }),
  ),
});
export const DeviceList = Type.Object({ data: Type.Array(Device), next_cursor: Type.Null() });
