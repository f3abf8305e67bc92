/**
 * All that the core needs from its environment. The core names no globals (it is compiled without any), so it can be imported
 * on a server and tested with a fake environment; `browser.ts` is the real one.
 */
export interface Environment {
  /** False where there is no page, on a server: nothing is started, sent or kept. */
  live: boolean;
  fetch(url: string, init: Init): Promise<Answer>;
  /** Undefined where the browser has none. */
  eventSource: ((url: string) => Source) | undefined;
  /** Waits for a lock that all tabs share and calls `granted`; returns the function that releases it or stops waiting. */
  lock: ((name: string, granted: () => void) => () => void) | undefined;
  /** Opens a channel to the other tabs; a tab does not get its own words. */
  channel: ((name: string, heard: (word: string) => void) => Channel) | undefined;
  /** Undefined where the page may not keep anything. */
  storage: Store | undefined;
  /** Milliseconds since 1970 by the device's clock, which may be years off: for timestamps only, never for waiting. */
  now(): number;
  /** From 0 to 1. */
  random(): number;
  uuid(): string;
  /** Returns the function that cancels it. */
  later(run: () => void, ms: number): () => void;
  zone(): string | undefined;
  /** Minutes east of UTC. */
  offset(): number;
  /** False only where the browser knows that it is offline. */
  online(): boolean;
  visible(): boolean;
  /** `wake`: the page has the focus, is visible or online again, or is back from the cache. `hide`: the page is left and may not come back. */
  listen(heard: { wake(): void; hide(): void }): () => void;
  /** The browser's push subscription, or undefined where it has none or the person refuses. */
  subscribePush(serviceWorkerUrl: string, applicationServerKey: string): Promise<Subscription | undefined>;
  unsubscribePush(): Promise<void>;
}

export interface Init {
  method: string;
  headers: Record<string, string>;
  body?: string;
  /** The call goes on when the page is gone. */
  keepalive?: boolean;
  /** The call is aborted after this time; unset for streams. */
  timeoutMs?: number;
}

export interface Answer {
  status: number;
  headers: { get(name: string): string | null };
  text(): Promise<string>;
  body: { getReader(): Reader } | null;
}

export interface Reader {
  read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

/** An EventSource, as far as it is used. */
export interface Source {
  onopen: unknown;
  onerror: unknown;
  addEventListener(type: string, heard: () => void): void;
  close(): void;
}

export interface Channel {
  post(word: string): void;
  close(): void;
}

export interface Store {
  get(key: string): string | null;
  /** May throw: private windows have a quota of nothing. */
  set(key: string, value: string): void;
  remove(key: string): void;
  keys(): string[];
}

export interface Subscription {
  endpoint: string;
  keys: Record<string, string>;
}
