import type { Channel } from "@tidings/contract/facts/activity";
import type { BroadcastPatch } from "@tidings/contract/messages/broadcasts";
import { messageById } from "../inapp/index.ts";
import type { Queries } from "../platform/db/index.ts";
import { badField, Problem } from "../platform/http/index.ts";
import { decodeId } from "../platform/ids.ts";
import { checkWritten } from "./content.ts";
import { escaped } from "./editions.ts";
import { wrongTags } from "./rules/locale.ts";
import type { Authored, Locales, Said, Variant } from "./store.ts";

// What an author writes: one thing for all, or variants; and each of them in other languages.

type Input = Pick<BroadcastPatch, "message_id" | "content" | "locales" | "variants">;
type Saying = Pick<Authored, "message_id" | "content" | "locales" | "variants">;

const NOTHING: Saying = { message_id: null, content: null, locales: null, variants: null };

/** Whose content it is: a name is looked up there, and once in a call. */
interface Where {
  q: Queries;
  workspaceId: string;
  channel: Channel;
  messages: Set<string>;
}

/**
 * What it says once the input is in place: variants take the place of the rest, and the other way round.
 * @throws Problem invalid_request naming the field, template_error, template_not_found
 */
export async function sayingOf(
  q: Queries,
  workspaceId: string,
  channel: Channel,
  input: Input,
  before: Saying = NOTHING,
): Promise<Saying> {
  const where = { q, workspaceId, channel, messages: new Set<string>() };
  const { message_id, content, locales, variants } = input;
  if (variants) {
    for (const name of ["message_id", "content", "locales"] as const)
      if (input[name]) throw badField(`/${name}`, "can't stand beside variants: each of them has its own");
    return { ...NOTHING, variants: await variantsOf(where, variants) };
  }
  const said = message_id !== undefined || content !== undefined;
  const kept = said ? undefined : before;
  if (!said && before.variants !== null && variants === undefined)
    throw badField("/locales", "can't stand beside variants: each of them has its own");
  const first = kept && (kept.message_id ?? kept.content) !== null ? kept : await defaultOf(where, input);
  return {
    message_id: first.message_id,
    content: first.content,
    locales: locales === undefined ? before.locales : await localesOf(where, locales ?? {}, ""),
    variants: null,
  };
}

async function defaultOf(
  where: Where,
  { message_id, content }: Input,
): Promise<Pick<Saying, "message_id" | "content">> {
  await check(where, { ...(message_id !== undefined && { message_id }), ...(content && { content }) }, "");
  return { message_id: decodeId("msg", message_id ?? "") ?? null, content: content ?? null };
}

async function variantsOf(where: Where, variants: NonNullable<Input["variants"]>): Promise<Variant[]> {
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

/** What is said fits the channel and is there. */
async function check({ q, workspaceId, channel, messages }: Where, said: Said, at: string): Promise<void> {
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
  await within(at, () => checkWritten(q, workspaceId, channel, content));
}

/** The same with problems about the content naming where it stands. */
export async function within<T>(at: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (at === "" || !(error instanceof Problem)) throw error;
    const errors = error.options.errors?.map(({ pointer = "", ...rest }) => ({
      ...rest,
      pointer: at + (/^\/(?:content|message_id)(?:\/|$)/.test(pointer) ? "" : "/content") + pointer,
    }));
    const message = error.message.startsWith("/") ? at + error.message : `${at}: ${error.message}`;
    throw new Problem(error.code, message, { ...error.options, ...(errors && { errors }) });
  }
}
