import type { PushedChannel } from "@tidings/contract/messages/outbound";

export const pushed = ["email", "push", "sms"] as const satisfies PushedChannel[];

/** What is open, as it stands in the address. */
export interface ChannelsSearch {
  /** The provider in the drawer. */
  provider?: string;
  /** Tests its connection at once. */
  test?: true;
  /** The channel that gets a new provider. */
  add?: PushedChannel;
  /** The domain whose report is shown. */
  domain?: string;
}

/** Reads the address; what it does not know is left out. */
export function channelsSearchOf({ provider, test, add, domain }: Record<string, unknown>): ChannelsSearch {
  const channel = pushed.find((one) => one === add);
  return {
    ...(typeof provider === "string" && provider !== "" && { provider }),
    ...(test === true && { test: true as const }),
    ...(channel && { add: channel }),
    ...(typeof domain === "string" && domain !== "" && { domain }),
  };
}
