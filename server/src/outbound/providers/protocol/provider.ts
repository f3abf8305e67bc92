import type { PushedChannel } from "@tidings/contract/messages/outbound";
import type { CredentialsOf, ProviderKind, SettingsOf } from "@tidings/contract/messages/providers";
import type { Device } from "../../../people/index.ts";
import type { Ground } from "../../../platform/ground.ts";
import type { Scrub } from "../../../platform/scrub.ts";
import type { Outgoing } from "../../message/email.ts";
import type { Job, PushMessage } from "../../message/message.ts";
import type { Outcome } from "../../queue/retry.ts";

/** A push for one device: several devices are several hand-offs of one delivery. */
export interface OutgoingPush extends PushMessage {
  device: Device;
}

/** A text message for one number in E.164. */
export interface OutgoingSms {
  to: string;
  body: string;
}

/** What a provider of each channel is given. */
export interface Outgoings {
  email: Outgoing;
  push: OutgoingPush;
  sms: OutgoingSms;
}

/** What is handed over: the delivery and its message as the channel's providers want it. */
export interface HandOff<C extends PushedChannel = PushedChannel> {
  job: Job;
  /** TypeID of the delivery: providers that know idempotency keys or metadata get it, so that a repeat and a callback can be told. */
  deliveryId: string;
  message: Outgoings[C];
}

/**
 * One of the two seams of the house: whoever takes a message off our hands. One file each. An open provider is kept for
 * as long as its settings stay the same.
 */
export interface Provider<C extends PushedChannel = PushedChannel> {
  kind: ProviderKind;
  /** Hand-offs at once. A stalled server fills its own share and nobody else's. */
  concurrency: number;
  /** Email: where neither content nor workspace names a sender. */
  fallbackSender?: string;
  /** Push: whether it reaches this device, as its kind says. */
  reaches?: ((device: Reachable) => boolean) | undefined;
  /** Never throws for what the other side does: that is an outcome. */
  hand(handOff: HandOff<C>): Promise<Outcome>;
  /**
   * Tries connection and credentials and sends nothing. Returns the reason where they don't work.
   * @param sender Email: the address that messages come from, where the workspace names one
   */
  check(sender?: string): Promise<string | undefined>;
  /** Ends it. Hand-offs under way end soon, as retries. */
  close(): void;
}

/** What a provider is opened with. */
export interface Opening<K extends ProviderKind> {
  /** The provider's own id, null for the local one that nobody set up. */
  id: string | null;
  workspaceId: string;
  settings: SettingsOf<K>;
  credentials: CredentialsOf<K>;
  /** Takes the credentials out of what the other side says. */
  scrub: Scrub;
}

type Fields = Record<string, unknown>;

/** What says by whom a device can be reached. */
export type Reachable = Pick<Device, "platform" | "token" | "subscription">;

/** A kind of provider: what the registry needs to know of its file. */
export interface Kind<K extends ProviderKind = ProviderKind> {
  /** Adds what was left out of a new provider and can be made. What it gets is not checked yet. @throws Problem invalid_request */
  complete?(settings: Fields, credentials: Fields | undefined): { settings: Fields; credentials: Fields | undefined };
  /** Checks what the schema can't. @throws Problem invalid_request naming the field */
  check?(settings: SettingsOf<K>, credentials: CredentialsOf<K>): void;
  /** Push: whether it reaches this device. All of them where absent. */
  reaches?(device: Reachable): boolean;
  /**
   * The settings that decide where the credentials go and how well they are hidden on the way, as they count and by their
   * place (`bounce_mailbox/host`). Who changes one gives the credentials again: otherwise whoever may change a setting could
   * have them sent to himself.
   */
  credentialsGoTo(settings: SettingsOf<K>): Record<string, string | number | boolean | undefined>;
  // biome-ignore lint/suspicious/noExplicitAny: each kind serves its own channels, which providerKinds says
  open(ground: Ground, opening: Opening<K>): Provider<any>;
}
