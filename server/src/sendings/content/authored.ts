import type { Channel } from "@tidings/contract/facts/activity";
import type { RulesInput, SayingInput } from "@tidings/contract/messages/sendings";
import { isOfCampaigns } from "../../content/index.ts";
import { messageById } from "../../inapp/index.ts";
import { checkContent } from "../../outbound/index.ts";
import type { Queries } from "../../platform/db/index.ts";
import { badField, type Problem } from "../../platform/http/index.ts";
import { decodeId } from "../../platform/ids.ts";
import { checkTemplate } from "../../templates/index.ts";
import { wrongTags } from "../rules/locale.ts";
import type { Locales, Rules, Said, Saying, Sending, Variant } from "../sending.ts";
import { escaped } from "./editions.ts";
import { within } from "./within.ts";

// What an author writes: one thing for all, or variants; each of them in other languages; and how it is sent.

const NOTHING: Saying = { locales: null, variants: null };

/** Whose content it is. A message is looked up once in a call. */
interface Where {
  q: Queries;
  workspaceId: string;
  channel: Channel;
  source: Sending["source"];
  messages: Set<string>;
}

/**
 * Returns what is said once the input is in place: variants replace the rest, and the rest replaces variants.
 * @throws Problem invalid_request naming the field, template_error, template_not_found
 */
export async function readSaying(
  of: Omit<Where, "messages">,
  input: SayingInput,
  before: Saying = NOTHING,
): Promise<Saying> {
  const where = { ...of, messages: new Set<string>() };
  const { message_id, content, locales, variants } = input;
  if (variants) {
    for (const name of ["message_id", "content", "locales"] as const)
      if (input[name]) throw badField(`/${name}`, "can't stand beside variants: each of them has its own");
    return { ...NOTHING, variants: await variantsOf(where, variants) };
  }
  const given = message_id !== undefined || content !== undefined;
  if (!given && before.variants !== null && variants === undefined)
    throw badField("/locales", "can't stand beside variants: each of them has its own");
  const kept = !given && (before.message_id ?? before.content) !== undefined;
  const said = kept ? saidIn(before) : saidIn(input);
  if (!kept) await check(where, said, "");
  return {
    ...said,
    locales: locales === undefined ? before.locales : await localesOf(where, locales ?? {}, ""),
    variants: null,
  };
}

const saidIn = ({ message_id, content }: SayingInput | Saying): Said => ({
  ...(message_id !== undefined && { message_id }),
  ...(content !== undefined && { content }),
});

async function variantsOf(where: Where, variants: NonNullable<SayingInput["variants"]>): Promise<Variant[]> {
  const names = variants.map(({ name }) => name);
  const twin = names.findIndex((name, i) => names.indexOf(name) < i);
  if (twin !== -1) throw badField(`/variants/${twin}/name`, "is the name of another variant");
  const made: Variant[] = [];
  for (const [i, { locales, ...variant }] of variants.entries()) {
    await check(where, variant, `/variants/${i}`);
    made.push({ ...variant, ...(locales && { locales: await localesOf(where, locales, `/variants/${i}`) }) });
  }
  return made;
}

async function localesOf(where: Where, locales: Locales, at: string): Promise<Locales | null> {
  const tags = Object.keys(locales);
  const [wrong] = wrongTags(tags);
  if (wrong) throw badField(`${at}/locales/${escaped(wrong[0])}`, wrong[1]);
  for (const tag of tags) await check(where, locales[tag] ?? {}, `${at}/locales/${escaped(tag)}`);
  return tags.length === 0 ? null : locales;
}

/** Holds that what is said fits the channel and exists. */
async function check({ q, workspaceId, channel, source, messages }: Where, said: Said, at: string): Promise<void> {
  const { message_id, content } = said;
  if (channel === "in_app") {
    if (content !== undefined)
      throw badField(`${at}/content`, "belongs to the other channels: in-app takes a message_id");
    if (message_id === undefined) throw badField(`${at}/message_id`, "is required for in-app");
    if (messages.has(message_id)) return;
    const id = decodeId("msg", message_id);
    if (!id || !(await messageById(q, workspaceId, id)))
      throw badField(`${at}/message_id`, "names no in-app message of this workspace");
    messages.add(message_id);
    return;
  }
  if (message_id !== undefined) throw badField(`${at}/message_id`, "belongs to in-app: this channel takes content");
  if (content === undefined) throw badField(`${at}/content`, `is required for ${channel}`);
  await within(at, async () => {
    checkContent(channel, content, source === "campaign" ? isOfCampaigns : undefined);
    if (channel === "email") await checkTemplate(q, workspaceId, content);
  });
}

/** Returns the rules that the input names, and no others. @throws Problem invalid_request naming the field */
export function readRules(input: RulesInput): Partial<Rules> {
  const { holdout_percent: holdoutPercent, topic_id, tracking, subscription_preference: preference } = input;
  if (holdoutPercent !== undefined && Math.round(holdoutPercent * 100) / 100 !== holdoutPercent)
    throw badField("/holdout_percent", "must have at most two decimals");
  return {
    ...(holdoutPercent !== undefined && { holdoutPercent }),
    ...(topic_id !== undefined && { topicId: topicOf(topic_id) }),
    ...(tracking && { tracking }),
    ...(preference !== undefined && { preference }),
  };
}

function topicOf(text: string | null): string | null {
  const id = text === null ? null : decodeId("top", text);
  if (id === undefined) throw noTopic();
  return id;
}

/** 400 for a topic_id that this workspace does not have. */
export const noTopic = (): Problem => badField("/topic_id", "names no topic of this workspace");
