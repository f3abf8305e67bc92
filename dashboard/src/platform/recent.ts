import { useEffect } from "react";
import { useWorkspace } from "./call/workspace.ts";
import type { IconName } from "./look/icons.tsx";

/** Something that somebody has opened, as the search shows it. */
export interface Recent {
  href: string;
  label: string;
  icon: IconName;
}

const KEPT = "tidings.recent.";
const MOST = 8;

/** What was opened last in a workspace, the latest first. */
export function recents(workspace: string): readonly Recent[] {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT + workspace) ?? "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

export function remember(workspace: string, recent: Recent): void {
  const others = recents(workspace).filter(({ href }) => href !== recent.href);
  localStorage.setItem(KEPT + workspace, JSON.stringify([recent, ...others].slice(0, MOST)));
}

/** Remembers what a page shows, once its name is known. */
export function useRemember(href: string, label: string | undefined, icon: IconName): void {
  const { id } = useWorkspace();
  useEffect(() => {
    if (label !== undefined) remember(id, { href, label, icon });
  }, [id, href, label, icon]);
}

/** Names of people must not stay in a browser that somebody has signed out of. */
export function forgetRecents(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(KEPT)) localStorage.removeItem(key);
}
