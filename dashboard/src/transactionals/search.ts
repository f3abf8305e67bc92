import type { PushedChannel } from "@tidings/contract/messages/outbound";
import type { Static } from "typebox";
import { authoredSearchOf } from "../platform/list/authored-search.ts";

export type TransactionalChannel = Static<typeof PushedChannel>;
export const channels = ["email", "push", "sms"] as const satisfies readonly TransactionalChannel[];
export const transactionalsSearchOf = authoredSearchOf({ channel: channels });

/** The parts of a transactional's page, the first of which needs no word in the address. */
export const tabs = ["write", "call", "results"] as const;
export type Tab = (typeof tabs)[number];
export const transactionalSearchOf = (given: Record<string, unknown>): { tab?: Tab } => {
  const tab = tabs.slice(1).find((one) => one === given.tab);
  return tab ? { tab } : {};
};
