import { Problem } from "../../platform/http/index.ts";

/** Runs work on the content at a JSON pointer. Problems about the content then name the place of that content in the input. */
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
