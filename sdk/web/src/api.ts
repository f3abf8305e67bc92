import type { InboxItem, Message } from "./shapes.ts";

/** What `createTidings` takes. */
export interface TidingsOptions {
  /** Where the service is, for example `https://messages.example.com`. */
  baseUrl: string;
  /** The workspace's public key, `tid_pub_...`. A secret key never belongs in a page. */
  apiKey: string;
  /** Whom the application speaks for. Unset until `login` where nobody is known yet. */
  personId?: string | undefined;
  /** Fetches a person token from your own server; called again when it has expired. */
  getPersonToken?: (() => Promise<string | null>) | undefined;
  /** How often to look for messages when nothing else happens; each wait is off by up to a fifth. Default 60. */
  pollSeconds?: number | undefined;
  /** `false` waits for `start()`. */
  autoStart?: boolean | undefined;
  /** Hears of everything that went wrong. Nothing is ever thrown into the page. */
  onError?: ((error: Error) => void) | undefined;
}

/** The person's inbox. Empty until the first `load()`; from then on it follows what happens, and who is logged in. */
export interface Inbox {
  /** Newest first. The same array until something changes. */
  readonly items: readonly InboxItem[];
  readonly unreadCount: number;
  /** Whether `more()` would bring another page. */
  readonly hasMore: boolean;
  /** Gives the function that ends it. */
  subscribe(listener: () => void): () => void;
  load(): Promise<void>;
  /** The next page, where there is one. */
  more(): Promise<void>;
  read(deliveryId: string): void;
  unread(deliveryId: string): void;
}

/** One person's messages in one application. No method throws or rejects; `onError` hears instead. */
export interface Tidings {
  /** Opens the stream, syncs and sends what waits. Called by `createTidings` unless `autoStart` is false. */
  start(): void;
  /** Ends the stream and the poll. What waits to be sent stays in storage. */
  stop(): void;
  /**
   * What may be shown now, on this screen, in the order of the service. The same array until something changes. A message
   * whose impression was reported stays until it is dismissed, taken back or the screen changes, also where the service
   * has already counted it as shown.
   */
  readonly messages: readonly Message[];
  /** Gives the function that ends it. */
  subscribe(listener: (messages: readonly Message[]) => void): () => void;
  /** Says where the person is: drops what was asked for the other screen at once, reports the screen and syncs. */
  setScreen(name: string | null): void;
  /** Looks for messages now. */
  sync(): Promise<void>;
  /** The message became visible. Counted once until the screen changes, however often it is called. */
  impression(deliveryId: string): void;
  /** A button was used. A one-time message, and any whose button dismisses, disappears. */
  click(deliveryId: string, actionId?: string): void;
  /** The message was closed without its button; it disappears at once. */
  dismiss(deliveryId: string, reason?: string): void;
  identify(attributes: Record<string, unknown>): void;
  track(eventName: string, properties?: object): void;
  /** Reports a screen to the catalog without going there; `setScreen` does both. */
  screen(name: string): void;
  /** Asks the browser for leave and registers it. Call it from a click. False where that did not work. */
  registerWebPush(options: { applicationServerKey: string; serviceWorkerUrl: string }): Promise<boolean>;
  /** From now on the application speaks for this person. What waited for another one waits until they come back. */
  login(personId: string): void;
  /** Forgets everything: messages, stream, what waited to be sent, web push, storage; in the other tabs too. */
  logout(): Promise<void>;
  readonly inbox: Inbox;
}
