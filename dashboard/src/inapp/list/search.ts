import { authoredSearchOf } from "../../platform/list/authored-search.ts";
import { renderTypes } from "../message.ts";

export const messagesSearchOf = authoredSearchOf({ render_type: renderTypes });

/** What the address of the editor says beside the message: the one that a new message copies. */
export interface MessageSearch {
  from?: string;
}
export const messageSearchOf = ({ from }: Record<string, unknown>): MessageSearch =>
  typeof from === "string" && from !== "" ? { from } : {};
