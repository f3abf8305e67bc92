import { useNavigate } from "@tanstack/react-router";
import { useEffect, useMemo } from "react";
import { useWorkspace } from "../platform/call/workspace.ts";
import { type Keys, useKeys } from "../platform/keys.ts";
import { rooms } from "./rooms.ts";

/** The keys that work on each page. */
export function useFrameKeys({ openPalette, openSheet }: { openPalette: () => void; openSheet: () => void }): void {
  const { id } = useWorkspace();
  const navigate = useNavigate();
  const keys = useMemo<Keys>(
    () => ({
      "?": openSheet,
      "/": () => document.querySelector<HTMLElement>("[data-list-search]")?.focus(),
      ...Object.fromEntries(
        rooms.map(({ keys, to }) => [keys, () => void navigate({ to, params: { workspace: id } })]),
      ),
    }),
    [id, navigate, openSheet],
  );
  useKeys(keys);
  // Ctrl K opens the palette also from a field.
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      openPalette();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [openPalette]);
}
