import type { Tidings, TidingsOptions } from "../../src/api.ts";
import type { Environment, Init, Source } from "../../src/browser/environment.ts";
import type { Message } from "../../src/shapes.ts";
import { createCore } from "../../src/tidings.ts";

/** A call as the service saw it. */
export interface Seen extends Init {
  path: string;
  query: URLSearchParams;
  json: Record<string, unknown> & { items?: Record<string, unknown>[] };
}
export type Reply = { status?: number; headers?: Record<string, string>; body?: unknown };
type Handler = (call: Seen) => Reply | undefined | Promise<Reply | undefined>;

export interface FakeSource extends Source {
  url: string;
  closed: boolean;
  open(): void;
  event(): void;
  error(): void;
}

/** Runs everything that does not wait for a timer. */
export const settle = async (): Promise<void> => {
  for (let i = 0; i < 5; i++) await new Promise(setImmediate);
};

/** A fake browser with tabs, clock and service, all controlled by the test. */
export function createWorld() {
  const clock = createClock();
  const tabs = createTabs();
  let count = 0;
  const stored = new Map<string, string>();
  const service = createService();
  const world = Object.assign(service, {
    stored,
    visible: true,
    /** What random() returns. */
    chance: 0.5,
    push: undefined as { endpoint: string; keys: Record<string, string> } | undefined,
    pushEnded: 0,
    setClock: clock.set,
    pass: clock.pass,
    wake: tabs.wake,
    hide: tabs.hide,
    /** The calls to one route, in order. */
    to: (path: string) => service.calls.filter((call) => call.path === path),
    /** Opens a tab of this browser. */
    tab(options: Partial<TidingsOptions> = {}, env: Partial<Environment> = {}): { tidings: Tidings; errors: Error[] } {
      const errors: Error[] = [];
      const given = { baseUrl: "https://t.example/", apiKey: "tid_pub_x", personId: "ada" };
      const onError = (error: Error) => void errors.push(error);
      return { tidings: createCore({ ...given, onError, ...options }, { ...world.environment(), ...env }), errors };
    },
    environment: (): Environment => ({
      live: true,
      fetch: service.fetch,
      eventSource: service.eventSource,
      lock: tabs.lock,
      channel: tabs.channel,
      storage: {
        get: (key) => stored.get(key) ?? null,
        set: (key, value) => void stored.set(key, value),
        remove: (key) => void stored.delete(key),
        keys: () => [...stored.keys()],
      },
      now: clock.now,
      random: () => world.chance,
      uuid: () => `${String(++count).padStart(8, "0")}-0000-4000-8000-000000000000`,
      later: clock.later,
      zone: () => "Europe/Berlin",
      offset: () => 60,
      online: () => service.online,
      visible: () => world.visible,
      listen: tabs.listen,
      subscribePush: async () => world.push,
      unsubscribePush: async () => void world.pushEnded++,
    }),
  });
  return world;
}

/** The device's clock, which a test may set, and timers, which do not follow it. */
function createClock() {
  let now = Date.parse("2026-11-21T12:00:00Z");
  let timers: { run: () => void; at: number }[] = [];
  let clock = 0;
  return {
    now: () => now,
    set: (to: string) => (now = Date.parse(to)),
    async pass(ms: number): Promise<void> {
      await settle();
      for (const end = clock + ms; ; ) {
        const next = timers.toSorted((a, b) => a.at - b.at)[0];
        if (!next || next.at > end) {
          now += end - clock;
          clock = end;
          return settle();
        }
        timers = timers.filter((timer) => timer !== next);
        now += next.at - clock;
        clock = next.at;
        next.run();
        await settle();
      }
    },
    later(run: () => void, ms: number): () => void {
      const timer = { run, at: clock + ms };
      timers.push(timer);
      return () => {
        timers = timers.filter((one) => one !== timer);
      };
    },
  };
}

/** What the tabs of a browser share: locks, channels and its events. */
function createTabs() {
  const held = new Map<string, (() => void)[]>();
  const channels = new Map<string, Set<(word: string) => void>>();
  const listeners = new Set<{ wake(): void; hide(): void }>();
  return {
    wake() {
      for (const one of listeners) one.wake();
    },
    hide() {
      for (const one of listeners) one.hide();
    },
    listen(heard: { wake(): void; hide(): void }) {
      listeners.add(heard);
      return () => void listeners.delete(heard);
    },
    lock(name: string, granted: () => void): () => void {
      const queue = held.get(name) ?? [];
      held.set(name, queue);
      queue.push(granted);
      if (queue.length === 1) void Promise.resolve().then(() => queue[0] === granted && granted());
      return () => {
        const first = queue[0] === granted;
        queue.splice(queue.indexOf(granted), queue.includes(granted) ? 1 : 0);
        if (first) queue[0]?.();
      };
    },
    channel(name: string, heard: (word: string) => void) {
      const all = channels.get(name) ?? new Set();
      channels.set(name, all);
      all.add(heard);
      return {
        post(word: string) {
          for (const one of all) if (one !== heard) one(word);
        },
        close: () => void all.delete(heard),
      };
    },
  };
}

/** The service as the browser reaches it. */
function createService() {
  const service = {
    calls: [] as Seen[],
    sources: [] as FakeSource[],
    online: true,
    /** The service's next answers; undefined is its usual answer. */
    answer: (() => undefined) as Handler,
    messages: [] as Message[],
    async fetch(url: string, init: Init) {
      const { pathname, searchParams } = new URL(url);
      const path = pathname.replace("/data-gateway/v1/", "");
      const call: Seen = { ...init, path, query: searchParams, json: init.body ? JSON.parse(init.body) : {} };
      service.calls.push(call);
      if (!service.online) throw new TypeError("Failed to fetch");
      const { status = 200, headers = {}, body } = (await service.answer(call)) ?? usual(call);
      const text = typeof body === "string" ? body : JSON.stringify(body ?? {});
      return { status, headers: new Headers(headers), text: async () => text, body: new Response(text).body };
    },
    eventSource(url: string): Source {
      const source = createSource(url);
      service.sources.push(source);
      return source;
    },
  };

  function usual({ path, json }: Seen): Reply {
    if (path === "in-app/messages/sync") return { body: service.messages };
    if (path === "in-app/inbox") return { body: { data: [], next_cursor: null, unread_count: 0 } };
    const results = json.items?.map((item) => ({ event_id: item.event_id, status: "shown", recorded: true }));
    if (results) return { body: { results } };
    return {};
  }

  return service;
}

function createSource(url: string): FakeSource {
  const heard: (() => void)[] = [];
  const source = {
    url,
    closed: false,
    onopen: undefined as unknown,
    onerror: undefined as unknown,
    addEventListener: (_type: string, run: () => void) => void heard.push(run),
    close() {
      source.closed = true;
    },
    open: () => (source.onopen as () => void)(),
    error: () => (source.onerror as () => void)(),
    event() {
      for (const run of heard) run();
    },
  };
  return source;
}

/** Returns a message as a sync returns it. */
export function message(id: string, fields: Partial<Message> = {}): Message {
  return {
    delivery_id: id,
    message_id: "msg_1",
    render_type: "modal",
    priority: 50,
    content: { title: null, body: "Hello", image_url: null },
    ctas: [],
    expires_at: null,
    persistence: { mode: "one_time" },
    ...fields,
  };
}

export const ids = (list: readonly { delivery_id: string }[]): string[] => list.map(({ delivery_id }) => delivery_id);
