import { randomUUID } from "node:crypto";
import type { Call, CallOptions } from "./calls.ts";
import { TidingsError } from "./error.ts";
import type {
  BatchTriggerItem,
  EmailTrigger,
  Identifiers,
  Instant,
  PushTrigger,
  SmsTrigger,
  TriggerResult,
  Triggered,
} from "./shapes.ts";

export interface TriggerOptions extends CallOptions {
  /**
   * Triggers with the same key, e.g. `receipt-1234`, send one message within 24 hours. Made for you where it is left out, so
   * that the client's own retries never send twice.
   */
  idempotencyKey?: string;
  /** How long the key is kept, in seconds: 24 hours by default, 30 days (2,592,000) at most. */
  idempotencyTtl?: number;
}

/**
 * The workspace's transactionals and their data, by trigger name. It is empty here: `npx tidings types` writes a file that
 * fills it in, and from then on the compiler checks names and data.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled in by declaration merging
export interface Transactionals {}

type TypedName = keyof Transactionals;
/** The name of a transactional: any text until `npx tidings types` has written types. */
export type TransactionalName = [TypedName] extends [never] ? string : TypedName;
/** The message_data of a transactional. */
export type DataOf<N> = N extends TypedName ? Transactionals[N] : Record<string, unknown>;

/** The input of a trigger by name. `message_data` may be left out where none of its fields is required. */
export type NamedTrigger<N> = {
  identifiers: Identifiers;
  /** Send to this address, number or device instead of the person's own. */
  to?: string;
  /** When to send it: at most 30 days from now. */
  send_at?: Instant;
  /** Seconds after which it is no longer sent, for example the lifetime of a login code. */
  expires_in?: number;
  /** Don't keep the rendered content after sending. */
  disable_message_retention?: boolean;
} & (Record<never, never> extends DataOf<N> ? { message_data?: DataOf<N> } : { message_data: DataOf<N> });

/** Sends transactional messages, each to one person. A call resolves when the message is stored durably. @throws TidingsError */
export interface Trigger {
  /** Sends a saved transactional of any channel by its trigger name or id; see `Transactionals` for checked data. */
  <N extends TransactionalName>(name: N, message: NamedTrigger<N>, options?: TriggerOptions): Promise<Triggered>;
  email(email: EmailTrigger, options?: TriggerOptions): Promise<Triggered>;
  push(push: PushTrigger, options?: TriggerOptions): Promise<Triggered>;
  sms(sms: SmsTrigger, options?: TriggerOptions): Promise<Triggered>;
  /** Sends up to 100 messages in one call. Each has its own result, in the order of the items. */
  batch(items: readonly BatchTriggerItem[], options?: TriggerOptions): Promise<TriggerResult[]>;
}

type Channel = "email" | "push" | "sms";

/** Returns the triggers of a client. */
export function triggers(call: Call): Trigger {
  const send = <T>(route: string, body: object, options: TriggerOptions = {}): Promise<T> => {
    const { idempotencyKey = randomUUID(), idempotencyTtl, ...rest } = options;
    const headers = {
      "idempotency-key": idempotencyKey,
      ...(idempotencyTtl !== undefined && { "idempotency-ttl": String(idempotencyTtl) }),
    };
    return call<T>({ method: "POST", path: `/data-gateway/transactionals/${route}`, body, headers }, rest);
  };
  // Only the service knows the channel of a name. It names the channel when the first call takes the wrong route, and the client remembers it.
  const channels = new Map<string, Channel>();

  async function named(name: string, message: object, options?: TriggerOptions): Promise<Triggered> {
    const body = { transactional_message_id: name, ...message };
    try {
      return await send<Triggered>(channels.get(name) ?? "email", body, options);
    } catch (error) {
      const channel = error instanceof TidingsError && error.code === "channel_mismatch" && error.problem?.channel;
      if (channel !== "email" && channel !== "push" && channel !== "sms") throw error;
      channels.set(name, channel);
      return send<Triggered>(channel, body, options);
    }
  }

  return Object.assign(named as Trigger, {
    email: (email: EmailTrigger, options?: TriggerOptions) => send<Triggered>("email", encoded(email), options),
    push: (push: PushTrigger, options?: TriggerOptions) => send<Triggered>("push", push, options),
    sms: (sms: SmsTrigger, options?: TriggerOptions) => send<Triggered>("sms", sms, options),
    batch: async (items: readonly BatchTriggerItem[], options?: TriggerOptions) => {
      const body = { items: items.map((item) => (item.channel === "email" ? encoded(item) : item)) };
      return (await send<{ results: TriggerResult[] }>("batch", body, options)).results;
    },
  });
}

/** Returns the email with its attachments as base64: bytes are allowed here, but not on the wire. */
const encoded = <T extends EmailTrigger>(email: T): object => ({
  ...email,
  ...(email.attachments && { attachments: base64(email.attachments) }),
});

const base64 = (files: Record<string, string | Uint8Array>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(files).map(([name, file]) => [
      name,
      typeof file === "string" ? file : Buffer.from(file.buffer, file.byteOffset, file.byteLength).toString("base64"),
    ]),
  );
