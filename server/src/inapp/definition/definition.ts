import type { InAppDefinition, InAppMessageInput, InAppMessagePatch } from "@tidings/contract/inapp/definition";
import { checkParts, isOfCampaigns, isDeepLink, isDynamic, isImageAddress } from "../../content/index.ts";
import { badField } from "../../platform/http/index.ts";
import type { Workspace } from "../../workspaces/index.ts";
import { partsOf } from "./version.ts";

type QuietDefaults = Workspace["quiet_defaults"];

const NORMAL_PRIORITY = 50;

/** A definition as an author sends it, or after an edit: the button may lack a required field. */
type DefinitionInput = Omit<InAppMessageInput, "cta"> & Pick<InAppMessagePatch, "cta">;

/**
 * Validates what an author sent and returns the definition with every default written out.
 * @param quiet the workspace's quiet defaults
 * @throws Problem invalid_request that names the field, template_error with line and column
 */
export function readDefinition(input: DefinitionInput, quiet: QuietDefaults): InAppDefinition {
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
    quiet_hours: readQuietHours(input.quiet_hours, quiet),
    persistence: {
      // A card in an inbox must not vanish after it was seen.
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
  // A step of a campaign may show it.
  checkParts(partsOf(definition), isOfCampaigns);
  return definition;
}

/**
 * Applies an edit: the fields it names replace the definition's, the others stay, also within objects. Null in place of an object
 * removes it, or restores its defaults. @throws as readDefinition
 */
export function applyPatch(before: InAppDefinition, patch: InAppMessagePatch, quiet: QuietDefaults): InAppDefinition {
  const { screens, persistence, cta, quiet_hours } = before;
  return readDefinition(
    {
      ...before,
      ...patch,
      screens: merged(screens, patch.screens),
      persistence: merged(persistence, patch.persistence),
      cta: merged(cta, patch.cta),
      quiet_hours: merged(quiet_hours, patch.quiet_hours),
    },
    quiet,
  );
}

const merged = <B extends object, P extends object>(
  before: B | null,
  patch: P | null | undefined,
): B | (B & P) | P | null => (patch ? { ...before, ...patch } : patch === null ? null : before);

function readCta(cta: DefinitionInput["cta"]): InAppDefinition["cta"] {
  if (!cta) return null;
  const { label, action } = cta;
  if (label === undefined) throw badField("/cta/label", "is required");
  if (action === undefined) throw badField("/cta/action", "is required");
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

/** Without quiet hours of its own, a message gets the workspace's defaults; null and `enabled: false` mean that it has none. */
function readQuietHours(
  hours: DefinitionInput["quiet_hours"],
  defaults: QuietDefaults,
): InAppDefinition["quiet_hours"] {
  if (hours === undefined) return defaults && { enabled: true, ...defaults };
  if (hours === null) return null;
  const {
    enabled = true,
    timezone_mode = "workspace",
    start,
    end,
  } = { ...(hours.enabled !== false && defaults), ...hours };
  if (start === undefined && end === undefined && !enabled) return null;
  if (start === undefined) throw badField("/quiet_hours/start", "is required");
  if (end === undefined) throw badField("/quiet_hours/end", "is required");
  if (start === end) throw badField("/quiet_hours/end", "must differ from start");
  return { enabled, timezone_mode, start, end };
}
