import { callers } from "./callers.ts";
import { messages } from "./messages.ts";
import { people } from "./people.ts";
import { requests } from "./requests.ts";

/**
 * Every error code that the service answers, with its status, its title and its meaning. docs/errors.md shows the same
 * list, and a test checks that the two and the code agree.
 */
export const errors = { ...requests, ...callers, ...people, ...messages } as const satisfies Record<
  string,
  { status: number; title: string; means: string }
>;

export type ErrorCode = keyof typeof errors;
