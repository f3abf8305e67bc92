import { badParameter } from "./problem.ts";

// The two conditions of RFC 9110 section 13 that routes know.

const TAG = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;

/** Whether If-None-Match names this tag. It may be a list, and a proxy that compresses makes it weak (W/). */
export function matches(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header === tag || header.trim() === "*") return true;
  return (header.match(TAG) ?? []).some((one) => one === tag || one === `W/${tag}`);
}

/**
 * Returns the tags of If-Match, of which the resource must have one. Undefined where nothing is to be checked: without the header, and for `*`,
 * which asks only that the resource exists.
 * @throws Problem invalid_request for a text that is no list of tags
 */
export function tagsOf(header: string | undefined): string[] | undefined {
  if (header === undefined || header.trim() === "*") return undefined;
  const tags = header.match(TAG) ?? [];
  if (tags.length === 0 || !/^[ \t,]*$/.test(header.replaceAll(TAG, "")))
    throw badParameter("If-Match", 'must be an ETag as it was sent, with its quotes, such as "abc", or *');
  return tags;
}
