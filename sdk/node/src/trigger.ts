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
   * Two triggers with the same key within 24 hours are one message, e.g. `receipt-1234`. Made where it is left out, so
   * that the client's own retries never send twice.
   */
  idempotencyKey?: string;
  /** How long the key counts, in seconds: 24 hours where it is left out, 30 days (2,592,000) at most. */
  idempotencyTtl?: number;
}

/**
 * The workspace's transactionals and their data, by trigger name. Empty here: `npx tidings types` writes a file that fills
 * it in, and from then on names and data are checked by the compiler.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled in by declaration merging
export interface Transactionals {}

type Known = keyof Transactionals;
/** Names of transactionals: any text as long as no types were written. */
export type TransactionalName = [Known] extends [never] ? string : Known;
/** The message_data of a transactional. */
export type DataOf<N> = N extends Known ? Transactionals[N] : Record<string, unknown>;

/** A call of a transactional by name. `message_data` may be left out where nothing in it is required. */
export type NamedTrigger<N> = {
  identifiers: Identifiers;
  /** Address, number or device instead of the person's own. */
  to?: string;
  /** Up to 30 days ahead. */
  send_at?: Instant;
  /** Seconds after which it is not sent any more: a code that is void by then. */
  expires_in?: number;
  /** The rendered content is not kept after sending. */
  disable_message_retention?: boolean;
} & (Record<never, never> extends DataOf<N> ? { message_data?: DataOf<N> } : { message_data: DataOf<N> });

/** Messages that an event causes, to one person each. Each resolves when the message is durable. @throws TidingsError */
export interface Trigger {
  /** A saved transactional of any channel by its trigger name (or id); see Transactionals for checked data. */
  <N extends TransactionalName>(name: N, message: NamedTrigger<N>, options?: TriggerOptions): Promise<Triggered>;
  email(email: EmailTrigger, options?: TriggerOptions): Promise<Triggered>;
  push(push: PushTrigger, options?: TriggerOptions): Promise<Triggered>;
  sms(sms: SmsTrigger, options?: TriggerOptions): Promise<Triggered>;
  /** Up to 100 in one call, each with a result of its own, in order. */
  batch(items: readonly BatchTriggerItem[], options?: TriggerOptions): Promise<TriggerResult[]>;
}

type Channel = "email" | "push" | "sms";

/** Gives the triggers of a client. */
export function triggers(call: Call): Trigger {
  const send = <T>(route: string, body: object, options: TriggerOptions = {}): Promise<T> => {
    const { idempotencyKey = randomUUID(), idempotencyTtl, ...rest } = options;
    const headers = {
      "idempotency-key": idempotencyKey,
      ...(idempotencyTtl !== undefined && { "idempotency-ttl": String(idempotencyTtl) }),
    };
    return call<T>({ method: "POST", path: `/data-gateway/transactionals/${route}`, body, headers }, rest);
  };
  // Which channel a name belongs to is the service's to know: it says so when asked at the wrong door, once for each name.
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

/** Attachments may be bytes here; over the wire they are base64. */
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
