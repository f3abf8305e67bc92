import type { Cta, Message } from "@tidings/web";
import { useCallback } from "react";
import { deepLink } from "./action.ts";
import { useAround } from "./provider.tsx";

/** What happens when a button of a message is used. */
export function useFollow(message: Message): (cta: Cta) => void {
  const { client, actions, followed } = useAround();
  return useCallback(
    (cta) => {
      client.click(message.delivery_id, cta.id);
      // What lies over the page would lie over where the button leads, too.
      const overlay = message.render_type === "modal" || message.render_type === "banner";
      if (overlay) followed.set([...followed.current, message.delivery_id]);
      const { onDeepLink, onCustom } = actions.current;
      if (cta.action === "custom") onCustom?.(cta.value ?? "", message);
      if (cta.action !== "deep_link") return;
      const address = deepLink(cta.value, document.baseURI);
      if (address === undefined) return;
      if (onDeepLink && onDeepLink(cta.value ?? "", message) !== false) return;
      location.assign(address);
    },
    [client, actions, followed, message],
  );
}
