import type { Message } from "@tidings/web";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { useMessages } from "./hooks.ts";
import { useAround } from "./provider.tsx";

const NONE: readonly never[] = [];

/**
 * The one message of this type that lies over the page, for the first of the places for it. It stays until it is over, also
 * when one of a higher priority comes meanwhile: nothing changes under the person's finger.
 */
export function useOverlay(renderType: "modal" | "banner"): Message | undefined {
  const { followed } = useAround();
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
    // What the service gave up, or the screen left, may come again another time.
    const left = followed.current.filter((id) => all.some(({ delivery_id }) => delivery_id === id));
    if (left.length < followed.current.length) followed.set(left);
  }, [all, followed]);
  return turn ? chosen : undefined;
}

/** Whether it is this component's turn: two outlets on a page must not show a message twice, nor two modals. */
function useTurn(renderType: "modal" | "banner"): boolean {
  const { places } = useAround();
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
