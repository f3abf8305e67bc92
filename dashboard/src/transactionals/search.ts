import type { PushedChannel } from "@tidings/contract/messages/outbound";
import type { Static } from "typebox";
import { authoredSearchOf } from "../platform/list/authored-search.ts";

export type TransactionalChannel = Static<typeof PushedChannel>;
export const channels = ["email", "push", "sms"] as const satisfies readonly TransactionalChannel[];
export const transactionalsSearchOf = authoredSearchOf({ channel: channels });
