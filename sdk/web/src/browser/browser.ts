import type { Environment, Store } from "./environment.ts";

// Only this file names the browser's globals, and only inside functions, so it is safe to import on a server.

/** Returns the environment of the browser; on a server `live` is false and nothing happens. */
export function browser(): Environment {
  const live = typeof window !== "undefined" && typeof document !== "undefined";
  return {
    live,
    // The service reads no cookies, and the browser's cache must not keep one person's answers for the next.
    fetch: (url, { timeoutMs, ...init }) =>
      fetch(url, {
        ...init,
        credentials: "omit",
        cache: "no-store",
        ...(timeoutMs && AbortSignal.timeout && { signal: AbortSignal.timeout(timeoutMs) }),
      }),
    eventSource: live && typeof EventSource === "function" ? (url) => new EventSource(url) : undefined,
    // Locks exist on secure origins only.
    lock: live && navigator.locks ? lock : undefined,
    channel: live && typeof BroadcastChannel === "function" ? channel : undefined,
    storage: live ? storage() : undefined,
    now: Date.now,
    random: Math.random,
    uuid,
    later(run, ms) {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
    zone: () => Intl.DateTimeFormat().resolvedOptions().timeZone,
    offset: () => -new Date().getTimezoneOffset(),
    online: () => navigator.onLine !== false,
    visible: () => document.visibilityState !== "hidden",
    listen,
    subscribePush,
    async unsubscribePush() {
      const registrations = (await navigator.serviceWorker?.getRegistrations()) ?? [];
      for (const { pushManager } of registrations) await (await pushManager?.getSubscription())?.unsubscribe();
    },
  };
}

function lock(name: string, granted: () => void): () => void {
  const waiting = new AbortController();
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  navigator.locks
    .request(name, { signal: waiting.signal }, () => {
      granted();
      return held;
    })
    .catch(() => {
      // The caller stopped waiting for the lock.
    });
  return () => {
    release();
    waiting.abort();
  };
}

function channel(name: string, heard: (word: string) => void) {
  const channel = new BroadcastChannel(name);
  channel.onmessage = ({ data }) => heard(String(data));
  return { post: (word: string) => channel.postMessage(word), close: () => channel.close() };
}

function storage(): Store | undefined {
  try {
    // Reading the property throws where the page is sandboxed or the person refuses storage.
    const { localStorage } = window;
    return {
      get: (key) => localStorage.getItem(key),
      set: (key, value) => localStorage.setItem(key, value),
      remove: (key) => localStorage.removeItem(key),
      keys: () => Object.keys(localStorage),
    };
  } catch {
    return undefined;
  }
}

/** `crypto.randomUUID` exists on secure origins only; getRandomValues everywhere. */
function uuid(): string {
  if (crypto.randomUUID) return crypto.randomUUID();
  return "10000000-1000-4000-8000-100000000000".replace(/[018]/g, (digit) =>
    (Number(digit) ^ ((crypto.getRandomValues(new Uint8Array(1))[0] as number) & (15 >> (Number(digit) / 4)))).toString(
      16,
    ),
  );
}

function listen({ wake, hide }: { wake(): void; hide(): void }): () => void {
  const ended = new AbortController();
  const on = (target: EventTarget, type: string, run: () => void) =>
    target.addEventListener(type, run, { signal: ended.signal });
  const seen = () => document.visibilityState !== "hidden" && wake();
  on(window, "online", wake);
  on(window, "focus", wake);
  on(window, "pagehide", hide);
  // The page is back from the browser's cache of pages; at the first load there is nothing to wake yet.
  window.addEventListener("pageshow", ({ persisted }) => persisted && wake(), { signal: ended.signal });
  on(document, "visibilitychange", seen);
  return () => ended.abort();
}

async function subscribePush(serviceWorkerUrl: string, applicationServerKey: string) {
  if (!navigator.serviceWorker || typeof PushManager !== "function") return undefined;
  if ((await Notification.requestPermission()) !== "granted") return undefined;
  const { pushManager } = await navigator.serviceWorker
    .register(serviceWorkerUrl)
    .then(() => navigator.serviceWorker.ready);
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
  return subscription.toJSON() as { endpoint: string; keys: Record<string, string> };
}
