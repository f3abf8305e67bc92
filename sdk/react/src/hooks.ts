import type { InboxItem, Message, Tidings } from "@tidings/web";
import { useCallback, useEffect, useMemo, useSyncExternalStore } from "react";
import { useBeforePaint } from "./paint.ts";
import { useProviderContext } from "./provider.tsx";
import { screenOwners } from "./store.ts";

const NO_MESSAGES: readonly Message[] = [];
const NO_ITEMS: readonly InboxItem[] = [];

/** One render type, or a function that returns true for the messages to keep. */
export type MessageFilter = Message["render_type"] | ((message: Message) => boolean);

/** Returns the client itself: `track`, `identify`, `login` and the rest of `@tidings/web`. */
export function useTidings(): Tidings {
  return useProviderContext().client;
}

/** Returns the messages that may be shown on this screen now, in the order of the service. */
export function useMessages(filter?: MessageFilter): readonly Message[] {
  const client = useTidings();
  const messages = useSyncExternalStore(
    useCallback((changed: () => void) => client.subscribe(changed), [client]),
    () => client.messages,
    () => NO_MESSAGES,
  );
  return useMemo(() => {
    if (filter === undefined) return messages;
    return messages.filter((one) => (typeof filter === "string" ? one.render_type === filter : filter(one)));
  }, [messages, filter]);
}

/** What `useInbox` returns. */
export interface InboxState {
  /** The cards, newest first. */
  items: readonly InboxItem[];
  unreadCount: number;
  /** Whether `more` would load another page. */
  hasMore: boolean;
  /** Loads the newest cards. */
  reload(): Promise<void>;
  /** Loads the next page, where there is one. */
  more(): Promise<void>;
  read(deliveryId: string): void;
  unread(deliveryId: string): void;
}

/** Returns the person's inbox. It is loaded when the first component uses it; from then on it updates itself, also when another person logs in. */
export function useInbox(): InboxState {
  const { inbox } = useTidings();
  const subscribe = useCallback((changed: () => void) => inbox.subscribe(changed), [inbox]);
  const items = useSyncExternalStore(
    subscribe,
    () => inbox.items,
    () => NO_ITEMS,
  );
  const unreadCount = useSyncExternalStore(
    subscribe,
    () => inbox.unreadCount,
    () => 0,
  );
  const hasMore = useSyncExternalStore(
    subscribe,
    () => inbox.hasMore,
    () => false,
  );
  useEffect(() => {
    void inbox.load();
  }, [inbox]);
  return useMemo(() => {
    const { load: reload, more, read, unread } = inbox;
    return { items, unreadCount, hasMore, reload, more, read, unread };
  }, [inbox, items, unreadCount, hasMore]);
}

/**
 * Sets the person's screen while the component is mounted. Before the new screen is painted, the messages of the old one are
 * gone.
 */
export function useScreen(name: string | null): void {
  const client = useTidings();
  useBeforePaint(() => {
    const mine = {};
    screenOwners.set(client, mine);
    client.setScreen(name);
    return () => {
      // The next screen sets itself in the same turn; null in between would be a screen that nobody saw.
      queueMicrotask(() => {
        if (screenOwners.get(client) === mine) client.setScreen(null);
      });
    };
  }, [client, name]);
}
