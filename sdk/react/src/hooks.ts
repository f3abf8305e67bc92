import type { InboxItem, Message, Tidings } from "@tidings/web";
import { useCallback, useEffect, useMemo, useSyncExternalStore } from "react";
import { useBeforePaint } from "./paint.ts";
import { useAround } from "./provider.tsx";
import { screenOwners } from "./store.ts";

const NO_MESSAGES: readonly Message[] = [];
const NO_ITEMS: readonly InboxItem[] = [];

/** One render type, or a question about each message. */
export type MessageFilter = Message["render_type"] | ((message: Message) => boolean);

/** The client itself: `track`, `identify`, `login` and the rest of `@tidings/web`. */
export function useTidings(): Tidings {
  return useAround().client;
}

/** What may be shown here and now, in the order of the service. */
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

/** What `useInbox` gives. */
export interface InboxState {
  /** Newest first. */
  items: readonly InboxItem[];
  unreadCount: number;
  /** Whether `more` would bring another page. */
  hasMore: boolean;
  /** Looks again. */
  reload(): Promise<void>;
  /** The next page, where there is one. */
  more(): Promise<void>;
  read(deliveryId: string): void;
  unread(deliveryId: string): void;
}

/** The person's cards. Asked for when the first component uses it; from then on it follows what happens, and who is logged in. */
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
 * Says where the person is while the component is there. Before the new screen is painted, everything that was asked for
 * the old one is gone.
 */
export function useScreen(name: string | null): void {
  const client = useTidings();
  useBeforePaint(() => {
    const mine = {};
    screenOwners.set(client, mine);
    client.setScreen(name);
    return () => {
      // The screen that takes its place says so in the same turn; null in between would be a screen that nobody saw.
      queueMicrotask(() => {
        if (screenOwners.get(client) === mine) client.setScreen(null);
      });
    };
  }, [client, name]);
}
