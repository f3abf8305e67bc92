import type { PushedChannel } from "@tidings/contract/messages/outbound";
import type { EmailTrigger, PushTrigger, SmsTrigger } from "@tidings/contract/messages/transactionals";
import type { Composed, ComposeInput } from "../../outbound/index.ts";
import type { Workspace } from "../../workspaces/index.ts";

/** The body of a trigger call of each channel. */
export interface Inputs {
  email: EmailTrigger;
  push: PushTrigger;
  sms: SmsTrigger;
}
export type Input = Inputs[PushedChannel];

/** What composing the message of a call needs to know. */
export interface CallFacts extends Omit<ComposeInput, "cause" | "kind" | "call"> {
  /** The definition's content; undefined for raw content, which stands in the call. */
  content: Record<string, unknown> | undefined;
  /** Push: tokens of the person's devices. */
  tokens: string[];
}

/**
 * The rules of one channel. A call is read first, which needs no database and finds everything that is wrong with the call
 * by itself; what comes back composes the message once the facts are there.
 */
export type ReadChannel<C extends PushedChannel> = (
  workspace: Workspace,
  input: Inputs[C],
) => Composing | Promise<Composing>;

/** A call that was read. */
export interface Composing {
  /** The address that the call names itself, ready for an envelope: the list is asked about it before all is known. */
  to?: string | undefined;
  /** Addresses that get a copy. */
  copies?: string[];
  compose(facts: CallFacts): Promise<Composed>;
}
