import type { InboxItem, Message } from "./shapes.ts";

/** The options of `createTidings`. */
export interface TidingsOptions {
  /** The address of the service, for example `https://messages.example.com`. */
  baseUrl: string;
  /** The workspace's public key, `tid_pub_...`. A secret key never belongs in a page. */
  apiKey: string;
  /** The person who uses the application. Leave it out while nobody is logged in, and call `login` later. */
  personId?: string | undefined;
  /** Fetches a person token from your own server. It is called again when the token has expired. */
  getPersonToken?: (() => Promise<string | null>) | undefined;
  /** Seconds between two syncs when nothing else causes one; each wait varies by up to a fifth. Default 60. */
  pollSeconds?: number | undefined;
  /** `false`: nothing happens before you call `start()`. Default true. */
  autoStart?: boolean | undefined;
  /** Called with every error. Tidings never throws into the page. */
  onError?: ((error: Error) => void) | undefined;
}

/** The person's inbox. It is empty until the first `load()`; from then on it updates itself, also when another person logs in. */
export interface Inbox {
  /** The cards, newest first. It stays the same array until something changes. */
  readonly items: readonly InboxItem[];
  readonly unreadCount: number;
  /** Whether `more()` would load another page. */
  readonly hasMore: boolean;
  /** Calls `listener` after each change. Returns the function that ends the subscription. */
  subscribe(listener: () => void): () => void;
  /** Loads the newest cards, as many as are loaded already. */
  load(): Promise<void>;
  /** Loads the next page, where there is one. */
  more(): Promise<void>;
  /** Marks a card as read, at once. */
  read(deliveryId: string): void;
  /** Marks a card as unread, at once. */
  unread(deliveryId: string): void;
}

/** One person's messages in one application. No method throws or rejects; `onError` gets the errors instead. */
export interface Tidings {
  /** Opens the stream, syncs and sends the waiting reports. `createTidings` calls it unless `autoStart` is false. */
  start(): void;
  /** Ends the stream and the poll. Reports that wait to be sent stay in storage. */
  stop(): void;
  /**
   * The messages that may be shown now on this screen, in the order of the service. It stays the same array until something
   * changes. A message whose impression was reported stays until it is dismissed, recalled or the screen changes, also
   * where the service has already counted it as shown.
   */
  readonly messages: readonly Message[];
  /** Calls `listener` after each change of `messages`. Returns the function that ends the subscription. */
  subscribe(listener: (messages: readonly Message[]) => void): () => void;
  /** Reports the screen that the person is on. The messages of the last screen go at once, then it syncs for the new one. */
  setScreen(name: string | null): void;
  /** Syncs now. */
  sync(): Promise<void>;
  /** Reports that the message became visible. However often it is called, it counts once until the screen changes. */
  impression(deliveryId: string): void;
  /** Reports that a button was used. The message disappears where it is a one-time message or the button dismisses it. */
  click(deliveryId: string, actionId?: string): void;
  /** Reports that the message was closed without a button. It disappears at once. */
  dismiss(deliveryId: string, reason?: string): void;
  /** Reports who the person is: attributes, email, phone. */
  identify(attributes: Record<string, unknown>): void;
  /** Reports an event of the person. */
  track(eventName: string, properties?: object): void;
  /** Adds a screen to the screen catalog without going there; `setScreen` does both. */
  screen(name: string): void;
  /** Asks the person for permission and registers the browser for web push. Call it from a click. Resolves to false where that fails. */
  registerWebPush(options: { applicationServerKey: string; serviceWorkerUrl: string }): Promise<boolean>;
  /** Changes to this person. Reports of another person that still wait are kept until that person logs in again. */
  login(personId: string): void;
  /** Removes everything of the person, also in other tabs: messages, stream, waiting reports, web push and storage. */
  logout(): Promise<void>;
  readonly inbox: Inbox;
}
