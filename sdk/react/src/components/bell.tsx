import { useEffect, useId, useRef, useState } from "react";
import { useInbox } from "../hooks.ts";
import { InboxList, type InboxListProps } from "./inbox-list.tsx";
import { useProviderContext } from "../provider.tsx";

/** The properties of `InboxBell`. */
export type InboxBellProps = InboxListProps;

/** Shows a bell with the number of unread cards; it opens the inbox. */
export function InboxBell(props: InboxBellProps) {
  const { labels } = useProviderContext();
  const { unreadCount } = useInbox();
  const [open, setOpen] = useState(false);
  const [panel, heading] = [useId(), useId()];
  const around = useRef<HTMLDivElement>(null);
  const bell = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!open) return;
    const pressed = (event: KeyboardEvent) => {
      // A modal above the inbox handles the key itself.
      if (event.key !== "Escape" || document.querySelector("dialog:modal")) return;
      setOpen(false);
      bell.current?.focus();
    };
    const pointed = ({ target }: PointerEvent) => {
      const overlay = target instanceof Element && target.closest("dialog");
      // The press may have removed its own target from the page; such a target is not outside of the inbox.
      if (!overlay && target instanceof Node && target.isConnected && !around.current?.contains(target)) setOpen(false);
    };
    document.addEventListener("keydown", pressed);
    document.addEventListener("pointerdown", pointed);
    return () => {
      document.removeEventListener("keydown", pressed);
      document.removeEventListener("pointerdown", pointed);
    };
  }, [open]);
  return (
    <div className="tidings-bell-around" ref={around}>
      <button
        aria-controls={open ? panel : undefined}
        aria-expanded={open}
        aria-label={unreadCount > 0 ? `${labels.inbox}, ${labels.unread(unreadCount)}` : labels.inbox}
        className="tidings-bell"
        onClick={() => setOpen(!open)}
        ref={bell}
        type="button"
      >
        <svg aria-hidden="true" className="tidings-icon" viewBox="0 0 24 24">
          <path d="M6 9a6 6 0 0 1 12 0c0 6 2.5 7.5 2.5 7.5h-17S6 15 6 9ZM10 20a2.2 2.2 0 0 0 4 0" />
        </svg>
        {unreadCount > 0 && (
          <span aria-hidden="true" className="tidings-count">
            {unreadCount > 99 ? "99+" : unreadCount}
          </span>
        )}
      </button>
      {open && (
        <section aria-labelledby={heading} className="tidings-panel" id={panel}>
          <h2 className="tidings-panel-title" id={heading}>
            {labels.inbox}
          </h2>
          <InboxList {...props} />
        </section>
      )}
    </div>
  );
}
