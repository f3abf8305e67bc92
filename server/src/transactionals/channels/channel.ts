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

/** The facts that are needed to compose the message of a call. */
export interface CallFacts extends Omit<ComposeInput, "cause" | "kind" | "call"> {
  /** The definition's content; undefined if the call contains all of the content. */
  content: Record<string, unknown> | undefined;
  /** Push: tokens of the person's devices. */
  tokens: string[];
}

/**
 * The rules of one channel. It parses a call without the database, and finds all errors that the call itself has. The result
 * composes the message when the facts are known.
 */
export type ParseChannel<C extends PushedChannel> = (
  workspace: Workspace,
  input: Inputs[C],
) => ParsedMessage | Promise<ParsedMessage>;

export interface ParsedMessage {
  /** The address that the call names, in the form of an envelope: the suppression list is read for it together with the facts. */
  to?: string | undefined;
  /** The addresses of cc and bcc. */
  copies?: string[];
  compose(facts: CallFacts): Promise<Composed>;
}
