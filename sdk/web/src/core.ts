import type { TidingsOptions } from "./api.ts";
import type { Message } from "./shapes.ts";
import { Calls, TidingsError } from "./service/calls.ts";
import type { Environment, Store } from "./browser/environment.ts";
import { createListeners, type Listeners } from "./listeners.ts";
import { forgetWebPush, type PushOptions, registerWebPush } from "./service/push.ts";
import { Session } from "./person/session.ts";
import { createStorage } from "./browser/storage.ts";

const POLL_S = 60;
const NO_MESSAGES: readonly Message[] = Object.freeze([]);

/** The work behind the public object. Its methods may throw; the public object keeps these errors from the page. */
export class Core {
  session: Session | undefined;
  readonly messageListeners: Listeners<readonly Message[]>;
  readonly inboxListeners: Listeners<void>;
  readonly #env: Environment;
  readonly #store: Store;
  readonly #calls: Calls;
  readonly #scope: string;
  readonly #pollSeconds: number;
  readonly #onError: TidingsOptions["onError"];
  #screen: string | null = null;
  /** Stays true when another person logs in: the component that asked for cards is still there to show them. */
  #wantsInbox = false;
  #stopListening: (() => void) | undefined;

  constructor(given: TidingsOptions, env: Environment) {
    // Pages in JavaScript may pass anything. Unusable options lead to calls that fail, and onError gets those errors.
    const { baseUrl, apiKey, pollSeconds, getPersonToken, onError } = given ?? {};
    const [address, key] = [baseUrl, apiKey].map((text) => (typeof text === "string" ? text : "")) as [string, string];
    this.#env = env;
    this.#onError = onError;
    this.#pollSeconds = typeof pollSeconds === "number" && pollSeconds > 0 ? pollSeconds : POLL_S;
    this.#scope = `tidings:${address}:${key}:`;
    this.#store = createStorage(env);
    this.#calls = new Calls({
      env,
      baseUrl: address,
      apiKey: key,
      getPersonToken,
      resumed: () => this.session?.wake(),
    });
    this.messageListeners = createListeners(this.failed);
    this.inboxListeners = createListeners(this.failed);
  }

  get messages(): readonly Message[] {
    return this.session?.feed.messages ?? NO_MESSAGES;
  }

  readonly failed = (error: unknown): void => {
    try {
      // An offline device is not an error; reported, it would be one error a second.
      if (error instanceof TidingsError && error.code === "network" && !this.#env.online()) return;
      this.#onError?.(error instanceof Error ? error : new Error(String(error)));
    } catch {
      // Nobody is left to whom an error of onError could be reported.
    }
  };

  start(): void {
    if (this.#stopListening) return;
    this.#stopListening = this.#env.listen({
      wake: () => {
        this.session?.begin();
        this.session?.wake();
      },
      hide: () => {
        this.session?.queue.farewell();
        this.session?.pause();
      },
    });
    this.session?.begin();
  }

  stop(): void {
    this.#stopListening?.();
    this.#stopListening = undefined;
    this.session?.pause();
  }

  login(personId: string): void {
    if (this.session?.personId === personId) return;
    if (this.session) this.#close(false);
    const session: Session = new Session({
      env: this.#env,
      calls: this.#calls,
      store: this.#store,
      pollSeconds: this.#pollSeconds,
      scope: this.#scope,
      personId,
      failed: this.failed,
      changed: this.messageListeners.tell,
      wantsInbox: () => this.#wantsInbox,
      inboxChanged: this.inboxListeners.tell,
      loggedOut: () => this.session === session && this.#close(true),
    });
    this.session = session;
    if (this.#screen !== null) session.go(this.#screen);
    // Its first sync asks for the cards too.
    if (this.#stopListening) session.begin();
    else if (this.#wantsInbox) session.cards.load().catch(this.failed);
  }

  async loadInbox(): Promise<void> {
    this.#wantsInbox = true;
    await this.session?.cards.load();
  }

  async logout(): Promise<void> {
    if (!this.session) return;
    // The reports must leave before the token and the storage are gone. Nothing waits for the answer.
    this.session.queue.farewell();
    const push = forgetWebPush(this.#device());
    this.#close(true);
    await push;
  }

  /** Returns the session. @throws TidingsError where nobody is logged in */
  requireSession(): Session {
    if (this.session) return this.session;
    throw new TidingsError("Nobody is logged in: give personId, or call login.", 0, "no_person");
  }

  setScreen(name: string | null): void {
    if (name === this.#screen) return;
    this.#screen = name;
    if (name !== null) this.report(name);
    this.session?.go(name);
  }

  /** Reports a screen to the catalog, where somebody is logged in. */
  report(screen: string): void {
    if (this.session) this.track("screen_view", { screen });
  }

  track(eventName: string, properties: object = {}): void {
    this.ingest({ type: "track", eventName, properties, event_id: this.#env.uuid() });
  }

  ingest(item: Record<string, unknown>): void {
    const { queue, personId } = this.requireSession();
    queue.add({ to: "batch", item: { ...item, person_id: personId, ts: this.#time() } });
  }

  interact(type: string, deliveryId: string, notes: { action_id?: string; reason?: string } = {}): void {
    const session = this.requireSession();
    const { feed, queue, cards } = session;
    const item = {
      delivery_id: deliveryId,
      type,
      event_id: this.#env.uuid(),
      ts: this.#time(),
      platform: "web",
      ...(feed.screen !== null && { screen: feed.screen }),
      ...notes,
    };
    if (type === "impression" && !feed.display(deliveryId, item)) return;
    queue.add({ to: "interactions", item });
    const message = [...feed.messages, ...cards.items].find(({ delivery_id }) => delivery_id === deliveryId);
    const ends = type === "click" && message && endsOnClick(message, notes.action_id);
    if (type === "dismiss" || ends) session.remove(deliveryId);
  }

  mark(deliveryId: string, as: "read" | "unread"): void {
    this.requireSession().cards.mark(deliveryId, as, this.#env.now());
  }

  async registerWebPush(options: PushOptions): Promise<boolean> {
    this.requireSession();
    return registerWebPush(this.#device(), options);
  }

  /** Ends the session; listeners are told that no messages are left. */
  #close(forget: boolean): void {
    const { session } = this;
    this.session = undefined;
    session?.end(forget);
    this.#calls.forgetToken();
    this.messageListeners.tell(NO_MESSAGES);
    this.inboxListeners.tell();
  }

  #device() {
    const { personId } = this.requireSession();
    return { env: this.#env, calls: this.#calls, store: this.#store, scope: this.#scope, personId };
  }

  #time(): string {
    return new Date(this.#env.now()).toISOString();
  }
}

/** Decides as the service does: a click ends a one-time message, and a button that dismisses ends any message. */
function endsOnClick({ persistence, ctas }: Message, actionId: string | undefined): boolean {
  const cta = ctas.find(({ id }) => actionId === undefined || id === actionId);
  return persistence.mode === "one_time" || cta?.action === "dismiss";
}
