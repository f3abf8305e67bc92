import type { Cta, Message } from "@tidings/web";
import { useCallback } from "react";
import { deepLink } from "./action.ts";
import { useProviderContext } from "./provider.tsx";

/** Returns the function to call when a button of the message is used. */
export function useFollow(message: Message): (cta: Cta) => void {
  const { client, actions, followed } = useProviderContext();
  return useCallback(
    (cta) => {
      client.click(message.delivery_id, cta.id);
      // A modal or banner would cover the page that the button opens, too.
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
