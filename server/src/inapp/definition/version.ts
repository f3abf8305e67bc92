import type { InAppDefinition } from "@tidings/contract/inapp/definition";
import { isDynamic, type Part } from "../../content/index.ts";
import { encodeId } from "../../platform/ids.ts";
import { type Rules, rulesOf } from "../rules/gates.ts";
import { durationMs } from "../../platform/time/duration.ts";

/** The rendered texts for one person, or for all people where the definition has no Liquid. */
export interface Rendered {
  title: string | null;
  body: string;
  image_url: string | null;
  /** Present only where the button's address has Liquid; null: the rendered address is unusable and the button is left out. */
  cta_value?: string | null;
}

/** One immutable version of a definition, compiled for sync. */
export interface Version extends Rules {
  messageId: string;
  version: number;
  /** The parts with Liquid. Where there are none, the content is the same for everyone and is stored only with the version. */
  dynamic: Part[];
  wire: WirePieces;
}

/** The pieces of a sync message's JSON around the delivery's own fields, stringified once per version. */
interface WirePieces {
  head: string;
  /** head + content + ctas, for content that is the same for everyone. */
  shared: string;
  /** The JSON after the content, up to the value of expires_at. */
  middle: string;
  tail: string;
  /** The button's address is in the delivery's content, so that JSON must be parsed and can't be spliced as text. */
  ctaInDelivery: boolean;
}

const CTA_ID = "primary";

/** The parts that may carry Liquid, under their field's name. In-app content is text for the application: nothing is escaped. */
export function partsOf(definition: InAppDefinition): Part[] {
  const { title, body, image_url, cta } = definition;
  const parts: Part[] = [{ name: "body", source: body, html: false }];
  if (title !== null) parts.push({ name: "title", source: title, html: false });
  if (image_url !== null) parts.push({ name: "image_url", source: image_url, html: false });
  if (cta?.action === "deep_link") parts.push({ name: "cta/value", source: cta.value ?? "", html: false });
  return parts;
}

/** Compiles a version for sync. Call it once per version: a version never changes. */
export function compileVersion(messageId: string, version: number, definition: InAppDefinition): Version {
  const dynamic = partsOf(definition).filter((part) => isDynamic(part.source));
  const head = `","message_id":"${encodeId("msg", messageId)}","render_type":"${definition.render_type}","priority":${definition.priority},"content":`;
  const middle = `,"ctas":${JSON.stringify(ctasOf(definition))},"expires_at":`;
  return {
    ...rulesOf(definition),
    messageId,
    version,
    dynamic,
    wire: {
      head,
      shared: head + JSON.stringify(contentOf(definition)) + middle,
      middle,
      tail: `,"persistence":${JSON.stringify(persistenceOf(definition))}}`,
      ctaInDelivery: dynamic.some((part) => part.name === "cta/value"),
    },
  };
}

/** The content as clients get it. */
export const contentOf = ({ title, body, image_url }: Rendered) => ({ title, body, image_url });

/** The buttons as clients get them. `value` is the rendered address; null leaves the button out. */
export function ctasOf({ cta }: InAppDefinition, value: string | null = cta?.value ?? "") {
  if (cta === null || value === null) return [];
  return [{ id: CTA_ID, label: cta.label, action: cta.action, ...(cta.action !== "dismiss" && { value }) }];
}

/** The persistence as clients get it: what is unlimited is left out. */
export function persistenceOf({ persistence }: InAppDefinition) {
  const { mode, max_impressions: most, min_interval: pause } = persistence;
  return {
    mode,
    ...(most && { max_impressions_total: most }),
    ...(pause && { min_interval_seconds: durationMs(pause) / 1_000 }),
  };
}

/** Whether this click is on a button that closes the message. A client that names no button means the only one. */
export const closesOnClick = ({ cta }: InAppDefinition, actionId: string | null | undefined): boolean =>
  cta?.action === "dismiss" && (actionId ?? CTA_ID) === CTA_ID;

/** The JSON of one sync message. `content` is the delivery's own as PostgreSQL wrote it, null where it is shared. */
export function messageJson(
  { wire, definition }: Version,
  deliveryId: string,
  content: string | null,
  expiresAt: number | null,
): string {
  const start = `{"delivery_id":"${encodeId("dlv", deliveryId)}`;
  const end = expiresAt === null ? `null${wire.tail}` : `"${new Date(expiresAt).toISOString()}"${wire.tail}`;
  if (content === null) return start + wire.shared + end;
  if (!wire.ctaInDelivery) return start + wire.head + content + wire.middle + end;
  const rendered = JSON.parse(content) as Rendered;
  const ctas = JSON.stringify(ctasOf(definition, rendered.cta_value));
  return `${start}${wire.head}${JSON.stringify(contentOf(rendered))},"ctas":${ctas},"expires_at":${end}`;
}
