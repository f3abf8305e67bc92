import type { Message } from "@tidings/web";
import { type RefObject, useEffect, useId, useRef } from "react";
import { CloseButton, Content } from "./content.tsx";
import { useOverlay } from "../overlays.ts";
import { useAround } from "../provider.tsx";
import { useSeen } from "../visible.ts";

/** What `InAppBanner` takes. */
export interface InAppBannerProps {
  /** Default `top`. */
  placement?: "top" | "bottom" | undefined;
}

/** The banner of this screen, where there is one; one at a time. */
export function InAppBanner({ placement = "top" }: InAppBannerProps) {
  const message = useOverlay("banner");
  // Always in the page: a screen reader announces what comes into a live region, not one that comes itself.
  return (
    <div aria-live="polite" className={`tidings-strip tidings-strip--${placement}`}>
      {message && <Banner key={message.delivery_id} message={message} />}
    </div>
  );
}

function Banner({ message }: { message: Message }) {
  const { client, labels } = useAround();
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

/** Escape inside calls `onEscape`; when the element goes with the focus in it, the focus returns to where it came from. */
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
      // An element that goes takes the focus nowhere, and so does a person who leaves the window: both come back.
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
