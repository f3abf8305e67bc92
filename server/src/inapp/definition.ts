import type { InAppDefinition, InAppMessageInput, InAppMessagePatch } from "@tidings/contract/inapp";
import { checkParts, isDeepLink, isDynamic, isImageAddress } from "../content/index.ts";
import { badField } from "../platform/http/index.ts";
import { partsOf } from "./version.ts";

const NORMAL_PRIORITY = 50;

/**
 * What an author sent, with every default written out.
 * @throws Problem invalid_request that names the field, template_error with line and column
 */
export function readDefinition(input: InAppMessageInput): InAppDefinition {
  const definition: InAppDefinition = {
    name: input.name,
    render_type: input.render_type,
    title: input.title ?? null,
    body: input.body,
    image_url: input.image_url?.trim() || null,
    cta: readCta(input.cta),
    priority: input.priority ?? NORMAL_PRIORITY,
    expiry: input.expiry ?? null,
    screens: {
      include: readPatterns(input.screens?.include, "/screens/include"),
      exclude: readPatterns(input.screens?.exclude, "/screens/exclude"),
    },
    quiet_hours: readQuietHours(input.quiet_hours),
    persistence: {
      // A card in an inbox must not vanish once it was seen.
      per: input.persistence?.per ?? "person",
      mode: input.persistence?.mode ?? (input.render_type === "inbox_card" ? "persistent_until_dismissed" : "one_time"),
      max_impressions: input.persistence?.max_impressions ?? null,
      min_interval: input.persistence?.min_interval ?? null,
    },
  };
  const { image_url: image } = definition;
  if (image !== null && !isDynamic(image) && !isImageAddress(image)) {
    throw badField("/image_url", "must be an http or https address");
  }
  checkParts(partsOf(definition));
  return definition;
}

/** An edit: the fields that it names replace those of the definition, the others stay. @throws as readDefinition */
export const changed = (before: InAppDefinition, patch: InAppMessagePatch): InAppDefinition =>
  readDefinition({ ...before, ...patch });

function readCta(cta: InAppMessageInput["cta"]): InAppDefinition["cta"] {
  if (!cta) return null;
  const { label, action } = cta;
  if (label.trim() === "") throw badField("/cta/label", "must not be blank");
  if (action === "dismiss") return { label, action, value: null };
  const value = cta.value?.trim() || null;
  if (value === null) throw badField("/cta/value", `is required for the action ${action}`);
  if (action === "deep_link" && !isDeepLink(value)) {
    throw badField("/cta/value", "must not be a javascript:, data: or vbscript: address");
  }
  return { label, action, value };
}

function readPatterns(patterns: string[] | undefined, pointer: string): string[] {
  const trimmed = (patterns ?? []).map((pattern) => pattern.trim());
  const blank = trimmed.indexOf("");
  if (blank !== -1) throw badField(`${pointer}/${blank}`, "must not be blank");
  return [...new Set(trimmed)];
}

function readQuietHours(hours: InAppMessageInput["quiet_hours"]): InAppDefinition["quiet_hours"] {
  if (!hours) return null;
  const { enabled = true, timezone_mode = "workspace", start, end } = hours;
  if (start === undefined && end === undefined && !enabled) return null;
  if (start === undefined) throw badField("/quiet_hours/start", "is required");
  if (end === undefined) throw badField("/quiet_hours/end", "is required");
  if (start === end) throw badField("/quiet_hours/end", "must differ from start");
  return { enabled, timezone_mode, start, end };
}
