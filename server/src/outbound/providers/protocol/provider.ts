import type { PushedChannel } from "@tidings/contract/messages/outbound";
import type { CredentialsOf, ProviderKind, SettingsOf } from "@tidings/contract/messages/providers";
import type { Device } from "../../../people/index.ts";
import type { Ground } from "../../../platform/ground.ts";
import type { Scrub } from "../../../platform/scrub.ts";
import type { Outgoing } from "../../message/email.ts";
import type { Job, PushMessage } from "../../message/message.ts";
import type { Outcome } from "../../queue/retry.ts";

/** A push for one device. Several devices get it by several hand-offs of one delivery. */
export interface OutgoingPush extends PushMessage {
  device: Device;
}

/** A text message for one number in E.164. */
export interface OutgoingSms {
  to: string;
  body: string;
}

/** The message that a provider of each channel gets. */
export interface Outgoings {
  email: Outgoing;
  push: OutgoingPush;
  sms: OutgoingSms;
}

/** A delivery to hand over, with its message in the form that the channel's providers get. */
export interface HandOff<C extends PushedChannel = PushedChannel> {
  job: Job;
  /** TypeID of the delivery. It is the idempotency key where a provider has one, and identifies repeats. */
  deliveryId: string;
  /** What callbacks name the delivery by, see `referenceTo`. Where there is no room for it, callbacks name the TypeID. */
  reference: string;
  message: Outgoings[C];
}

/**
 * A service that sends for us. It is one of the two parts of the process that can be replaced, and each kind has its file. An open
 * provider is kept for as long as its settings stay the same.
 */
export interface Provider<C extends PushedChannel = PushedChannel> {
  kind: ProviderKind;
  /** Hand-offs at once. A stalled server fills only its own places. */
  concurrency: number;
  /** Email: the sender where neither content nor workspace names one. */
  fallbackSender?: string;
  /** Push: whether this kind reaches the device. */
  reaches?: ((device: Reachable) => boolean) | undefined;
  /** Hands over once. It never throws for a failure of the other side: that is an outcome. */
  hand(handOff: HandOff<C>): Promise<Outcome>;
  /**
   * Tries connection and credentials and sends no message. Returns the reason where they don't work.
   * @param sender Email: the address that messages come from, where the workspace names one
   */
  check(sender?: string): Promise<string | undefined>;
  /** Closes the provider. Hand-offs under way end soon, as retries. */
  close(): void;
}

/** What a provider is opened with. */
export interface Opening<K extends ProviderKind> {
  /** The provider's id; null for the local one that nobody created. */
  id: string | null;
  workspaceId: string;
  settings: SettingsOf<K>;
  credentials: CredentialsOf<K>;
  /** Removes the credentials from texts of the other side. */
  scrub: Scrub;
}

type Fields = Record<string, unknown>;

/** The fields that decide which provider reaches a device. */
export type Reachable = Pick<Device, "platform" | "token" | "subscription">;

/** A kind of provider, as its file exports it. */
export interface Kind<K extends ProviderKind = ProviderKind> {
  /** Adds what a new provider lacks and can be generated. Its input is not checked yet. @throws Problem invalid_request */
  complete?(settings: Fields, credentials: Fields | undefined): { settings: Fields; credentials: Fields | undefined };
  /** Makes the checks that the schema can't. @throws Problem invalid_request naming the field */
  check?(settings: SettingsOf<K>, credentials: CredentialsOf<K>): void;
  /** Push: whether it reaches this device. Without it, the kind reaches all. */
  reaches?(device: Reachable): boolean;
  /**
   * Returns the settings that decide where the credentials are sent and how well they are protected on the way, with their
   * defaults and by their path (`bounce_mailbox/host`). A caller who changes one must send the credentials again: otherwise anybody
   * who may change a setting could have them sent to himself.
   */
  credentialsGoTo(settings: SettingsOf<K>): Record<string, string | number | boolean | undefined>;
  // biome-ignore lint/suspicious/noExplicitAny: each kind serves its own channels, which providerKinds says
  open(ground: Ground, opening: Opening<K>): Provider<any>;
}
