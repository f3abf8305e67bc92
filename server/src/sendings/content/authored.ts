import type { Channel } from "@tidings/contract/facts/activity";
import type { EditionsInput, RulesInput } from "@tidings/contract/messages/sendings";
import { isOfCampaigns } from "../../content/index.ts";
import { isLive } from "../../inapp/index.ts";
import { checkContent } from "../../outbound/index.ts";
import type { Queries } from "../../platform/db/index.ts";
import { badField, pointerPart, type Problem } from "../../platform/http/index.ts";
import { decodeId } from "../../platform/ids.ts";
import { checkTemplate } from "../../templates/index.ts";
import { wrongTags } from "../rules/locale.ts";
import type { EditionContent, Editions, Locales, Rules, Sending, Variant } from "../sending.ts";
import { within } from "./within.ts";

// Reads what an author writes: one content for all, or variants, each also in other languages; and the rules of sending.

const NO_EDITIONS: Editions = { locales: null, variants: null };

/** The workspace and channel of the content. `messages` are the ids that this call has looked up already. */
interface ContentContext {
  q: Queries;
  workspaceId: string;
  channel: Channel;
  source: Sending["source"];
  messages: Set<string>;
}

/**
 * Returns the editions after the input is applied to those before: variants replace all else, and all else replaces variants.
 * @throws Problem invalid_request naming the field, template_error, template_not_found
 */
export async function readEditions(
  of: Omit<ContentContext, "messages">,
  input: EditionsInput,
  before: Editions = NO_EDITIONS,
): Promise<Editions> {
  const context = { ...of, messages: new Set<string>() };
  const { message_id, content, locales, variants } = input;
  if (variants) {
    for (const name of ["message_id", "content", "locales"] as const)
      if (input[name]) throw badField(`/${name}`, "can't be given with variants: each variant has its own");
    return { ...NO_EDITIONS, variants: await variantsOf(context, variants) };
  }
  const given = message_id !== undefined || content !== undefined;
  if (!given && before.variants !== null && variants === undefined)
    throw badField("/locales", "can't be given with variants: each variant has its own");
  const kept = !given && (before.message_id ?? before.content) !== undefined;
  const own = kept ? contentIn(before) : contentIn(input);
  if (!kept) await check(context, own, "");
  return {
    ...own,
    locales: locales === undefined ? before.locales : await localesOf(context, locales ?? {}, ""),
    variants: null,
  };
}

const contentIn = ({ message_id, content }: EditionsInput | Editions): EditionContent => ({
  ...(message_id !== undefined && { message_id }),
  ...(content !== undefined && { content }),
});

async function variantsOf(
  context: ContentContext,
  variants: NonNullable<EditionsInput["variants"]>,
): Promise<Variant[]> {
  const names = variants.map(({ name }) => name);
  const twin = names.findIndex((name, i) => names.indexOf(name) < i);
  if (twin !== -1) throw badField(`/variants/${twin}/name`, "is the name of another variant");
  const made: Variant[] = [];
  for (const [i, { locales, ...variant }] of variants.entries()) {
    await check(context, variant, `/variants/${i}`);
    made.push({ ...variant, ...(locales && { locales: await localesOf(context, locales, `/variants/${i}`) }) });
  }
  return made;
}

async function localesOf(context: ContentContext, locales: Locales, at: string): Promise<Locales | null> {
  const tags = Object.keys(locales);
  const [wrong] = wrongTags(tags);
  if (wrong) throw badField(`${at}/locales/${pointerPart(wrong[0])}`, wrong[1]);
  for (const tag of tags) await check(context, locales[tag] ?? {}, `${at}/locales/${pointerPart(tag)}`);
  return tags.length === 0 ? null : locales;
}

/** @throws Problem invalid_request for a content that does not fit the channel or does not exist, template_error, template_not_found */
async function check(
  { q, workspaceId, channel, source, messages }: ContentContext,
  { message_id, content }: EditionContent,
  at: string,
): Promise<void> {
  if (channel === "in_app") {
    if (content !== undefined) throw badField(`${at}/content`, "is for the other channels: in-app takes a message_id");
    if (message_id === undefined) throw badField(`${at}/message_id`, "is required for in-app");
    if (messages.has(message_id)) return;
    const id = decodeId("msg", message_id);
    if (!id || !(await isLive(q, workspaceId, id)))
      throw badField(`${at}/message_id`, "names no in-app message of this workspace");
    messages.add(message_id);
    return;
  }
  if (message_id !== undefined) throw badField(`${at}/message_id`, "is for in-app: this channel takes content");
  if (content === undefined) throw badField(`${at}/content`, `is required for ${channel}`);
  await within(at, async () => {
    checkContent(channel, content, source === "campaign" ? isOfCampaigns : undefined);
    if (channel === "email") await checkTemplate(q, workspaceId, { content, source });
  });
}

/** Returns the rules that the input names, and no others. @throws Problem invalid_request naming the field */
export function readRules(input: RulesInput): Partial<Rules> {
  const {
    holdout_percent: holdoutPercent,
    topic_id,
    tracking,
    subscription_preference: preference,
    when_held: whenHeld,
  } = input;
  if (holdoutPercent !== undefined && Math.round(holdoutPercent * 100) / 100 !== holdoutPercent)
    throw badField("/holdout_percent", "must have at most two decimals");
  return {
    ...(holdoutPercent !== undefined && { holdoutPercent }),
    ...(topic_id !== undefined && { topicId: topicOf(topic_id) }),
    ...(tracking && { tracking }),
    ...(preference !== undefined && { preference }),
    ...(whenHeld !== undefined && { whenHeld }),
  };
}

function topicOf(text: string | null): string | null {
  const id = text === null ? null : decodeId("top", text);
  if (id === undefined) throw noTopic();
  return id;
}

/** 400 for a topic_id that this workspace does not have. */
export const noTopic = (): Problem => badField("/topic_id", "names no topic of this workspace");
