import type { Message } from "@tidings/web";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { useMessages } from "./hooks.ts";
import { useProviderContext } from "./provider.tsx";

const NONE: readonly never[] = [];

/**
 * Returns the message of this type that covers the page, for the first component that can show it. It stays until it has
 * ended, also when a message with a higher priority arrives: nothing changes under the person's finger.
 */
export function useOverlay(renderType: "modal" | "banner"): Message | undefined {
  const { followed } = useProviderContext();
  const turn = useTurn(renderType);
  const messages = useMessages(renderType);
  const away = useSyncExternalStore(
    followed.subscribe,
    () => followed.current,
    () => NONE,
  );
  const current = useRef<string>(undefined);
  const open = messages.filter(({ delivery_id }) => !away.includes(delivery_id));
  const chosen = open.find(({ delivery_id }) => delivery_id === current.current) ?? open[0];
  useEffect(() => {
    current.current = chosen?.delivery_id;
  });
  const all = useMessages();
  useEffect(() => {
    // A message that the service no longer lists, or that belongs to another screen, may be shown again later.
    const left = followed.current.filter((id) => all.some(({ delivery_id }) => delivery_id === id));
    if (left.length < followed.current.length) followed.set(left);
  }, [all, followed]);
  return turn ? chosen : undefined;
}

/** Returns whether this component shows the overlay: two outlets on a page must not show a message twice, nor two modals. */
function useTurn(renderType: "modal" | "banner"): boolean {
  const { places } = useProviderContext();
  const all = places[renderType];
  const [mine] = useState(() => ({}));
  useEffect(() => {
    all.set([...all.current, mine]);
    return () => all.set(all.current.filter((one) => one !== mine));
  }, [all, mine]);
  return useSyncExternalStore(
    all.subscribe,
    () => all.current[0] === mine,
    () => false,
  );
}
