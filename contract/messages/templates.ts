import { type Static, type TSchema, Type } from "typebox";
import { Actor } from "../audit.ts";
import { authoredSorts, listing } from "../lists.ts";
import { Closed, Instant, JsonObject, Line, ListOf, Name, Nullable, OneOf, PersonId } from "../primitives.ts";

const Body = (options: object = {}) => Type.String({ maxLength: 524_288, ...options });
const Subject = Line(2_000, { minLength: 1, description: "Supports Liquid; at most 255 characters after rendering." });
const Sender = Line(400, { minLength: 1, examples: ["Acme <hello@acme.test>"] });
const Format = OneOf(["html", "mjml"], {
  description: "Default: `mjml` for a body that begins with an MJML element, otherwise `html`.",
});
export type Format = Static<typeof Format>;

const SnippetName = Type.String({
  pattern: "^[a-z0-9][a-z0-9_-]{0,63}$",
  "x-says": "must have 1 to 64 lower-case letters, digits, `_` or `-`, and begin with a letter or a digit",
  description: "1 to 64 lower-case letters, digits, `_` or `-`, unique within the workspace and never changed.",
  examples: ["footer"],
});

const texts = {
  preheader: Nullable(Line(2_000, { description: "The line that inboxes show after the subject." })),
  plaintext: Nullable(Body({ description: "Null: derived from the HTML." })),
  layout_id: Nullable(Line(100, { description: "The layout around the body." })),
  from: Nullable(Sender),
  reply_to: Nullable(Sender),
};
const Warning = Type.Object({
  code: OneOf(["style_not_inlined"]),
  message: Type.String(),
  field: Type.String(),
});
export type TemplateWarning = Static<typeof Warning>;
const warnings = Type.Optional(
  Type.Array(Warning, {
    description: "Problems that the author should know. Absent if there are none, and in lists.",
  }),
);
const optional = <P extends Record<string, TSchema>>(properties: P) =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, Type.Optional(schema)])) as {
    [K in keyof P]: ReturnType<typeof Type.Optional<P[K]>>;
  };

export const EmailTemplateInput = Closed({
  name: Name,
  subject: Subject,
  body: Body({ minLength: 1, description: 'HTML or MJML, with Liquid and `{% snippet "name" %}`.' }),
  format: Type.Optional(Format),
  ...optional(texts),
});
export type EmailTemplateInput = Static<typeof EmailTemplateInput>;

export const EmailTemplatePatch = Closed({
  ...optional({ name: Name, subject: Subject, body: Body({ minLength: 1 }), format: Format }),
  ...optional(texts),
});
export type EmailTemplatePatch = Static<typeof EmailTemplatePatch>;

const VersionSummary = {
  version: Type.Integer(),
  cause: OneOf(["created", "edited", "restored", "layout_changed", "snippet_changed"]),
  subject: Type.String(),
  format: Format,
  created_at: Instant,
  created_by: Nullable(Actor),
};
export type Cause = Static<typeof VersionSummary.cause>;

export const EmailTemplateVersion = Type.Object({ ...VersionSummary, ...texts, body: Type.String() });
export const EmailTemplateVersionList = ListOf(Type.Object(VersionSummary));

const Summary = {
  id: Type.String(),
  version: Type.Integer({ description: "Increases by one with each change of the sent texts." }),
  name: Type.String(),
  subject: Type.String(),
  preheader: texts.preheader,
  format: Format,
  layout_id: texts.layout_id,
  from: texts.from,
  reply_to: texts.reply_to,
  snippets: Type.Array(Type.String(), {
    description: "Names of the snippets that it uses, also through its layout or other snippets.",
  }),
  created_at: Instant,
  updated_at: Instant,
};
export const EmailTemplate = Type.Object({ ...Summary, body: Type.String(), plaintext: texts.plaintext, warnings });
/** A template in lists, without the long texts. */
export const EmailTemplateList = listing({
  item: Type.Object(Summary),
  finds: "a part of the name or the subject, or the beginning of the id, in any case",
  sorts: authoredSorts,
  defaultSort: "-created_at",
  more: {
    layout_id: Type.Optional(Line(100, { description: "Only templates in this layout." })),
    snippet: Type.Optional(
      Line(64, { description: "Only templates that use the snippet of this name, also through others." }),
    ),
  },
});

