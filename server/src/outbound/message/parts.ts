import type { PushedChannel } from "@tidings/contract/messages/outbound";
import { contents, TemplateContent } from "@tidings/contract/messages/transactionals";
import { Closed } from "@tidings/contract/primitives";
import { checkParts, isDeepLink, isDynamic, isImageAddress, type Part } from "../../content/index.ts";
import { badField, checkShape, Problem } from "../../platform/http/index.ts";
import { mailbox } from "../../platform/mailbox.ts";

// The schemas are wrapped, so that an error names /content/subject and not /subject.
const shapes = {
  email: checkShape(Closed({ content: contents.email })),
  push: checkShape(Closed({ content: contents.push })),
  sms: checkShape(Closed({ content: contents.sms })),
  template: checkShape(Closed({ content: TemplateContent })),
};

/** The texts of each channel's content that are rendered, in the order in which they are shown. */
const FIELDS: Record<PushedChannel, readonly string[]> = {
  email: ["subject", "preheader", "body", "plaintext_body", "from", "reply_to"],
  push: ["title", "message", "image_url", "link"],
  sms: ["body", "to"],
};

/** Returns the parts of a content. Only an email's body is HTML, in which values are escaped. */
export function partsOf(channel: PushedChannel, content: Record<string, unknown>): Part[] {
  const parts: Part[] = [];
  for (const name of FIELDS[channel]) {
    const source = content[name];
    if (typeof source === "string") parts.push({ name, source, html: channel === "email" && name === "body" });
  }
  return parts;
}

/** Runs a check whose errors name only the part, and adds `/content` to their pointers, as the part is in a request's body. */
function inContent(check: () => void): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "template_error") throw error;
    const errors = error.options.errors?.map(({ pointer, message }) => ({
      pointer: `/content${pointer ?? ""}`,
      message,
    }));
    throw new Problem(error.code, error.message, { ...error.options, ...(errors && { errors }) });
  }
}

/**
 * Checks a definition's content. @param open whether content has these names beside those that all content has
 * @throws Problem invalid_request naming the field, template_error with line and column
 */
export function checkContent(
  channel: PushedChannel,
  content: Record<string, unknown>,
  open?: (names: string[]) => boolean,
): void {
  shapes[channel === "email" && content.template_id !== undefined ? "template" : channel]({ content });
  inContent(() => checkParts(partsOf(channel, content), open));
  if (channel === "push") checkPushAddresses(content, "/content");
  if (channel !== "email") return;
  for (const name of ["from", "reply_to"] as const) {
    const sender = content[name];
    if (typeof sender === "string" && !isDynamic(sender) && !mailbox(sender)) {
      throw badField(`/content/${name}`, "must be one address, such as `Acme <hello@acme.test>`");
    }
  }
}

/**
 * Checks the link and image of a push, as far as they contain no Liquid: with Liquid they are checked when they are rendered.
 * @param at pointer of the content @throws Problem invalid_request naming the field
 */
export function checkPushAddresses({ link, image_url: image }: Record<string, unknown>, at = ""): void {
  if (isFixed(image) && !isImageAddress(image.trim()))
    throw badField(`${at}/image_url`, "must be an http or https address");
  if (isFixed(link) && !isDeepLink(link.trim()))
    throw badField(`${at}/link`, "must not be a javascript:, data: or vbscript: address");
}

const isFixed = (text: unknown): text is string => typeof text === "string" && text.trim() !== "" && !isDynamic(text);
