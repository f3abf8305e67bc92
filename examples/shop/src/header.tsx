import { InboxBell, useTidings } from "@tidings/react";
import type { ReactNode } from "react";
import { go, usePath } from "./routes.ts";

/** A link within the application. */
export function To({ path, children, className }: { path: string; children: ReactNode; className?: string }) {
  const here = usePath() === path;
  return (
    <a
      aria-current={here ? "page" : undefined}
      className={className}
      href={path}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        go(path);
      }}
    >
      {children}
    </a>
  );
}

export function Header() {
  return (
    <header className="bar">
      <To className="brand" path="/">
        Kettle &amp; Leaf
      </To>
      <nav aria-label="Shop">
        <To path="/checkout/cart">Cart</To>
        <To path="/profile">Profile</To>
      </nav>
      <InboxBell />
    </header>
  );
}

/** Tells Tidings what happened; the pages call it. */
export function useTrack() {
  const tidings = useTidings();
  return (eventName: string, properties: object) => tidings.track(eventName, properties);
}
