import type { PushedChannel } from "@tidings/contract/messages/outbound";
import type { EmailTrigger, PushTrigger, SmsTrigger } from "@tidings/contract/messages/transactionals";
import type { Content } from "../../outbound/index.ts";
import type { Person } from "../../people/index.ts";
import type { Workspace } from "../../workspaces/index.ts";

/** The body of a trigger call of each channel. */
export interface Inputs {
  email: EmailTrigger;
  push: PushTrigger;
  sms: SmsTrigger;
}
export type Input = Inputs[PushedChannel];

/** What composing a message needs to know. */
export interface Facts {
  workspace: Workspace;
  person: Person;
  /** The definition's content; undefined for raw content, which stands in the call. */
  content: Record<string, unknown> | undefined;
  /** Push: tokens of the person's devices. */
  tokens: string[];
  /** The public addresses of this message: to unsubscribe, and to choose. */
  links: { unsubscribe_url: string; preferences_url: string };
  /** Email: what is tracked. */
  tracking: { opens: boolean; clicks: boolean };
  /** It respects what the person subscribed to. */
  respects: boolean;
  /** Email: a real provider takes it, which has no sender of its own. */
  senderNeeded: boolean;
}

/** A message for one person: where it goes and what it says. */
export interface Composed {
  recipient: string;
  content: Content;
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
  compose(facts: Facts): Promise<Composed>;
}
