import type { Inbox, Tidings, TidingsOptions } from "./api.ts";
import { Core } from "./core.ts";
import type { Environment } from "./browser/environment.ts";

const NO_ITEMS: Inbox["items"] = Object.freeze([]);
type Guard = <A extends unknown[], R>(run: (...given: A) => R, otherwise: R) => (...given: A) => R;

/** Returns the public object over any environment; `createTidings` of index.ts passes the browser. */
export function createCore(options: TidingsOptions, env: Environment): Tidings {
  const core = new Core(options, env);
  const guarded = guardOf(core, env);
  guarded(() => {
    if (options.personId) core.login(options.personId);
    if (options.autoStart !== false) core.start();
  }, undefined)();

  return {
    start: guarded(() => core.start(), undefined),
    stop: guarded(() => core.stop(), undefined),
    get messages() {
      return core.messages;
    },
    subscribe: guarded(core.messageListeners.add, () => {}),
    setScreen: guarded((name) => core.setScreen(name), undefined),
    sync: guarded(async () => core.session?.sync(), Promise.resolve()),
    impression: guarded((id) => core.interact("impression", id), undefined),
    click: guarded(
      (id, action_id) => core.interact("click", id, action_id === undefined ? {} : { action_id }),
      undefined,
    ),
    dismiss: guarded((id, reason) => core.interact("dismiss", id, reason === undefined ? {} : { reason }), undefined),
    identify: guarded((attributes) => core.ingest({ type: "identify", attributes }), undefined),
    track: guarded((name, properties) => core.track(name, properties), undefined),
    screen: guarded((name) => core.report(name), undefined),
    registerWebPush: guarded((push) => core.registerWebPush(push), Promise.resolve(false)),
    login: guarded((personId) => core.login(personId), undefined),
    logout: guarded(() => core.logout(), Promise.resolve()),
    inbox: inboxOf(core, guarded),
  };
}

function inboxOf(core: Core, guarded: Guard): Inbox {
  return {
    get items() {
      return core.session?.cards.items ?? NO_ITEMS;
    },
    get unreadCount() {
      return core.session?.cards.unreadCount ?? 0;
    },
    get hasMore() {
      return core.session?.cards.hasMore ?? false;
    },
    subscribe: guarded(core.inboxListeners.add, () => {}),
    load: guarded(() => core.loadInbox(), Promise.resolve()),
    more: guarded(async () => core.session?.cards.more(), Promise.resolve()),
    read: guarded((id) => core.mark(id, "read"), undefined),
    unread: guarded((id) => core.mark(id, "unread"), undefined),
  };
}

/** Returns the wrapper of every public method: it reports errors to `onError`, so that none reaches the page. */
function guardOf(core: Core, env: Environment): Guard {
  function guarded<A extends unknown[], R>(run: (...given: A) => R, otherwise: R): (...given: A) => R {
    // On a server there is nobody to show anything to.
    if (!env.live) return () => otherwise;
    const fail = (error: unknown): R => {
      core.failed(error);
      return otherwise;
    };
    return (...given) => {
      try {
        const result = run(...given);
        return result instanceof Promise ? (result.catch(fail) as R) : result;
      } catch (error) {
        return fail(error);
      }
    };
  }
  return guarded;
}
