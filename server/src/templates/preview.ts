import { missingFields, type Part, renderParts, textOf } from "../content/index.ts";
import { viewOf } from "../people/index.ts";
import type { Queries } from "../platform/db/index.ts";
import { notFound } from "../platform/http/index.ts";
import { NO_LINKS } from "../subscriptions/index.ts";
import { newestTemplates } from "./newest.ts";

/**
 * Renders a template for a known person, for given attributes, or for the person with the given attributes on top.
 * @throws Problem not_found, person_not_found, template_error
 */
export async function preview(
  q: Queries,
  workspaceId: string,
  id: string,
  input: { person_id?: string; person?: Record<string, unknown>; message_data?: Record<string, unknown> },
) {
  const [newest] = await newestTemplates(q, [{ workspaceId, id }]);
  if (!newest) throw notFound("email template");
  const person = { ...(await viewOf(q, workspaceId, input.person_id)), ...input.person };
  const trigger = input.message_data ?? {};
  const parts = Object.entries(newest.content).map(
    ([name, source]): Part => ({ name, source: source as string, html: name === "body" }),
  );
  const turn = { workspaceId, kind: "preview" } as const;
  const texts = await renderParts(parts, { person, trigger, links: NO_LINKS, turn });
  const text = Object.fromEntries(parts.map(({ name }, i) => [name, texts[i] as string]));
  const body = text.body ?? "";
  return {
    version: newest.version,
    subject: text.subject ?? "",
    preheader: text.preheader ?? null,
    body,
    plaintext: text.plaintext_body ?? (await textOf(body, turn)),
    from: text.from ?? null,
    reply_to: text.reply_to ?? null,
    missing: missingFields(parts, trigger),
  };
}