const previewedFor = {
  person_id: Type.Optional(PersonId),
  person: Type.Optional(JsonObject),
  message_data: Type.Optional(JsonObject),
};
export const EmailTemplatePreviewInput = Closed(previewedFor);

/** A test goes to the person, or to another address as that person would get it. */
export const EmailTemplateTestSend = Closed({
  person_id: PersonId,
  to: Type.Optional(Line(400, { minLength: 1, description: "Another address than the person's, such as your own." })),
  message_data: Type.Optional(JsonObject),
});
export type EmailTemplateTestSend = Static<typeof EmailTemplateTestSend>;

/** Texts that need not be saved, and whom they are shown for. */
export const EmailTemplateTextsPreviewInput = Closed({
  subject: Type.Optional(Line(2_000)),
  body: Body({ minLength: 1 }),
  format: Type.Optional(Format),
  ...optional(texts),
  layout: Type.Optional(
    Closed(
      { body: Body({ minLength: 1 }), format: Type.Optional(Format) },
      { description: "The text of a layout that stands around the body instead of `layout_id`." },
    ),
  ),
  snippet: Type.Optional(
    Closed(
      { name: SnippetName, body: Body() },
      { description: "The text of a snippet, instead of what the snippet of this name has." },
    ),
  ),
  ...previewedFor,
});
export type EmailTemplateTextsPreviewInput = Static<typeof EmailTemplateTextsPreviewInput>;
const previewed = {
  subject: Type.String(),
  preheader: Nullable(Type.String()),
  body: Type.String({ description: "HTML." }),
  plaintext: Type.String(),
  from: Nullable(Type.String()),
  reply_to: Nullable(Type.String()),
  missing: Type.Array(Type.String(), { description: "Required trigger fields that are missing in the data." }),
};
export const EmailTemplatePreview = Type.Object({ version: Type.Integer(), ...previewed });
export const EmailTemplateTextsPreview = Type.Object({ format: Format, ...previewed, warnings });

export const EmailLayoutInput = Closed({
  name: Name,
  body: Body({ minLength: 1, description: "HTML or MJML with exactly one `{{ content }}`." }),
  format: Type.Optional(Format),
});
export type EmailLayoutInput = Static<typeof EmailLayoutInput>;
export const EmailLayoutPatch = Closed(optional({ name: Name, body: Body({ minLength: 1 }), format: Format }));
export type EmailLayoutPatch = Static<typeof EmailLayoutPatch>;

const stored = {
  id: Type.String(),
  version: Type.Integer(),
  name: Type.String(),
  created_at: Instant,
  updated_at: Instant,
};
export const EmailLayout = Type.Object({ ...stored, body: Type.String(), format: Format, warnings });
const part = {
  finds: "a part of the name, or the beginning of the id, in any case",
  sorts: authoredSorts,
  defaultSort: "-created_at",
};
export const EmailLayoutList = listing({ item: Type.Object({ ...stored, format: Format }), ...part });

export const SnippetInput = Closed({
  name: SnippetName,
  body: Body({ description: "The text that replaces the tag: HTML, MJML or Liquid." }),
});
export type SnippetInput = Static<typeof SnippetInput>;
export const SnippetPatch = Closed({ body: Body() });
export type SnippetPatch = Static<typeof SnippetPatch>;
export const Snippet = Type.Object({ ...stored, body: Type.String(), warnings });
export const SnippetList = listing({ item: Type.Object(stored), ...part });
