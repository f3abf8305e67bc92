import { parts, withEventId } from "./batch.ts";
import { type Call, type CallOptions, caller } from "./calls.ts";
import { TidingsError } from "./error.ts";
import { type PersonTokenInput, signPersonToken } from "./person-token.ts";
import type { Product } from "./product.ts";
import { product } from "./resources.ts";
import type { BatchItem, BatchResult, Device, DeviceRemoval, Identified, Identify, Track, Tracked } from "./shapes.ts";
import { type Trigger, triggers } from "./trigger.ts";
import { verifyWebhook, type WebhookEvent, type WebhookHeaders } from "./webhooks.ts";

export interface TidingsOptions {
  /** The address of the service, e.g. `https://tidings.example.com`; by default the environment variable `TIDINGS_URL`. */
  baseUrl?: string | undefined;
  /** `tid_sec_...`, for servers only; by default the environment variable `TIDINGS_SECRET_KEY`. */
  secretKey?: string | undefined;
  /** Milliseconds that each attempt may take; 10,000 by default. */
  timeoutMs?: number;
  /** Attempts after the first one; 3 by default, 0 for none. */
  maxRetries?: number;
}

const GATEWAY = "/data-gateway/v1";

/** Returns an option, or the environment variable in its place. @throws TypeError that names both where neither is set. */
function given(option: string, value: string | undefined, variable: string): string {
  const found = value ?? (process.env[variable]?.trim() || undefined);
  if (found !== undefined) return found;
  throw new TypeError(`Tidings needs ${option}: give it as \`new Tidings({ ${option} })\`, or set ${variable}`);
}

/** The resources of the product API, e.g. `tidings.broadcasts.send(id)`. */
export interface Tidings extends Product {}

/** The client for servers. Each method makes one call and retries it where that may help; a retry never does the work twice. */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the constructor assigns every resource
export class Tidings {
  readonly #call: Call;

  /** Sends a transactional message: `trigger("order_confirmation", {...})`, or with the content in the call. */
  readonly trigger: Trigger;

  /** The devices on which push messages reach a person. */
  readonly devices = {
    /** Registers a device. A token belongs to the person who registered it last. @throws TidingsError */
    register: (device: Device, options?: CallOptions): Promise<{ device_id: string }> =>
      this.#call({ method: "PUT", path: `${GATEWAY}/devices`, body: device }, options),
    /** Removes a device of a person. @throws TidingsError */
    remove: (device: DeviceRemoval, options?: CallOptions): Promise<void> =>
      this.#call({ method: "DELETE", path: `${GATEWAY}/devices`, body: device }, options),
  };

  /**
   * `new Tidings()` reads the address and the key from TIDINGS_URL and TIDINGS_SECRET_KEY.
   * @throws TypeError for options that could never work, without repeating the key
   */
  constructor(options: TidingsOptions = {}) {
    const { timeoutMs = 10_000, maxRetries = 3 } = options;
    const baseUrl = given("baseUrl", options.baseUrl, "TIDINGS_URL");
    const secretKey = given("secretKey", options.secretKey, "TIDINGS_SECRET_KEY");
    if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol))
      throw new TypeError("baseUrl (or TIDINGS_URL) must be an http or https address, such as http://localhost:4000");
    if (!/^tid_sec_[\w-]+$/.test(secretKey))
      throw new TypeError("secretKey (or TIDINGS_SECRET_KEY) must be a secret key: tid_sec_...");
    if (!(timeoutMs > 0)) throw new TypeError("timeoutMs must be a number above 0");
    if (!Number.isInteger(maxRetries) || maxRetries < 0)
      throw new TypeError("maxRetries must be a whole number from 0");
    this.#call = caller({ baseUrl: baseUrl.replace(/\/+$/, ""), secretKey, timeoutMs, maxRetries });
    this.trigger = triggers(this.#call);
    Object.assign(this, product(this.#call));
  }

  /** Reports who a person is: attributes, email, phone. @throws TidingsError */
  identify(person: Identify, options?: CallOptions): Promise<Identified> {
    return this.#call({ method: "POST", path: `${GATEWAY}/identify`, body: person }, options);
  }

  /** Reports an event of a person. @throws TidingsError */
  track(event: Track, options?: CallOptions): Promise<Tracked> {
    return this.#call({ method: "POST", path: `${GATEWAY}/track`, body: withEventId(event) }, options);
  }

  /**
   * Sends any number of identify and track calls, in as many requests as they need, one after the other. A bad item does
   * not affect the others: each has its own result.
   * @returns one result for each item, in the order of the items
   * @throws TidingsError where a request fails; its `results` are those of the items in the requests before
   */
  async batch(items: readonly BatchItem[], options?: CallOptions): Promise<BatchResult[]> {
    const results: BatchResult[] = [];
    for (const part of parts(items)) {
      const request = { method: "POST" as const, path: `${GATEWAY}/batch`, body: { items: part } };
      try {
        results.push(...(await this.#call<{ results: BatchResult[] }>(request, options)).results);
      } catch (error) {
        if (error instanceof TidingsError) error.results = results;
        throw error;
      }
    }
    return results;
  }

  /**
   * Checks that Tidings made a webhook call and returns its event; see the function `verifyWebhook`.
   * @throws TidingsError
   */
  verifyWebhook(body: string | Uint8Array, headers: WebhookHeaders, secret: string | readonly string[]): WebhookEvent {
    return verifyWebhook(body, headers, secret);
  }

  /** Returns the token with which an application proves who its user is; see the function `signPersonToken`. @throws TypeError */
  signPersonToken(input: PersonTokenInput): string {
    return signPersonToken(input);
  }
}
