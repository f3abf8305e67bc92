import { type Static, Type } from "typebox";
import { Closed, Instant, Line, ListOf, Name, Nullable, OneOf, Tagged } from "./primitives.ts";

// The people who use the dashboard: their sign-in, their sessions, and the workspaces that they are members of.

export const roles = ["owner", "editor", "viewer"] as const;
export const Role = OneOf([...roles], {
  description:
    "`viewer`: what a key with the scope `read` may do. `editor`: also `author`, `send` and `ingest`. `owner`: everything, and who is a member.",
});
export type Role = Static<typeof Role>;

const Email = Line(320, { minLength: 3 });
/** The rules about its content are the service's own; 1,000 characters keep a long one from costing time. */
const NewPassword = Type.String({ minLength: 12, maxLength: 1_000 });
const GivenPassword = Type.String({ minLength: 1, maxLength: 1_000 });
/** A one-time link's token. */
const Token = Line(200, { minLength: 1 });
const Code = Line(40, {
  minLength: 1,
  description: "Six digits of the authenticator application, or a recovery code.",
});

export const Setup = Type.Object({ needed: Type.Boolean({ description: "Whether the service has no member yet." }) });
export const SetupInput = Closed({ token: Token, email: Email, password: NewPassword, name: Type.Optional(Name) });
export const SignInInput = Closed({ email: Email, password: GivenPassword, code: Type.Optional(Code) });

const sessionFields = {
  id: Type.String(),
  created_at: Instant,
  expires_at: Instant,
  idle_expires_at: Type.Unsafe<string>({ ...Instant, description: "It ends then if it is not used until then." }),
};
export const SessionAnswer = Type.Object({
  member: Type.Object({
    id: Type.String(),
    email: Type.String(),
    name: Nullable(Type.String()),
    second_factor: Type.Boolean(),
  }),
  workspaces: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), role: Role })),
  session: Type.Object(sessionFields),
});
export type SessionAnswer = Static<typeof SessionAnswer>;
export const SessionList = Type.Object({
  data: Type.Array(
    Type.Object({
      ...sessionFields,
      current: Type.Boolean({ description: "Whether it is the session of this request." }),
      used_at: Type.Unsafe<string>({ ...Instant, description: "When it was last used, to the minute." }),
      address: Nullable(Type.String({ description: "The network address that signed in." })),
      agent: Nullable(Type.String({ description: "What the browser said that it is." })),
    }),
  ),
});

export const PasswordInput = Closed({ current_password: GivenPassword, new_password: NewPassword });
export const PasswordResetInput = Closed({ email: Email });
export const PasswordResetCompletion = Closed({ token: Token, new_password: NewPassword });
export const MemberNamePatch = Closed({ name: Nullable(Name) });

const memberFields = {
  id: Type.String(),
  email: Type.String(),
  name: Nullable(Type.String()),
  role: Role,
  status: OneOf(["active", "invited"], {
    description: "`invited`: the link of the invitation has not been used yet.",
  }),
  second_factor: Type.Boolean({ description: "Whether a code is asked for at each sign-in with a password." }),
  invitation_expires_at: Nullable(Instant),
  created_at: Instant,
};
export const Member = Type.Object(memberFields);
export const MemberInput = Closed({ email: Email, role: Role });
export const MemberPatch = Closed({ role: Role });
export const MemberInvited = Type.Object({
  ...memberFields,
  invite_url: Type.String({ description: "Shown only once, also where the invitation was mailed. Valid for 7 days." }),
  mailed: Type.Boolean({
    description: "Whether the invitation also goes out by email: where the workspace has a real email provider.",
  }),
});
export const MemberList = ListOf(Tagged(Member));
export const InvitationAcceptance = Closed({
  token: Token,
  name: Type.Optional(Name),
  password: Type.Optional(NewPassword),
});

export const SecondFactor = Type.Object({
  secret: Type.String({ description: "In base32, to type. It counts once a code of it has been confirmed." }),
  uri: Type.String({ description: "`otpauth://...`, to show as a QR code." }),
});
export const SecondFactorConfirmation = Closed({ code: Line(40, { minLength: 1 }) });
export const RecoveryCodes = Type.Object({
  recovery_codes: Type.Array(Type.String(), { description: "Shown only once. Each works once, in place of a code." }),
});
export const PasswordProof = Closed({ password: GivenPassword });

/** What a browser's credential functions take and give; `@simplewebauthn/server` reads and checks each field. */
const WebAuthn = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: "object", additionalProperties: true, description });
export const PasskeyProof = Closed({
  password: Type.Optional(
    Type.Unsafe<string>({ ...GivenPassword, description: "Needed, unless this session began in the last 10 minutes." }),
  ),
});
export const PasskeyOptions = Type.Object({
  options: WebAuthn("For `PublicKeyCredential.parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON`."),
});
const Credential = WebAuthn("`toJSON()` of the credential that the browser returned.");
export const PasskeyInput = Closed({ name: Type.Optional(Name), credential: Credential });
export const Passkey = Type.Object({
  id: Type.String(),
  name: Type.String(),
  created_at: Instant,
  used_at: Nullable(Instant),
});
export const PasskeyList = Type.Object({ data: Type.Array(Passkey) });
export const PasskeySignIn = Closed({ credential: Credential });

const RoleMapping = Closed(
  {
    claim: Line(200, { minLength: 1, description: "A claim of the ID token: a text or a list of texts." }),
    roles: Closed({
      owner: Type.Optional(Type.Array(Line(200), { maxItems: 50 })),
      editor: Type.Optional(Type.Array(Line(200), { maxItems: 50 })),
      viewer: Type.Optional(Type.Array(Line(200), { maxItems: 50 })),
    }),
    otherwise: Type.Optional(
      Nullable(
        OneOf([...roles], { description: "The role of everybody else; null or left out: nobody else may enter." }),
      ),
    ),
  },
  { description: "Which values of the claim give which role. The highest one counts, at each sign-in." },
);
export type RoleMapping = Static<typeof RoleMapping>;
const oidcFields = {
  issuer: Line(500, { minLength: 8, description: "The address under which the provider publishes its configuration." }),
  client_id: Line(500, { minLength: 1 }),
  role_mapping: Nullable(RoleMapping),
};
export const OidcInput = Closed({
  ...oidcFields,
  client_secret: Type.Optional(Line(1_000, { minLength: 1, description: "Write-only. Left out: it stays." })),
});
export type OidcInput = Static<typeof OidcInput>;
export const Oidc = Type.Object({
  ...oidcFields,
  client_secret_changed_at: Nullable(Instant),
  redirect_uri: Type.String({ description: "Enter it at the provider." }),
  start_url: Type.String({ description: "Where members of this workspace begin to sign in." }),
});
