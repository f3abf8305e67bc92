import type { PushedChannel } from "@tidings/contract/outbound";
import { missingFields, renderParts, type Scope } from "../content/index.ts";
import { partsOf } from "../outbound/index.ts";
import { Problem } from "../platform/http/index.ts";

/** A definition's content with the fields that the call gives over it. */
export function overlaid(
  definition: Record<string, unknown> | undefined,
  call: object,
  names: readonly string[],
): Record<string, unknown> {
  const content: Record<string, unknown> = { ...definition };
  const given = call as Record<string, unknown>;
  for (const name of names) if (given[name] !== undefined) content[name] = given[name];
  return content;
}

export const missingContent = (name: string, detail: string): Problem =>
  new Problem("content_missing", detail, { errors: [{ pointer: `/${name}`, message: "is missing" }] });

/** Renders a content's texts for one person, under their names. @throws Problem message_data_missing, template_error */
export async function renderContent(
  channel: PushedChannel,
  content: Record<string, unknown>,
  scope: Scope,
): Promise<Record<string, string>> {
  const parts = partsOf(channel, content);
  const missing = missingFields(parts, scope.trigger);
  if (missing.length > 0) {
    throw new Problem(
      "message_data_missing",
      `The content needs message_data that the call does not carry: ${missing.join(", ")}.`,
      {
        errors: missing.map((name) => ({
          pointer: `/message_data/${name.replaceAll(".", "/")}`,
          message: "is missing",
        })),
        extra: { fields: missing },
      },
    );
  }
  const texts = await renderParts(parts, scope);
  return Object.fromEntries(parts.map((part, i) => [part.name, texts[i] as string]));
}
