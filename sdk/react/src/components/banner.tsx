import type { Message } from "@tidings/web";
import { type RefObject, useEffect, useId, useRef } from "react";
import { CloseButton, Content } from "./content.tsx";
import { useOverlay } from "../overlays.ts";
import { useProviderContext } from "../provider.tsx";
import { useSeen } from "../visible.ts";

/** The properties of `InAppBanner`. */
export interface InAppBannerProps {
  /** Default `top`. */
  placement?: "top" | "bottom" | undefined;
}

/** Shows the banner of this screen, where there is one; one at a time. */
export function InAppBanner({ placement = "top" }: InAppBannerProps) {
  const message = useOverlay("banner");
  // The region is always in the page: a screen reader announces text that enters a live region, but not a new region.
  return (
    <div aria-live="polite" className={`tidings-strip tidings-strip--${placement}`}>
      {message && <Banner key={message.delivery_id} message={message} />}
    </div>
  );
}

function Banner({ message }: { message: Message }) {
  const { client, labels } = useProviderContext();
  const section = useRef<HTMLElement>(null);
  const [title, body] = [useId(), useId()];
  const dismiss = (reason: string) => client.dismiss(message.delivery_id, reason);
  useSeen(section, () => client.impression(message.delivery_id));
  useFocusBack(section, () => dismiss("escape"));
  return (
    <section
      aria-label={message.content.title ?? labels.message}
      className="tidings-banner"
      data-tidings-delivery={message.delivery_id}
      ref={section}
    >
      <Content bodyId={body} message={message} titleId={title} />
      <CloseButton onClose={() => dismiss("close")} />
    </section>
  );
}

/** Escape inside calls `onEscape`. When the element is removed with the focus in it, the focus returns to where it came from. */
function useFocusBack(ref: RefObject<HTMLElement | null>, onEscape: () => void): void {
  const latest = useRef(onEscape);
  useEffect(() => {
    latest.current = onEscape;
  });
  useEffect(() => {
    const element = ref.current;
    let before: Element | null = null;
    let inside = false;
    const entered = ({ relatedTarget }: FocusEvent) => {
      if (!inside && relatedTarget instanceof HTMLElement) before = relatedTarget;
      inside = true;
    };
    const left = ({ relatedTarget }: FocusEvent) => {
      // The focus leaves for no other element where the element is removed or the person leaves the window: in both cases it returns.
      if (relatedTarget) inside = false;
    };
    const pressed = ({ key }: KeyboardEvent) => key === "Escape" && latest.current();
    const listening = new AbortController();
    element?.addEventListener("focusin", entered, listening);
    element?.addEventListener("focusout", left, listening);
    element?.addEventListener("keydown", pressed, listening);
    return () => {
      listening.abort();
      if (inside && before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, [ref]);
}
